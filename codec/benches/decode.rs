//! Framing and decoding beside `iggy_binary_protocol`, in one run: the same bytes,
//! the same question.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::similar_names, reason = "a framer gives frames")]

use std::hint::black_box;

use bytes::{BufMut as _, Bytes, BytesMut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use iggy_binary_protocol::responses::messages::poll_messages::PollMessagesResponse as Classic;
use iggy_binary_protocol::{RequestFrame, ResponseFrame};
use iggy_binary_protocol_11::responses::messages::poll_messages::PollMessagesResponse as Vsr;
use parallax_codec::commands::PolledMessages;
use parallax_codec::messages::{
    Batch, HeaderLayout, Message, MessageHeader, MessageLayout, MessageViews,
};
use parallax_codec::vsr::{HEADER_SIZE, ReplyHeader, RequestHeader};
use parallax_codec::{Dialect, Direction, Encode as _, classic, code, vsr};

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
        use iggy_binary_protocol_11::consensus::{RequestHeader as Theirs, read_size_field};
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
                let header = bytemuck::checked::from_bytes::<Theirs>(&header.0);
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
        walk(&mut group, &body, &batches);
        group.bench_function("classic, ours, kept", |b| {
            b.iter(|| PolledMessages::decode_leniently(Dialect::Classic, black_box(&body)));
        });
        // What their client makes of it, messages that outlive the reply.
        group.bench_function("classic, theirs, kept", |b| {
            b.iter(|| {
                let reply = Classic::decode(black_box(&body)).unwrap();
                let kept: Vec<_> = reply
                    .messages
                    .map(|view| {
                        let view = view.unwrap();
                        let payload = Bytes::copy_from_slice(view.payload());
                        let headers = Bytes::copy_from_slice(view.user_headers());
                        (view.id(), view.offset(), view.timestamp(), payload, headers)
                    })
                    .collect();
                kept
            });
        });
        group.bench_function("vsr, ours, kept", |b| {
            b.iter(|| PolledMessages::decode_leniently(Dialect::Vsr, black_box(&batches)));
        });
        group.bench_function("vsr, theirs, kept", |b| {
            b.iter(|| {
                let reply = Vsr::decode(black_box(&batches)).unwrap();
                let kept: Vec<_> = reply
                    .messages
                    .map(|view| {
                        let view = view.unwrap();
                        let payload = Bytes::copy_from_slice(view.payload);
                        let headers = Bytes::copy_from_slice(view.user_headers);
                        (view.id, view.offset, view.timestamp, payload, headers)
                    })
                    .collect();
                kept
            });
        });
        group.finish();
    }
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// Every message looked at where it stands.
fn walk(group: &mut Group<'_>, body: &Bytes, batches: &Bytes) {
    group.bench_function("classic, ours, walked", |b| {
        b.iter(|| {
            let views = MessageViews::new(HeaderLayout::Headers64, &black_box(body)[16..]);
            views
                .map(|view| view.header.offset + view.payload.len() as u64)
                .sum::<u64>()
        });
    });
    group.bench_function("classic, theirs, walked", |b| {
        b.iter(|| {
            let reply = Classic::decode(black_box(body)).unwrap();
            let views = reply.messages.map(Result::unwrap);
            views
                .map(|view| view.offset() + view.payload().len() as u64)
                .sum::<u64>()
        });
    });
    group.bench_function("vsr, ours, walked", |b| {
        b.iter(|| {
            let views = MessageViews::new(HeaderLayout::Batches, &black_box(batches)[16..]);
            views
                .map(|view| view.header.offset + view.payload.len() as u64)
                .sum::<u64>()
        });
    });
    group.bench_function("vsr, theirs, walked", |b| {
        b.iter(|| {
            let reply = Vsr::decode(black_box(batches)).unwrap();
            let views = reply.messages.map(Result::unwrap);
            views
                .map(|view| view.offset + view.payload.len() as u64)
                .sum::<u64>()
        });
    });
}

/// Framing and walking over a reply of 1 MiB, no payload copied.
fn large(c: &mut Criterion) {
    let body = reply(Dialect::Classic, messages(16, 64 * 1024));
    let frame = classic::encode_reply(0, &body);
    let batches = reply(Dialect::Vsr, messages(16, 64 * 1024));
    let header = ReplyHeader::to(
        &RequestHeader::new(code::POLL_MESSAGES, &[]),
        0,
        batches.len(),
    );
    let batched = header.frame(&batches);
    let mut group = c.benchmark_group("frame and walk 1 MiB");
    group.bench_function("classic, ours", |b| {
        let mut frames = Vec::new();
        b.iter(|| {
            frames.clear();
            let mut framer = classic::Framer::new(Direction::ToClient);
            framer.push(black_box(&frame).clone(), &mut frames);
            let body = frames[0].body_bytes();
            MessageViews::new(HeaderLayout::Headers64, &body[16..]).count()
        });
    });
    group.bench_function("classic, theirs", |b| {
        b.iter(|| {
            let (reply, _) = ResponseFrame::decode(black_box(&frame)).unwrap();
            Classic::decode(reply.payload).unwrap().messages.count()
        });
    });
    group.bench_function("vsr, ours", |b| {
        let mut frames = Vec::new();
        b.iter(|| {
            frames.clear();
            vsr::Framer::new().push(black_box(&batched).clone(), &mut frames);
            let body = frames[0].body_bytes();
            MessageViews::new(HeaderLayout::Batches, &body[16..]).count()
        });
    });
    group.bench_function("vsr, theirs", |b| {
        b.iter(|| {
            Vsr::decode(&black_box(&batched)[HEADER_SIZE..])
                .unwrap()
                .messages
                .count()
        });
    });
    group.finish();
}

criterion_group!(benches, framing, polls, large);
criterion_main!(benches);
