//! What is decided happens, to the frames that it is about and to no others.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parallax_codec::vsr::{EvictionHeader, EvictionReason};
use parallax_codec::{Dialect, Direction, Encode as _, code};

use super::script::{On, Script, reply, request};
use crate::relay::in_path::steps::Step;
use crate::relay::in_path::{
    Decision, Interceptor, Interest, Mark, MarkKind, Note, RequestFrame, Rewrite, Rewritten,
    ToClient, ToServer,
};

const BOTH: [Dialect; 2] = [Dialect::Classic, Dialect::Vsr];
const POLL: u32 = code::POLL_MESSAGES;
const PING: u32 = code::PING;

fn on_poll(
    interest: Interest,
    decide: impl Fn(&RequestFrame) -> Decision + Send + Sync + 'static,
) -> Vec<Arc<dyn Interceptor>> {
    vec![Arc::new(On(POLL, interest, decide))]
}

fn mark(what: &str) -> Mark {
    Mark {
        kind: MarkKind::Injected,
        what: what.to_owned(),
    }
}

/// Three requests, the one in the middle a poll: what is sent, and what a server answers.
struct Three {
    up: Vec<Bytes>,
    down: Vec<Bytes>,
}

impl Three {
    /// That the client does not get the second reply as it was, which the server gave.
    fn withheld(&self, dropped: bool) -> Note {
        Note::Withheld {
            at: self.up[0].len() as u64,
            marks: Vec::new(),
            status: Some(0),
            body_length: 6,
            dropped,
        }
    }

    fn of(dialect: Dialect) -> Self {
        let codes = [PING, POLL, PING];
        let asked = |(number, code)| request(dialect, code, number, b"question");
        let answered = |(number, code)| reply(dialect, code, number, 0, b"answer");
        Self {
            up: (1..).zip(codes).map(asked).collect(),
            down: (1..).zip(codes).map(answered).collect(),
        }
    }

    /// All requests in one piece, then all replies to what the server got.
    fn play(&self, script: &mut Script, answers: &[usize], size: usize) {
        for chunk in self.up.concat().chunks(size) {
            script.send(Direction::ToServer, chunk);
        }
        let down: Vec<_> = answers.iter().map(|index| &self.down[*index][..]).collect();
        for chunk in down.concat().chunks(size) {
            script.send(Direction::ToClient, chunk);
        }
    }
}

#[test]
fn an_answer_of_parallaxs_own_comes_in_its_turn_and_the_server_hears_nothing() {
    for dialect in BOTH {
        for size in [1, 7, 300, 10_000] {
            let three = Three::of(dialect);
            let own = reply(dialect, POLL, 2, 4100, &[]);
            let given = own.clone();
            let mut script = Script::of(on_poll(Interest::Header, move |_| Decision {
                marks: vec![mark("error")],
                to_server: ToServer::Answer(given.clone()),
                ..Decision::default()
            }));
            three.play(&mut script, &[0, 2], size);
            assert_eq!(script.to_server, [&three.up[0][..], &three.up[2]].concat());
            let expected = [&three.down[0][..], &own, &three.down[2]].concat();
            assert_eq!(script.to_client, expected, "{dialect:?}, {size}");
            let decided = Note::Decided {
                at: three.up[0].len() as u64,
                marks: vec![mark("error")],
                answered_otherwise: true,
            };
            assert_eq!(script.others, [Step::Tell(decided)]);
        }
    }
}

#[test]
fn an_answer_of_parallaxs_own_waits_for_nobody_where_nothing_is_open() {
    let own = reply(Dialect::Classic, POLL, 1, 4100, &[]);
    let given = own.clone();
    let mut script = Script::of(on_poll(Interest::Header, move |_| Decision {
        to_server: ToServer::Answer(given.clone()),
        ..Decision::default()
    }));
    script.send(
        Direction::ToServer,
        &request(Dialect::Classic, POLL, 1, b"question"),
    );
    assert!(script.to_server.is_empty());
    assert_eq!(script.to_client, own);
}

#[test]
fn another_request_goes_to_the_server_and_its_reply_to_the_client() {
    for dialect in BOTH {
        for interest in [Interest::Header, Interest::Whole] {
            let three = Three::of(dialect);
            let other = request(dialect, POLL, 2, b"another, longer question");
            let sent = other.clone();
            let mut script = Script::of(on_poll(interest, move |_| Decision {
                to_server: ToServer::Replace(sent.clone()),
                ..Decision::default()
            }));
            three.play(&mut script, &[0, 1, 2], 50);
            let expected = [&three.up[0][..], &other, &three.up[2]].concat();
            assert_eq!(script.to_server, expected);
            assert_eq!(script.to_client, three.down.concat());
        }
    }
}

#[test]
fn a_dropped_reply_is_told_with_what_the_server_had_answered() {
    for dialect in BOTH {
        let three = Three::of(dialect);
        let mut script = Script::of(on_poll(Interest::Header, |_| Decision {
            marks: vec![mark("drop")],
            to_client: ToClient::Drop,
            ..Decision::default()
        }));
        three.play(&mut script, &[0, 1, 2], 33);
        assert_eq!(script.to_server, three.up.concat());
        assert_eq!(
            script.to_client,
            [&three.down[0][..], &three.down[2]].concat()
        );
        assert_eq!(script.others[1..], [Step::Tell(three.withheld(true))]);
    }
}

#[test]
fn a_connection_is_cut_after_so_many_bytes_of_a_reply() {
    for dialect in BOTH {
        let length = Three::of(dialect).down[1].len() as u64;
        for count in [0, 1, 8, 10, length - 1, length, length + 5] {
            for size in [1, 9, 10_000] {
                let three = Three::of(dialect);
                let mut script = Script::of(on_poll(Interest::Header, move |_| Decision {
                    to_client: ToClient::CutAfter(count),
                    ..Decision::default()
                }));
                three.play(&mut script, &[0, 1], size);
                let passed = usize::try_from(count.min(length)).unwrap();
                let expected = [&three.down[0][..], &three.down[1][..passed]].concat();
                assert_eq!(script.to_client, expected, "{dialect:?} {count} {size}");
                // What the server answered is told, for the client does not get it.
                assert_eq!(
                    script.others,
                    [Step::Tell(three.withheld(false)), Step::Cut]
                );
            }
        }
    }
}

#[test]
fn a_reply_is_held_back_and_those_behind_it_with_it() {
    let mut script = Script::of(on_poll(Interest::Header, |_| Decision {
        delay: Duration::from_secs(3),
        ..Decision::default()
    }));
    let three = Three::of(Dialect::Classic);
    script.send(Direction::ToServer, &three.up.concat());
    let steps = script.conversation.replies(three.down.concat().into());
    assert_eq!(
        steps,
        [
            Step::Write(three.down[0].clone()),
            Step::Wait(Duration::from_secs(3)),
            Step::Write(three.down[1..].concat().into()),
        ]
    );
}

/// Puts `with` in the place of a reply's body.
fn replace(needs: usize, with: &'static [u8]) -> Decision {
    let rewrite = Rewrite {
        needs,
        with: Box::new(move |reply| {
            (reply.body.len() >= needs).then(|| Rewritten {
                frame: reply.with_body(with),
                mark: mark("body"),
            })
        }),
    };
    Decision {
        rewrites: vec![rewrite],
        ..Decision::default()
    }
}

#[test]
fn a_reply_is_rewritten_from_as_much_of_it_as_has_to_be_seen() {
    for dialect in BOTH {
        for needs in [0, 1, 3, 6] {
            for size in [1, 5, 10_000] {
                let three = Three::of(dialect);
                let mut script =
                    Script::of(on_poll(Interest::Whole, move |_| replace(needs, b"other")));
                three.play(&mut script, &[0, 1, 2], size);
                let other = reply(dialect, POLL, 2, 0, b"other");
                let expected = [&three.down[0][..], &other, &three.down[2]].concat();
                assert_eq!(script.to_client, expected, "{dialect:?} {needs} {size}");
                let withheld = Note::Withheld {
                    at: three.up[0].len() as u64,
                    marks: vec![mark("body")],
                    status: Some(0),
                    body_length: 6,
                    dropped: false,
                };
                assert_eq!(script.others, [Step::Tell(withheld)]);
            }
        }
    }
}

#[test]
fn a_reply_too_long_to_be_rewritten_streams() {
    let body = vec![1; crate::limits::IN_PATH_GATHERED + 1];
    let mut script = Script::of(on_poll(Interest::Whole, |_| replace(usize::MAX, b"other")));
    script.send(
        Direction::ToServer,
        &request(Dialect::Classic, POLL, 1, b"question"),
    );
    let long = reply(Dialect::Classic, POLL, 1, 0, &body);
    for chunk in long.chunks(100_000) {
        script.send(Direction::ToClient, chunk);
    }
    assert_eq!(script.to_client, long);
    assert!(script.others.is_empty());
    assert_eq!(script.conversation.too_long, 1);
}

#[test]
fn of_several_the_later_sees_what_the_earlier_made() {
    let mut interceptors = on_poll(Interest::Whole, |_| replace(6, b"other"));
    interceptors.extend(on_poll(Interest::Header, |_| Decision {
        to_client: ToClient::CutAfter(10),
        ..replace(0, b"a third")
    }));
    let mut script = Script::of(interceptors);
    let three = Three::of(Dialect::Classic);
    three.play(&mut script, &[0, 1], 10_000);
    let third = reply(Dialect::Classic, POLL, 2, 0, b"a third");
    let expected = [&three.down[0][..], &third[..10]].concat();
    assert_eq!(script.to_client, expected);
}

#[test]
fn an_eviction_that_nobody_asked_for_moves_no_reply() {
    let three = Three::of(Dialect::Vsr);
    let eviction = EvictionHeader::new(0, EvictionReason::STALE_CLIENT).encode();
    let mut script = Script::of(on_poll(Interest::Header, |_| Decision {
        to_client: ToClient::Drop,
        ..Decision::default()
    }));
    script.send(Direction::ToServer, &three.up.concat());
    for frame in [&three.down[0], &eviction, &three.down[1], &three.down[2]] {
        script.send(Direction::ToClient, frame);
    }
    let expected = [&three.down[0][..], &eviction, &three.down[2]].concat();
    assert_eq!(script.to_client, expected);
}

#[test]
fn replies_out_of_order_are_told_apart_by_their_numbers() {
    let three = Three::of(Dialect::Vsr);
    let mut script = Script::of(on_poll(Interest::Header, |_| Decision {
        to_client: ToClient::Drop,
        ..Decision::default()
    }));
    three.play(&mut script, &[2, 1, 0], 10_000);
    let expected = [&three.down[2][..], &three.down[0]].concat();
    assert_eq!(script.to_client, expected);
}
