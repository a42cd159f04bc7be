//! Layouts that the bytes alone tell apart, and those that they do not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::similar_names, reason = "a framer gives frames")]

use bytes::{BufMut as _, Bytes, BytesMut};
use parallax_codec::commands::PolledMessages;
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::PartitionLayout;
use parallax_codec::vsr::{
    Command, EvictionHeader, EvictionReason, Framer, HEADER_SIZE, Operation, ProtocolVersion,
    ReplyHeader, RequestHeader, Status, StatusLayout, looks_like_reply, looks_like_request,
};
use parallax_codec::{
    Body, COMMANDS, Dialect, Encode as _, Fault, Field, Reply, Request, Value, classic, code,
    empty_reply_meaning, vsr,
};
use proptest::prelude::*;

fn message(offset: u64, payload: &[u8], user_headers: &[u8]) -> Message {
    Message {
        header: MessageHeader {
            checksum: 1,
            id: u128::MAX - u128::from(offset),
            offset,
            timestamp: 1_700_000_000_000_000,
            origin_timestamp: 1_700_000_000_000_000,
            payload_length: u32::try_from(payload.len()).unwrap(),
            user_headers_length: u32::try_from(user_headers.len()).unwrap(),
            reserved: 0,
        },
        payload: Bytes::copy_from_slice(payload),
        user_headers: Bytes::copy_from_slice(user_headers),
    }
}

fn polled(layout: MessageLayout, messages: Vec<Message>) -> PolledMessages {
    PolledMessages {
        partition_id: 1,
        current_offset: 9,
        count: u32::try_from(messages.len()).unwrap(),
        layout,
        messages,
        left_over: Bytes::new(),
    }
}

fn decoded(body: &Bytes) -> (PolledMessages, Option<Fault>) {
    let (reply, fault) = PolledMessages::decode_leniently(Dialect::Classic, body).unwrap();
    assert_eq!(&reply.encode(), body, "no byte is lost");
    (reply, fault.map(|fault| fault.fault))
}

/// Case D3.
#[test]
fn the_same_messages_with_headers_of_56_and_64_bytes_are_told_apart() {
    let messages = vec![
        message(4, b"one", b""),
        message(5, b"two and more", b"headers"),
        message(6, b"three", b""),
    ];
    let bodies = [MessageLayout::Headers56, MessageLayout::Headers64].map(|layout| {
        let reply = polled(layout, messages.clone());
        assert_eq!(decoded(&reply.encode()), (reply.clone(), None));
        reply.encode()
    });
    assert_eq!(bodies[0].len() + 3 * 8, bodies[1].len());
}

/// Case D3: a body that fits both is not guessed at. The second message's payload,
/// read 8 bytes later, is a header of its own.
#[test]
fn a_body_that_fits_two_layouts_is_undetermined() {
    let mut payload = vec![0; 24];
    payload[4..8].copy_from_slice(&8_u32.to_le_bytes());
    let mut second = message(2, &payload, b"");
    second.header.timestamp = 5;
    let reply = polled(
        MessageLayout::Headers56,
        vec![message(1, b"12345678", b""), second],
    );
    let (read, fault) = decoded(&reply.encode());
    assert_eq!(fault, Some(Fault::Undetermined));
    assert_eq!(read.layout, MessageLayout::Undetermined);
    assert!(read.messages.is_empty());
    assert_eq!(read.left_over.len(), 2 * 56 + 8 + 24);
}

/// A message of the longer layout that has lost its last 8 bytes is not taken for
/// a whole one of the shorter.
#[test]
fn a_single_message_that_was_cut_is_not_one_of_the_shorter_layout() {
    let whole = polled(
        MessageLayout::Headers64,
        vec![message(4, b"0123456789", b"")],
    );
    let body = whole.encode();
    let (read, fault) = decoded(&body.slice(..body.len() - 8));
    assert_eq!(fault, Some(Fault::Undetermined));
    assert!(read.messages.is_empty());
}

/// Case C9: the lengths in the headers are those of the encrypted payloads.
#[test]
fn a_batch_that_announces_more_than_can_be_read_says_where_it_stops() {
    let reply = polled(MessageLayout::Headers64, vec![message(0, &[7; 16], b"")]);
    let mut body = BytesMut::from(&reply.encode()[..]);
    body[12..16].copy_from_slice(&10_u32.to_le_bytes());
    body.put_bytes(0xff, 412);
    let (read, fault) = PolledMessages::decode_leniently(Dialect::Classic, &body.freeze()).unwrap();
    assert_eq!(
        (read.count, read.messages.len(), read.left_over.len()),
        (10, 1, 412)
    );
    let fault = fault.unwrap();
    assert!(fault.at >= 96, "{fault}");
}

/// Case E5: whatever is missing at the end, what stands before it is shown, or nothing
/// where its layout cannot be told, and the fault says where reading ended.
#[test]
fn a_poll_reply_cut_at_any_byte_is_told_and_never_misread() {
    let messages = vec![
        message(4, b"one", b""),
        message(5, b"two and more", b"headers"),
        message(6, b"three", b""),
    ];
    for layout in [MessageLayout::Headers64, MessageLayout::Headers56] {
        let whole = polled(layout.clone(), messages.clone()).encode();
        for kept in 16..whole.len() {
            let body = whole.slice(..kept);
            let (read, fault) = PolledMessages::decode_leniently(Dialect::Classic, &body).unwrap();
            let fault = fault.unwrap();
            assert!(fault.at <= kept, "{kept} of {layout:?}: {fault}");
            assert_eq!(read.encode(), body);
            let known = read.messages.iter().zip(&messages);
            let right = known.take_while(|(read, sent)| read == sent).count();
            assert_eq!(right, read.messages.len(), "{kept} of {layout:?}");
            assert!(right < messages.len());
        }
        for kept in 0..16 {
            let body = whole.slice(..kept);
            let error = PolledMessages::decode_leniently(Dialect::Classic, &body).unwrap_err();
            assert!(error.at <= kept, "{error}");
        }
    }
}

#[test]
fn encrypted_payloads_and_headers_are_bytes_and_no_damage() {
    let reply = polled(
        MessageLayout::Headers64,
        vec![message(0, &[0xaa; 32], &[0x55; 32])],
    );
    let (read, fault) = decoded(&reply.encode());
    assert_eq!(fault, None);
    let fields = read_fields(&Reply::PolledMessages(read));
    assert!(fields.contains(&("user_headers".to_owned(), Value::Bytes(32))));
}

/// Cases, section 0: servers 0.4.95 and 0.5.0 have no flag.
#[test]
fn a_poll_with_and_without_the_partition_flag_is_told_by_its_length() {
    let before = b"\x01\x01\x04\x01\0\0\0\x01\x04\x01\0\0\0\x01\x04\x01\0\0\0";
    let after = b"\x03\0\0\0\0\0\0\0\0\x0a\0\0\0\x01";
    let flagged = Bytes::from([&before[..], b"\x01\x02\0\0\0", after].concat());
    let plain = Bytes::from([&before[..], b"\x02\0\0\0", after].concat());
    for (body, layout) in [
        (flagged, PartitionLayout::Flagged),
        (plain, PartitionLayout::Plain),
    ] {
        let request = Request::decode(Dialect::Classic, code::POLL_MESSAGES, &body).unwrap();
        assert_eq!(request.encode(), body);
        let Request::PollMessages(poll) = request else {
            panic!("no poll")
        };
        assert_eq!(poll.partition_layout, layout);
        assert_eq!(poll.partition_id, Some(2));
        assert_eq!((poll.count, poll.auto_commit), (10, true));
        let in_vsr = Request::decode(Dialect::Vsr, code::POLL_MESSAGES, &body);
        assert_eq!(in_vsr.is_ok(), layout == PartitionLayout::Flagged);
    }
}

/// Case B5.
#[test]
fn sentinels_are_told_by_meaning_and_keep_their_bytes() {
    for (id, meaning) in [
        (u32::MAX, "re-sync your assignment"),
        (u32::MAX - 1, "no assigned partition"),
    ] {
        let reply = PolledMessages {
            partition_id: id,
            count: 0,
            ..polled(MessageLayout::Undetermined, Vec::new())
        };
        let (read, fault) = decoded(&reply.encode());
        assert_eq!(fault, None);
        let number = u64::from(id);
        let told = ("partition_id".to_owned(), Value::Kind { number, meaning });
        assert!(read_fields(&Reply::PolledMessages(read)).contains(&told));
    }
}

#[test]
fn a_client_that_has_not_logged_in_is_nobody_and_no_number() {
    let client = |user_id: u32| {
        let body = [7, user_id].map(u32::to_le_bytes).concat();
        let body = [&body[..], &[1, 1, 0, 0, 0, b'a', 0, 0, 0, 0]].concat();
        Reply::decode(Dialect::Classic, code::GET_ME, &body.into())
            .unwrap()
            .0
    };
    let told = |value| ("user_id".to_owned(), value);
    let nobody = Value::Kind {
        number: u32::MAX.into(),
        meaning: "nobody yet",
    };
    assert!(read_fields(&client(u32::MAX)).contains(&told(nobody)));
    let fields = read_fields(&client(3));
    let is_number =
        |(name, value): &(String, Value)| name == "user_id" && !matches!(value, Value::Kind { .. });
    assert!(fields.iter().any(is_number));
}

fn read_fields(reply: &Reply) -> Vec<(String, Value)> {
    fn flat(fields: &[Field], found: &mut Vec<(String, Value)>) {
        for field in fields {
            match &field.value {
                Value::Group(inner) | Value::List(inner) => flat(inner, found),
                value => found.push((field.name.to_owned(), value.clone())),
            }
        }
    }
    let mut found = Vec::new();
    flat(&reply.fields(0), &mut found);
    found
}

#[test]
fn an_empty_reply_means_something_for_every_command_that_may_have_one() {
    let always_answered = [
        code::GET_STATS,
        code::GET_SNAPSHOT_FILE,
        code::GET_CLUSTER_METADATA,
        code::DESCRIBE_OPTIONS,
        code::GET_ME,
        code::CREATE_USER,
        code::LOGIN_USER,
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
        code::GET_POLL_ROUTING,
        code::GET_CONSUMER_OFFSET_ROUTING,
        code::CREATE_STREAM,
        code::CREATE_TOPIC,
        code::CREATE_CONSUMER_GROUP,
    ];
    for command in COMMANDS {
        let meaning = empty_reply_meaning(command.code);
        assert_eq!(
            meaning.is_none(),
            always_answered.contains(&command.code),
            "{}",
            command.name
        );
    }
    assert_eq!(empty_reply_meaning(4711), None);
}

fn request(number: u64, body: &[u8]) -> RequestHeader {
    RequestHeader {
        client: 7,
        request: number,
        session: 1,
        ..RequestHeader::new(code::CREATE_STREAM, body)
    }
}

/// Case E1: request 6, an eviction, reply 6, request 7, reply 7.
#[test]
fn an_unsolicited_eviction_shifts_no_reply() {
    let requests = [request(6, b""), request(7, b"")];
    let mut stream = Vec::new();
    stream.extend(EvictionHeader::new(7, EvictionReason::STALE_CLIENT).encode());
    for request in &requests {
        stream.extend(ReplyHeader::to(request, 0, 4).frame(&[0; 4]));
    }
    let mut frames = Vec::new();
    Framer::new().push(stream.into(), &mut frames);
    let commands: Vec<Command> = frames.iter().map(vsr::Frame::command).collect();
    assert_eq!(
        commands,
        [Command::EVICTION, Command::REPLY, Command::REPLY]
    );
    let eviction = EvictionHeader::of(&frames[0].header);
    assert_eq!(eviction.reason.name(), "stale_client");
    for (at, request) in requests.iter().enumerate() {
        let reply = ReplyHeader::of(&frames[at + 1].header);
        assert!(reply.answers(request));
        assert!(
            !reply.answers(&requests[1 - at]),
            "the reply to the other one"
        );
    }
}

/// A header whose bytes 216 to 228 are these.
fn with_tail(at_216: u64, at_224: u32) -> [u8; HEADER_SIZE] {
    let header = ReplyHeader::to(&request(1, b""), 0, 0).encode();
    let mut header: [u8; HEADER_SIZE] = header.as_ref().try_into().unwrap();
    header[216..224].copy_from_slice(&at_216.to_le_bytes());
    header[224..228].copy_from_slice(&at_224.to_le_bytes());
    header
}

/// Case E2: one reply of each layout.
#[test]
fn the_status_is_read_where_its_layout_has_it_or_said_to_be_ambiguous() {
    let namespace = (5 << 32) | (2 << 20);
    let told = |code, layout| Status::Told { code, layout };
    let of = |header: &[u8; HEADER_SIZE], length, known| Status::of(header, length, known);
    let denied = with_tail(4100, 0);
    assert_eq!(
        of(&denied, 0, None),
        Status::Ambiguous {
            at_216: 4100,
            at_224: 0
        }
    );
    let newest = StatusLayout::of_protocol(ProtocolVersion(11 << 10));
    assert_eq!(newest, Some(StatusLayout::At216));
    assert_eq!(of(&denied, 0, newest), told(4100, newest));
    assert_eq!(of(&denied, 10, None), told(0, None), "a denial has no body");
    let moved = Some(StatusLayout::At224);
    assert_eq!(of(&with_tail(namespace, 4100), 0, None), told(4100, moved));
    assert_eq!(of(&with_tail(0, 4100), 0, None), told(4100, moved));
    assert_eq!(of(&with_tail(namespace, 0), 0, None), told(0, None));
    let nowhere = Some(StatusLayout::Nowhere);
    assert_eq!(of(&with_tail(4100, 0), 0, nowhere), told(0, nowhere));
    assert_eq!(of(&with_tail(0, 0), 0, None), told(0, None));
    assert_eq!(StatusLayout::of_protocol(ProtocolVersion(10 << 10)), None);
}

#[test]
fn a_size_below_the_headers_own_is_labelled_and_stepped_over() {
    let mut bad = [0; HEADER_SIZE];
    bad[48] = 255;
    let good = request(1, b"body").frame(b"body");
    let stream = Bytes::from([&bad[..], &good, &bad, &good].concat());
    let mut frames = Vec::new();
    let mut framer = Framer::new();
    for byte in &stream {
        framer.push(Bytes::copy_from_slice(&[*byte]), &mut frames);
    }
    let bodies: Vec<&Body> = frames.iter().map(|frame| &frame.body).collect();
    let whole = Body::Whole(Bytes::from_static(b"body"));
    let malformed = Body::Malformed { length: 255 };
    assert_eq!(bodies, [&malformed, &whole, &malformed, &whole]);
    assert!(framer.is_between_frames());
}

#[test]
fn an_oversized_frame_is_stepped_over_without_losing_the_next() {
    let big = vec![7; 5000];
    let stream = [request(1, &big).frame(&big), request(2, b"").frame(b"")].concat();
    for size in [1, 255, 256, 257, 5000, 6000] {
        let mut framer = Framer::with_limit(100);
        let mut frames = Vec::new();
        for piece in stream.chunks(size) {
            framer.push(Bytes::copy_from_slice(piece), &mut frames);
        }
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].body_length, 5000);
        assert_eq!(
            frames[0].body,
            Body::Oversized {
                prefix: big.clone().into()
            }
        );
        assert_eq!(RequestHeader::of(&frames[1].header).request, 2);
        assert_eq!(frames[1].end(), stream.len() as u64);
    }
}

/// Case E3: a classic login is no VSR frame, and a VSR header is never a classic
/// request.
#[test]
fn neither_dialects_first_bytes_are_the_others() {
    let classic = classic::encode_request(code::LOGIN_USER, &[4; 300]);
    assert!(!looks_like_request(&classic));
    assert!(!looks_like_reply(&classic));
    let header = request(1, b"");
    let framed = header.frame(b"");
    assert!(looks_like_request(&framed));
    assert!(!looks_like_reply(&framed));
    assert!(!classic::looks_like_request(&framed));
    let reply = ReplyHeader::to(&header, 0, 0).frame(b"");
    assert!(looks_like_reply(&reply));
    assert!(!looks_like_request(&reply));
    assert!(looks_like_reply(
        &EvictionHeader::new(1, EvictionReason(14)).encode()
    ));
    assert!(!looks_like_reply(&reply[..255]));
}

#[test]
fn an_unknown_operation_and_command_keep_their_numbers() {
    assert_eq!(Operation(200).name(), "unknown");
    assert_eq!(Operation(200).code(), None);
    assert_eq!(Command(99).name(), "unknown");
    assert_eq!(
        EvictionReason(99).meaning(),
        "for a reason that is not known"
    );
}

proptest! {
    #[test]
    fn a_vsr_stream_gives_the_same_frames_however_it_is_cut(
        bodies in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..700), 1..5),
        lengths in proptest::collection::vec(1..600_usize, 1..6),
        limit in 0..800_usize,
    ) {
        let stream: Vec<u8> =
            bodies.iter().flat_map(|body| request(1, body).frame(body).to_vec()).collect();
        let mut whole = Vec::new();
        Framer::with_limit(limit).push(stream.clone().into(), &mut whole);
        let mut cut = Vec::new();
        let mut framer = Framer::with_limit(limit);
        let mut rest = &stream[..];
        for length in lengths.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at((*length).min(rest.len()));
            framer.push(Bytes::copy_from_slice(piece), &mut cut);
            rest = after;
        }
        prop_assert_eq!(cut, whole);
    }
}
