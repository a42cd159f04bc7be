//! What was done in the path is told of the exchange to which it was done.

use bytes::Bytes;
use parallax_captures::ServerAnswer;
use parallax_codec::Direction::{ToClient, ToServer};
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::code;

use super::script::Script;
use crate::relay::Note;
use crate::relay::in_path::{Mark, MarkKind};

fn ping() -> Bytes {
    encode_request(code::PING, &[])
}

fn decided(at: u64) -> Note {
    let mark = Mark {
        kind: MarkKind::Injected,
        what: "ping drop".to_owned(),
    };
    Note::Decided {
        at,
        marks: vec![mark],
        answered_otherwise: false,
    }
}

fn dropped(at: u64) -> Note {
    Note::Withheld {
        at,
        marks: Vec::new(),
        status: Some(0),
        body_length: 6,
        dropped: true,
    }
}

#[test]
fn a_dropped_reply_is_that_of_its_request_and_the_next_reply_of_the_next() {
    let length = ping().len() as u64;
    let mut script = Script::new().sends(ToServer, ping());
    script.session.altered(decided(length), &mut script.events);
    let mut script = script
        .sends(ToServer, [ping(), ping()].concat())
        .sends(ToClient, encode_reply(0, &[]));
    script.session.altered(dropped(length), &mut script.events);
    let script = script.sends(ToClient, encode_reply(3, &[]));
    let told: Vec<_> = script
        .exchanges()
        .into_iter()
        .map(|one| {
            (
                one.status(),
                one.injected().is_some(),
                one.hides_the_server(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (Some(0), false, false),
            (None, true, true),
            (Some(3), false, false)
        ]
    );
    let answer = ServerAnswer {
        status: Some(0),
        body_length: 6,
    };
    assert_eq!(script.exchanges()[1].server_answer(), Some(answer));
}

#[test]
fn what_was_done_to_a_request_that_passed_unseen_is_forgotten() {
    let mut script = Script::new().sends(ToServer, ping());
    for at in 1..8 {
        script.session.altered(decided(at), &mut script.events);
    }
    let script = script
        .sends(ToClient, encode_reply(0, &[]))
        .sends(ToServer, ping())
        .sends(ToClient, encode_reply(0, &[]));
    assert!(
        script
            .exchanges()
            .iter()
            .all(|one| one.injected().is_none())
    );
}
