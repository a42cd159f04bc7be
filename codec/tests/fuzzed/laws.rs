//! What holds for any bytes: the bodies of the fuzz targets, which the ordinary
//! tests run over the corpus.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bytes::Bytes;
use parallax_codec::commands::PolledMessages;
use parallax_codec::messages::{HeaderLayout, MessageViews, parse_user_headers};
use parallax_codec::recognise::recognise;
use parallax_codec::vsr::{EvictionHeader, HEADER_SIZE, ReplyHeader, RequestHeader, ResultSection};
use parallax_codec::{
    Dialect, Direction, Encode, Field, Reply, Request, Value, classic, fields_of, vsr,
};

const DIALECTS: [Dialect; 2] = [Dialect::Classic, Dialect::Vsr];

/// `[limit u8][length of pieces u8][stream]`: both framers give the same frames
/// whole and in pieces, and lose no byte.
pub(crate) fn framing(input: &[u8]) {
    let Some((&[limit, length], stream)) = input.split_first_chunk() else {
        return;
    };
    let limit = usize::from(limit) * 16;
    let pieces = || {
        stream
            .chunks(usize::from(length).max(1))
            .map(Bytes::copy_from_slice)
    };
    let _ = recognise(stream);
    for direction in [Direction::ToServer, Direction::ToClient] {
        let _ = vsr::looks_like_frame(direction, stream);
        let mut whole = Vec::new();
        let mut framer = classic::Framer::with_limit(direction, limit);
        framer.push(Bytes::copy_from_slice(stream), &mut whole);
        let unfinished = framer.unfinished().map_or(0, |(here, _)| here);
        let end = whole.last().map_or(0, classic::Frame::end);
        assert_eq!(end + unfinished, stream.len() as u64);
        let mut cut = Vec::new();
        let mut framer = classic::Framer::with_limit(direction, limit);
        pieces().for_each(|piece| framer.push(piece, &mut cut));
        assert_eq!(cut, whole);
    }
    let mut whole = Vec::new();
    let mut framer = vsr::Framer::with_limit(limit);
    framer.push(Bytes::copy_from_slice(stream), &mut whole);
    let unfinished = framer.unfinished().map_or(0, |(here, _)| here);
    let end = whole.last().map_or(0, vsr::Frame::end);
    assert_eq!(end + unfinished, stream.len() as u64);
    let mut cut = Vec::new();
    let mut framer = vsr::Framer::with_limit(limit);
    pieces().for_each(|piece| framer.push(piece, &mut cut));
    assert_eq!(cut, whole);
    for frame in whole {
        header(&RequestHeader::of(&frame.header), &frame.header);
        header(&EvictionHeader::of(&frame.header), &frame.header);
        let reply = ReplyHeader::of(&frame.header);
        header(&reply, &frame.header);
        let _ = reply.status(frame.body_length, None);
        let body = frame.body_bytes();
        let _ = RequestHeader::of(&frame.header).command_code(&body);
        let _ = ResultSection::split(reply.operation, &body);
    }
}

fn header(header: &impl Encode, bytes: &[u8; HEADER_SIZE]) {
    assert_eq!(header.encode(), bytes.as_slice());
    tiles(&fields_of(header, 0), 0, HEADER_SIZE);
}

/// `[code u16][body]`: what is read as a request or reply says of every byte what
/// it is, and what it is written as reads the same.
pub(crate) fn bodies(input: &[u8]) {
    let Some((code, body)) = input.split_first_chunk() else {
        return;
    };
    let code = u16::from_le_bytes(*code).into();
    let body = Bytes::copy_from_slice(body);
    for dialect in DIALECTS {
        if let Ok(request) = Request::decode(dialect, code, &body) {
            tiles(&request.fields(8), 8, body.len());
            let anew = request.encode();
            let again = Request::decode(dialect, code, &anew).unwrap().encode();
            assert_eq!(again, anew);
        }
        if let Ok((reply, _)) = Reply::decode(dialect, code, &body) {
            tiles(&reply.fields(8), 8, body.len());
            let anew = reply.encode();
            let (again, _) = Reply::decode(dialect, code, &anew).unwrap();
            assert_eq!(again.encode(), anew);
        }
    }
}

/// The body of a poll's reply: no byte is lost, whatever the layout, and walking
/// finds no more than reading.
pub(crate) fn messages(input: &[u8]) {
    let body = Bytes::copy_from_slice(input);
    let _ = parse_user_headers(&body);
    let layouts = [
        HeaderLayout::Headers56,
        HeaderLayout::Headers64,
        HeaderLayout::Batches,
    ];
    for layout in layouts {
        let mut views = MessageViews::new(layout, &body);
        let walked: usize = views.by_ref().map(|view| view.payload.len()).sum();
        assert!(walked <= body.len());
        assert!(views.rest().is_empty() || views.failure().is_some());
    }
    for dialect in DIALECTS {
        let Ok((reply, fault)) = PolledMessages::decode_leniently(dialect, &body) else {
            assert!(body.len() < 16);
            continue;
        };
        assert_eq!(reply.encode(), body);
        let count = usize::try_from(reply.count).unwrap();
        assert!(fault.is_some() || reply.messages.len() == count);
        let _ = reply.layout.verify(&reply.messages);
        let _ = reply.layout.verify_batches(&reply.messages);
    }
}

fn tiles(fields: &[Field], start: usize, length: usize) {
    let mut at = start;
    for field in fields {
        assert_eq!(field.range.start, at, "{} begins elsewhere", field.name);
        if let Value::Group(inner) | Value::List(inner) = &field.value {
            tiles(inner, at, field.range.len());
        }
        at = field.range.end;
    }
    assert_eq!(at, start + length, "the fields end elsewhere");
}
