//! Bytes to frames, however they were split or joined.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
#![allow(clippy::similar_names, reason = "a framer gives frames")]

use std::num::NonZeroU32;

use bytes::{Bytes, BytesMut};
use iggy_binary_protocol::{RequestFrame, ResponseFrame};
use parallax_codec::classic::{
    Body, Direction, FRAME_HEADER_SIZE, Frame, Framer, encode_reply, encode_request,
    looks_like_reply, looks_like_request,
};
use parallax_codec::limits::{MAX_FRAME_BODY, OVERSIZED_PREFIX};
use parallax_codec::{COMMANDS, code};
use proptest::collection::vec;
use proptest::prelude::*;

const BOTH: [Direction; 2] = [Direction::ToServer, Direction::ToClient];

fn frames_of(framer: &mut Framer, chunks: &[Bytes]) -> Vec<Frame> {
    let mut frames = Vec::new();
    for chunk in chunks {
        framer.push(chunk.clone(), &mut frames);
    }
    frames
}

/// `stream` in pieces; `lengths` is used over and over.
fn split(stream: &Bytes, lengths: &[usize]) -> Vec<Bytes> {
    let mut rest = stream.clone();
    let mut chunks = Vec::new();
    for length in lengths.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        chunks.push(rest.split_to((*length).clamp(1, rest.len())));
    }
    chunks
}

/// What the frames were cut from, if none was oversized.
fn rejoined(direction: Direction, frames: &[Frame]) -> Vec<u8> {
    let mut stream = Vec::new();
    for frame in frames {
        assert_eq!(frame.start, stream.len() as u64);
        stream.extend(frame.header(direction));
        stream.extend(frame.body_bytes());
        assert_eq!(frame.end(), stream.len() as u64);
    }
    stream
}

/// A session as the SDK 0.10 and server 0.8.0 speak it: login, ping, poll, poll
/// again and be refused.
fn session() -> (Bytes, Bytes) {
    let login = b"\x04iggy\x04iggy\x06\0\0\x000.10.0\0\0\0\0";
    let poll = b"\x01\x01\x04\x01\0\0\0\x01\x04\x01\0\0\0\x01\x04\x01\0\0\0\x01\0\0\0\0\
        \x05\0\0\0\0\0\0\0\0\x0a\0\0\0\x01";
    let to_server = [
        encode_request(code::LOGIN_USER, login),
        encode_request(code::PING, b""),
        encode_request(code::POLL_MESSAGES, poll),
        encode_request(code::POLL_MESSAGES, poll),
    ];
    let mut polled = vec![0; 16];
    polled[12] = 1;
    polled.extend([7; 48]);
    polled.extend([0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    polled.extend(b"hello");
    let to_client = [
        encode_reply(0, &[1, 0, 0, 0]),
        encode_reply(0, b""),
        encode_reply(0, &polled),
        encode_reply(4100, b""),
    ];
    (to_server.concat().into(), to_client.concat().into())
}

#[test]
fn a_session_cut_at_any_byte_gives_the_same_frames() {
    let (to_server, to_client) = session();
    for (direction, stream) in BOTH.into_iter().zip([to_server, to_client]) {
        let whole = frames_of(&mut Framer::new(direction), std::slice::from_ref(&stream));
        assert_eq!(whole.len(), 4);
        assert_eq!(rejoined(direction, &whole), stream);
        for cut in 0..=stream.len() {
            let halves = [stream.slice(..cut), stream.slice(cut..)];
            let mut framer = Framer::new(direction);
            assert_eq!(frames_of(&mut framer, &halves), whole, "cut at {cut}");
            assert!(framer.is_between_frames());
        }
        let singly = split(&stream, &[1]);
        assert_eq!(frames_of(&mut Framer::new(direction), &singly), whole);
    }
}

#[test]
fn an_unfinished_frame_says_how_much_of_it_is_here() {
    let request = encode_request(code::CREATE_STREAM, b"\x03abc");
    let mut framer = Framer::new(Direction::ToServer);
    let mut frames = Vec::new();
    assert_eq!(framer.unfinished(), None);
    for here in 1..request.len() {
        framer.push(request.slice(here - 1..here), &mut frames);
        let whole = (here >= FRAME_HEADER_SIZE).then_some(12);
        assert_eq!(framer.unfinished(), Some((here as u64, whole)));
        assert!(!framer.is_between_frames());
    }
    framer.push(request.slice(request.len() - 1..), &mut frames);
    assert_eq!(framer.unfinished(), None);
    assert_eq!(frames.len(), 1);
}

#[test]
fn a_frame_over_the_limit_is_stepped_over_and_the_next_is_intact() {
    for direction in BOTH {
        let (word, long, next) = match direction {
            Direction::ToServer => (
                code::SEND_MESSAGES,
                encode_request(code::SEND_MESSAGES, &[9; 101]),
                encode_request(code::PING, b""),
            ),
            Direction::ToClient => (0, encode_reply(0, &[9; 101]), encode_reply(4100, b"")),
        };
        let stream: Bytes = [&long[..], &next[..]].concat().into();
        for cut in 0..=stream.len() {
            let mut framer = Framer::with_limit(direction, 100);
            let halves = [stream.slice(..cut), stream.slice(cut..)];
            let frames = frames_of(&mut framer, &halves);
            assert_eq!(frames.len(), 2, "cut at {cut}");
            assert_eq!(frames[0].word, word);
            assert_eq!(frames[0].body_length, 101);
            let prefix = Bytes::from(vec![9; 101]);
            assert_eq!(frames[0].body, Body::Oversized { prefix });
            assert_eq!(rejoined(direction, &frames), stream);
        }
    }
}

#[test]
fn a_frame_at_the_limit_is_whole() {
    let mut framer = Framer::with_limit(Direction::ToClient, 100);
    let frames = frames_of(&mut framer, &[encode_reply(0, &[9; 100])]);
    assert_eq!(frames[0].body, Body::Whole(vec![9; 100].into()));
}

#[test]
fn of_a_frame_over_the_default_limit_the_first_bytes_are_kept() {
    let length = MAX_FRAME_BODY + 1;
    let mut framer = Framer::new(Direction::ToClient);
    let mut frames = Vec::new();
    let header = [0, u32::try_from(length).unwrap()].map(u32::to_le_bytes);
    framer.push(header.concat().into(), &mut frames);
    let chunk = Bytes::from(vec![7; 1 << 20]);
    for _ in 0..length / chunk.len() {
        framer.push(chunk.clone(), &mut frames);
    }
    assert_eq!(frames, [], "one byte is still missing");
    framer.push(
        [&[7][..], &encode_reply(0, b"next")].concat().into(),
        &mut frames,
    );
    assert_eq!(frames.len(), 2);
    assert_eq!(frames[0].body_bytes(), vec![7; OVERSIZED_PREFIX]);
    assert_eq!(frames[0].end(), (FRAME_HEADER_SIZE + length) as u64);
    assert_eq!(frames[1].body, Body::Whole(Bytes::from_static(b"next")));
}

/// A length below 4 has no room for the code. Server 0.8.0 takes the 8 bytes for
/// a frame, and so do we.
#[test]
fn a_request_shorter_than_its_code_is_stepped_over() {
    for length in 0..4_u32 {
        let malformed = [length, code::PING].map(u32::to_le_bytes).concat();
        let stream: Bytes = [&malformed[..], &encode_request(code::PING, b"")]
            .concat()
            .into();
        for cut in 0..=stream.len() {
            let mut framer = Framer::new(Direction::ToServer);
            let halves = [stream.slice(..cut), stream.slice(cut..)];
            let frames = frames_of(&mut framer, &halves);
            assert_eq!(frames.len(), 2);
            assert_eq!(frames[0].body, Body::Malformed { length });
            assert_eq!(frames[1].body, Body::Whole(Bytes::new()));
            assert_eq!(rejoined(Direction::ToServer, &frames), stream);
        }
    }
}

#[test]
fn a_framer_that_lost_its_place_starts_anew() {
    let mut framer = Framer::with_limit(Direction::ToServer, 10);
    let mut frames = Vec::new();
    framer.push(Bytes::from(vec![0xff; 100]), &mut frames);
    assert!(!framer.is_between_frames());
    framer.restart_at(1000);
    assert!(framer.is_between_frames());
    framer.push(encode_request(code::PING, b""), &mut frames);
    assert_eq!((frames[0].start, frames[0].word), (1000, code::PING));
}

#[test]
fn the_bytes_of_a_frame_are_not_printed() {
    let login = encode_request(code::LOGIN_USER, b"\x04iggy\x0cPASSWORDWORD");
    let mut framer = Framer::new(Direction::ToServer);
    let mut frames = frames_of(&mut framer, &[login.clone(), login.slice(..20)]);
    let mut short = Framer::with_limit(Direction::ToServer, 4);
    frames.extend(frames_of(&mut short, &[login]));
    let shown = format!("{frames:?}{framer:?}");
    assert!(!shown.contains("PASS"), "{shown}");
    assert!(!shown.contains("iggy"), "{shown}");
}

#[test]
fn first_words_of_requests_look_like_requests_and_others_do_not() {
    for command in COMMANDS {
        let request = encode_request(command.code, &[0; 12]);
        assert!(looks_like_request(&request));
        assert!(!looks_like_request(&request[..7]), "too short to tell");
    }
    assert!(
        !looks_like_request(&encode_request(4711, b"")),
        "no such code"
    );
    let longest = u32::try_from(MAX_FRAME_BODY).unwrap();
    let words = |first: u32, second: u32| [first, second].map(u32::to_le_bytes).concat();
    assert!(looks_like_request(&words(longest, code::PING)));
    assert!(!looks_like_request(&words(longest + 1, code::PING)));
    assert!(!looks_like_request(&words(3, code::PING)));
    assert!(looks_like_reply(&words(0, longest)));
    assert!(!looks_like_reply(&words(0, longest + 1)));
    assert!(looks_like_reply(&words(4100, 0)));
    assert!(!looks_like_reply(&words(4100, 1)), "an error has no body");
    assert!(!looks_like_reply(&words(4711, 0)), "no such error");
}

fn stream(direction: Direction) -> impl Strategy<Value = Bytes> {
    let body = vec(any::<u8>(), 0..60);
    vec((any::<u32>(), body), 0..8).prop_map(move |frames| {
        let frames = frames.iter().map(|(word, body)| match direction {
            Direction::ToServer => encode_request(*word, body),
            Direction::ToClient => encode_reply(*word, body),
        });
        frames.collect::<Vec<_>>().concat().into()
    })
}

proptest! {
    #[test]
    fn frames_are_the_published_crates(word: u32, body in vec(any::<u8>(), 0..200)) {
        let mut theirs = BytesMut::new();
        RequestFrame::encode(word, &body, &mut theirs).unwrap();
        prop_assert_eq!(&encode_request(word, &body)[..], &theirs[..]);
        let (frame, consumed) = RequestFrame::decode(&theirs).unwrap();
        let ours = frames_of(&mut Framer::new(Direction::ToServer), &[theirs.clone().freeze()]);
        prop_assert_eq!((ours[0].word, ours[0].end()), (frame.code, consumed as u64));
        prop_assert_eq!(&ours[0].body_bytes()[..], frame.payload);

        let mut theirs = BytesMut::new();
        ResponseFrame::encode_ok(&body, &mut theirs).unwrap();
        prop_assert_eq!(&encode_reply(0, &body)[..], &theirs[..]);
        let (frame, consumed) = ResponseFrame::decode(&theirs).unwrap();
        let ours = frames_of(&mut Framer::new(Direction::ToClient), &[theirs.clone().freeze()]);
        prop_assert_eq!((ours[0].word, ours[0].end()), (frame.status, consumed as u64));
        prop_assert_eq!(&ours[0].body_bytes()[..], frame.payload);

        if let Some(status) = NonZeroU32::new(word) {
            let mut theirs = BytesMut::new();
            ResponseFrame::encode_error(status, &mut theirs);
            prop_assert_eq!(&encode_reply(word, b"")[..], &theirs[..]);
        }
    }

    #[test]
    fn any_split_gives_the_same_frames(
        requests in stream(Direction::ToServer),
        replies in stream(Direction::ToClient),
        lengths in vec(1_usize..50, 1..10),
        limit in 0_usize..70,
    ) {
        for (direction, stream) in BOTH.into_iter().zip([requests, replies]) {
            let whole = frames_of(
                &mut Framer::with_limit(direction, limit),
                std::slice::from_ref(&stream),
            );
            let mut framer = Framer::with_limit(direction, limit);
            let frames = frames_of(&mut framer, &split(&stream, &lengths));
            prop_assert_eq!(&frames, &whole);
            prop_assert_eq!(rejoined(direction, &frames), stream);
            prop_assert!(framer.is_between_frames());
        }
    }

    #[test]
    fn of_any_bytes_none_is_lost_or_counted_twice(
        stream in vec(prop_oneof![Just(0_u8), any::<u8>()], 0..300).prop_map(Bytes::from),
        lengths in vec(1_usize..50, 1..10),
        limit in 0_usize..70,
    ) {
        for direction in BOTH {
            let mut framer = Framer::with_limit(direction, limit);
            let frames = frames_of(&mut framer, &split(&stream, &lengths));
            let framed = frames.last().map_or(0, Frame::end);
            let (pending, _) = framer.unfinished().unwrap_or((0, None));
            prop_assert_eq!(framed + pending, stream.len() as u64);
        }
    }
}
