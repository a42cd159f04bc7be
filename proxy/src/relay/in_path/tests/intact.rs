//! Whoever only looks alters nothing: any bytes, cut anywhere.

use std::sync::Arc;

use parallax_codec::{Dialect, Direction, code};
use proptest::collection::vec;
use proptest::prelude::*;

use super::script::{Curious, Script, reply, request};
use crate::limits::IN_PATH_GATHERED;

const CODES: [u32; 6] = [
    code::PING,
    code::LOGIN_USER,
    code::GET_CLUSTER_METADATA,
    code::POLL_MESSAGES,
    code::SEND_MESSAGES,
    code::CREATE_STREAM,
];

/// What one side sends, in one piece.
fn frames(dialect: Dialect) -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let frame = (0..CODES.len(), vec(any::<u8>(), 0..400), any::<bool>());
    vec(frame, 0..12).prop_map(move |frames| {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for (number, (index, body, fails)) in (1..).zip(frames) {
            let status = u32::from(fails) * 4100;
            up.extend(request(dialect, CODES[index], number, &body));
            let body = if fails { &[][..] } else { &body };
            down.extend(reply(dialect, CODES[index], number, status, body));
        }
        (up, down)
    })
}

fn anything() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let garbage = || vec(any::<u8>(), 0..600);
    let spoilt = |dialect| {
        (frames(dialect), any::<prop::sample::Index>(), any::<u8>()).prop_map(
            |((mut up, mut down), at, byte)| {
                for stream in [&mut up, &mut down] {
                    if !stream.is_empty() {
                        let at = at.index(stream.len());
                        stream[at] = byte;
                    }
                }
                (up, down)
            },
        )
    };
    prop_oneof![
        3 => frames(Dialect::Classic),
        3 => frames(Dialect::Vsr),
        1 => spoilt(Dialect::Classic),
        1 => spoilt(Dialect::Vsr),
        1 => (garbage(), garbage()),
        1 => (frames(Dialect::Classic), frames(Dialect::Vsr)).prop_map(|(one, other)| (one.0, other.1)),
        1 => (frames(Dialect::Vsr), frames(Dialect::Classic)).prop_map(|(one, other)| (one.0, other.1)),
    ]
}

proptest! {
    #[test]
    fn any_bytes_cut_anywhere_pass_unaltered(
        (up, down) in anything(),
        turns in vec((any::<bool>(), 1..300_usize, any::<bool>()), 0..60),
    ) {
        let mut script = Script::of(vec![Arc::new(Curious)]);
        let (mut sent, mut answered) = (0, 0);
        let last = [(false, up.len(), false), (true, down.len(), false)];
        for (is_reply, count, releases) in turns.into_iter().chain(last) {
            let (direction, stream, done) = if is_reply {
                (Direction::ToClient, &down, &mut answered)
            } else {
                (Direction::ToServer, &up, &mut sent)
            };
            let end = (*done + count).min(stream.len());
            if *done < end {
                script.send(direction, &stream[*done..end]);
            }
            *done = end;
            if releases {
                let held = script.conversation.holds_request();
                script.release();
                prop_assert!(!held || script.to_server.len() <= sent);
            }
            prop_assert_eq!(&script.to_server[..], &up[..script.to_server.len()]);
            prop_assert_eq!(&script.to_client[..], &down[..script.to_client.len()]);
        }
        script.end();
        prop_assert_eq!(&script.to_server, &up);
        prop_assert_eq!(&script.to_client, &down);
        prop_assert!(script.others.is_empty());
    }
}

#[test]
fn a_body_longer_than_is_gathered_streams() {
    for dialect in [Dialect::Classic, Dialect::Vsr] {
        let body = vec![7; IN_PATH_GATHERED + 1];
        let long = request(dialect, code::SEND_MESSAGES, 1, &body);
        let mut script = Script::of(vec![Arc::new(Curious)]);
        for chunk in long.chunks(10_000) {
            let before = script.to_server.len();
            script.send(Direction::ToServer, chunk);
            let held = before + chunk.len() - script.to_server.len();
            assert_eq!(held, 0, "{dialect:?}");
        }
        assert_eq!(script.to_server, long);
        assert_eq!(script.conversation.too_long, 1);
    }
}

#[test]
fn a_body_as_long_as_is_gathered_is() {
    let body = vec![7; IN_PATH_GATHERED];
    let long = request(Dialect::Classic, code::SEND_MESSAGES, 1, &body);
    let mut script = Script::of(vec![Arc::new(Curious)]);
    script.send(Direction::ToServer, &long[..long.len() - 1]);
    assert!(script.to_server.is_empty());
    script.send(Direction::ToServer, &long[long.len() - 1..]);
    assert_eq!(script.to_server, long);
    assert_eq!(script.conversation.too_long, 0);
}

#[test]
fn the_first_bytes_of_a_request_are_not_held_for_ever() {
    let ping = request(Dialect::Classic, code::PING, 1, &[]);
    let mut script = Script::of(vec![Arc::new(Curious)]);
    script.send(Direction::ToServer, &ping);
    script.send(Direction::ToServer, &ping[..3]);
    assert!(script.conversation.holds_request());
    assert_eq!(script.to_server.len(), ping.len());
    script.release();
    assert_eq!(script.to_server.len(), ping.len() + 3);
    script.send(Direction::ToServer, &ping[3..]);
    assert_eq!(script.to_server, [&ping[..], &ping[..]].concat());
}

#[test]
fn bytes_that_are_no_frames_pass_and_it_is_said() {
    for (up, down) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], &b"HTTP/1.1 200 OK\r\n"[..]),
        (b"", b"the server speaks first"),
    ] {
        let mut script = Script::of(vec![Arc::new(Curious)]);
        for (direction, bytes) in [(Direction::ToServer, up), (Direction::ToClient, down)] {
            if !bytes.is_empty() {
                script.send(direction, bytes);
            }
        }
        assert_eq!(script.to_server, up);
        assert_eq!(script.to_client, down);
        assert!(script.conversation.take_unread().is_some());
    }
}

#[test]
fn more_requests_than_are_kept_without_a_reply_pass() {
    let ping = request(Dialect::Classic, code::PING, 1, &[]);
    let many = ping.repeat(crate::limits::OPEN_REQUESTS + 10);
    let mut script = Script::of(vec![Arc::new(Curious)]);
    script.send(Direction::ToServer, &many);
    assert_eq!(script.to_server, many);
    assert!(script.conversation.take_unread().is_some());
}
