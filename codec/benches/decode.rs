//! Framing and decoding beside `iggy_binary_protocol`, in one run: the same bytes,
//! the same question, the same result.
//!
//! - *framed*: both give frames that outlive the bytes they were cut from, slices of
//!   them, since that is what a reader of a stream needs. Their crate cuts one frame
//!   out of a whole buffer, ours also one that comes in pieces.
//! - *walked*: every message is visited and every field of its header read, payloads and
//!   user headers are not. Their iterator reads the two lengths alone and each field
//!   when it is asked for, so counting what it gives would be another question.
//! - *kept*: both make the same list of messages, each with all of its header, payload
//!   and user headers shared and not copied. Ours also finds out in which layout the
//!   body is and that it is filled exactly; theirs has one layout and does not look at
//!   what is left over.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::similar_names, reason = "a framer gives frames")]

use std::hint::black_box;

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use iggy_binary_protocol::responses::messages::poll_messages::PollMessagesResponse as Classic;
use iggy_binary_protocol::{RequestFrame, ResponseFrame, WireMessageView};
use iggy_binary_protocol_11::consensus::{RequestHeader as TheirHeader, read_size_field};
use iggy_binary_protocol_11::responses::messages::poll_messages::{
    PollMessagesResponse as Vsr, PolledMessageView,
};
use parallax_codec::commands::PolledMessages;
use parallax_codec::messages::{
    Batch, HeaderLayout, Message, MessageHeader, MessageLayout, MessageView, MessageViews,
};
use parallax_codec::vsr::{HEADER_SIZE, ReplyHeader, RequestHeader};
use parallax_codec::{Body, Dialect, Direction, Encode as _, classic, code, vsr};

fn messages(count: u64, payload: usize) -> Vec<Message> {
    let message = |offset: u64| Message {
        header: MessageHeader {
            checksum: 1,
            id: offset.into(),
            offset,
            timestamp: 1_700_000_000_000_000,
            origin_timestamp: 1_700_000_000_000_000 + offset,
            payload_length: u32::try_from(payload).unwrap(),
            ..MessageHeader::default()
        },
        payload: vec![7; payload].into(),
        user_headers: Bytes::new(),
    };
    (0..count).map(message).collect()
}

/// The body of a poll's reply.
fn reply(dialect: Dialect, mut messages: Vec<Message>) -> Bytes {
    let layout = match dialect {
        Dialect::Classic => MessageLayout::Headers64,
        Dialect::Vsr => MessageLayout::Batches(vec![Batch::of_producer(&mut messages)]),
    };
    PolledMessages {
        partition_id: 0,
        current_offset: messages.len() as u64,
        count: u32::try_from(messages.len()).unwrap(),
        layout,
        messages,
        left_over: Bytes::new(),
    }
    .encode()
}

fn framing(c: &mut Criterion) {
    let body = [7; 100];
    let mut requests = BytesMut::new();
    let mut framed = BytesMut::new();
    for _ in 0..1000 {
        requests.put_slice(&classic::encode_request(code::POLL_MESSAGES, &body));
        framed.put_slice(&RequestHeader::new(code::POLL_MESSAGES, &body).frame(&body));
    }
    let (requests, framed) = (requests.freeze(), framed.freeze());
    let mut group = c.benchmark_group("frame 1000 requests of 100 bytes");
    group.throughput(Throughput::Elements(1000));
    group.bench_function("classic, ours", |b| {
        let mut frames = Vec::with_capacity(1000);
        b.iter(|| {
            frames.clear();
            classic::Framer::new(Direction::ToServer).push(requests.clone(), &mut frames);
            assert_eq!(black_box(&frames).len(), 1000);
        });
    });
    group.bench_function("classic, theirs", |b| {
        let mut frames = Vec::with_capacity(1000);
        b.iter(|| {
            frames.clear();
            let mut rest = requests.clone();
            while !rest.is_empty() {
                let (frame, size) = RequestFrame::decode(&rest).unwrap();
                let payload = rest.slice_ref(frame.payload);
                frames.push((frame.code, payload));
                rest = rest.split_off(size);
            }
            assert_eq!(black_box(&frames).len(), 1000);
        });
    });
    group.bench_function("vsr, ours", |b| {
        let mut frames = Vec::with_capacity(1000);
        b.iter(|| {
            frames.clear();
            vsr::Framer::new().push(framed.clone(), &mut frames);
            assert_eq!(black_box(&frames).len(), 1000);
        });
    });
    // Their headers can be read only where they are aligned, so a copy is made, as
    // their SDK makes one.
    group.bench_function("vsr, theirs", |b| {
        #[repr(C, align(16))]
        struct Aligned([u8; HEADER_SIZE]);
        let mut frames = Vec::with_capacity(1000);
        b.iter(|| {
            frames.clear();
            let mut rest = framed.clone();
            while !rest.is_empty() {
                let size = usize::try_from(read_size_field(&rest).unwrap()).unwrap();
                let frame = rest.split_to(size);
                let header = Aligned(frame[..HEADER_SIZE].try_into().unwrap());
                let header = bytemuck::checked::from_bytes::<TheirHeader>(&header.0);
                frames.push((*header, frame.slice(HEADER_SIZE..)));
            }
            assert_eq!(black_box(&frames).len(), 1000);
        });
    });
    group.finish();
}

fn polls(c: &mut Criterion) {
    for count in [1, 1000] {
        let body = reply(Dialect::Classic, messages(count, 100));
        let batches = reply(Dialect::Vsr, messages(count, 100));
        let mut group = c.benchmark_group(format!("poll reply of {count} messages"));
        group.throughput(Throughput::Elements(count));
        walked(&mut group, &body, &batches);
        kept(&mut group, &body, &batches);
        group.finish();
    }
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// Every message looked at where it stands.
fn walked(group: &mut Group<'_>, body: &Bytes, batches: &Bytes) {
    group.bench_function("classic, ours, walked", |b| {
        b.iter(|| ours(HeaderLayout::Headers64, black_box(body)));
    });
    group.bench_function("classic, theirs, walked", |b| {
        b.iter(|| theirs_classic(black_box(body)));
    });
    group.bench_function("vsr, ours, walked", |b| {
        b.iter(|| ours(HeaderLayout::Batches, black_box(batches)));
    });
    group.bench_function("vsr, theirs, walked", |b| {
        b.iter(|| theirs_vsr(black_box(batches)));
    });
}

/// Every message taken out of the reply.
fn kept(group: &mut Group<'_>, body: &Bytes, batches: &Bytes) {
    group.bench_function("classic, ours, kept", |b| {
        b.iter(|| PolledMessages::decode_leniently(Dialect::Classic, black_box(body)));
    });
    group.bench_function("classic, theirs, kept", |b| {
        b.iter(|| {
            let reply = Classic::decode(black_box(body)).unwrap();
            let messages = reply.messages.map(|view| {
                let view = view.unwrap();
                Message {
                    header: header(&view),
                    payload: body.slice_ref(view.payload()),
                    user_headers: body.slice_ref(view.user_headers()),
                }
            });
            (reply.header, messages.collect::<Vec<_>>())
        });
    });
    group.bench_function("vsr, ours, kept", |b| {
        b.iter(|| PolledMessages::decode_leniently(Dialect::Vsr, black_box(batches)));
    });
    group.bench_function("vsr, theirs, kept", |b| {
        b.iter(|| {
            let reply = Vsr::decode(black_box(batches)).unwrap();
            let messages = reply.messages.map(|view| {
                let view = view.unwrap();
                Message {
                    header: MessageHeader {
                        checksum: view.checksum,
                        id: view.id,
                        offset: view.offset,
                        timestamp: view.timestamp,
                        origin_timestamp: view.origin_timestamp,
                        user_headers_length: u32::try_from(view.user_headers.len()).unwrap(),
                        payload_length: u32::try_from(view.payload.len()).unwrap(),
                        reserved: 0,
                    },
                    payload: batches.slice_ref(view.payload),
                    user_headers: batches.slice_ref(view.user_headers),
                }
            });
            (reply.header, messages.collect::<Vec<_>>())
        });
    });
}

fn header(view: &WireMessageView<'_>) -> MessageHeader {
    MessageHeader {
        checksum: view.checksum(),
        id: view.id(),
        offset: view.offset(),
        timestamp: view.timestamp(),
        origin_timestamp: view.origin_timestamp(),
        user_headers_length: u32::try_from(view.user_headers_length()).unwrap(),
        payload_length: u32::try_from(view.payload_length()).unwrap(),
        reserved: 0,
    }
}

/// What reads every field of a header.
fn look(header: &MessageHeader) -> u64 {
    let [low, high] = [header.id & u128::from(u64::MAX), header.id >> 64];
    u64::try_from(low).unwrap()
        ^ u64::try_from(high).unwrap()
        ^ header.checksum
        ^ header.offset
        ^ header.timestamp
        ^ header.origin_timestamp
        ^ u64::from(header.user_headers_length)
        ^ u64::from(header.payload_length)
}

fn ours(layout: HeaderLayout, body: &[u8]) -> u64 {
    let look = |view: MessageView<'_>| look(&view.header);
    MessageViews::new(layout, &body[16..]).map(look).sum()
}

fn theirs_classic(body: &[u8]) -> u64 {
    let views = Classic::decode(body).unwrap().messages.map(Result::unwrap);
    views.map(|view| look(&header(&view))).sum()
}

fn theirs_vsr(body: &[u8]) -> u64 {
    let views = Vsr::decode(body).unwrap().messages.map(Result::unwrap);
    let look = |view: PolledMessageView<'_>| {
        let header = MessageHeader {
            checksum: view.checksum,
            id: view.id,
            offset: view.offset,
            timestamp: view.timestamp,
            origin_timestamp: view.origin_timestamp,
            user_headers_length: u32::try_from(view.user_headers.len()).unwrap(),
            payload_length: u32::try_from(view.payload.len()).unwrap(),
            reserved: 0,
        };
        look(&header)
    };
    views.map(look).sum()
}

/// Framed and walked: a reply of 1 MiB, no payload copied or looked at.
fn large(c: &mut Criterion) {
    let body = reply(Dialect::Classic, messages(16, 64 * 1024));
    let frame = classic::encode_reply(0, &body);
    let batches = reply(Dialect::Vsr, messages(16, 64 * 1024));
    let asked = RequestHeader::new(code::POLL_MESSAGES, &[]);
    let batched = ReplyHeader::to(&asked, 0, batches.len()).frame(&batches);
    let mut group = c.benchmark_group("frame and walk 1 MiB");
    group.bench_function("classic, ours", |b| {
        let mut frames = Vec::new();
        b.iter(|| {
            frames.clear();
            let mut framer = classic::Framer::new(Direction::ToClient);
            framer.push(black_box(&frame).clone(), &mut frames);
            ours(HeaderLayout::Headers64, whole(&frames[0].body))
        });
    });
    group.bench_function("classic, theirs", |b| {
        let mut frames = Vec::new();
        b.iter(|| {
            frames.clear();
            let mut rest = black_box(&frame).clone();
            let (reply, size) = ResponseFrame::decode(&rest).unwrap();
            frames.push((reply.status, rest.slice_ref(reply.payload)));
            rest.advance(size);
            theirs_classic(&frames[0].1)
        });
    });
    group.bench_function("vsr, ours", |b| {
        let mut frames = Vec::new();
        b.iter(|| {
            frames.clear();
            vsr::Framer::new().push(black_box(&batched).clone(), &mut frames);
            ours(HeaderLayout::Batches, whole(&frames[0].body))
        });
    });
    group.bench_function("vsr, theirs", |b| {
        let mut frames = Vec::new();
        b.iter(|| {
            frames.clear();
            let mut rest = black_box(&batched).clone();
            let size = usize::try_from(read_size_field(&rest).unwrap()).unwrap();
            let frame = rest.split_to(size);
            let header: [u8; HEADER_SIZE] = frame[..HEADER_SIZE].try_into().unwrap();
            frames.push((header, frame.slice(HEADER_SIZE..)));
            theirs_vsr(&frames[0].1)
        });
    });
    group.finish();
}

fn whole(body: &Body) -> &[u8] {
    match body {
        Body::Whole(bytes) => bytes,
        _ => panic!("the frame is whole"),
    }
}

criterion_group!(benches, framing, polls, large);
criterion_main!(benches);
