//! Observed bytes to exchanges.

use std::hint::black_box;

use parallax_codec::{Dialect, Direction, code};
use parallax_proxy::session::{Session, SessionEvent};

use crate::case::{Case, Prepared};
use crate::frames::{poll, polled, reply, request};
use crate::recorded;

const TIMES: u64 = 1000;

pub(crate) fn cases() -> Vec<Case> {
    [
        Case::in_both("pairing: a poll of 1 message and its reply", |dialect| {
            in_lockstep(dialect, 1)
        }),
        Case::in_both("pairing: a poll of 100 messages and its reply", |dialect| {
            in_lockstep(dialect, 100)
        }),
        Case::in_both("pairing: an exchange of what was recorded", recorded),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// On one connection, each in its chunk; what is done once for a connection is over.
fn in_lockstep(dialect: Dialect, messages: u32) -> Prepared {
    let asked = request(dialect, &poll(messages));
    let body = polled(dialect, 0, messages, 100);
    let answer = reply(dialect, code::POLL_MESSAGES, &body);
    let mut session = Session::new(recorded::CONNECTION, false);
    Prepared::new(TIMES, move || {
        let mut exchanges = 0;
        for second in 0..i64::try_from(TIMES).unwrap() {
            let time = recorded::at(second);
            let mut events = Vec::new();
            session.bytes(Direction::ToServer, time, asked.clone(), &mut events);
            session.bytes(Direction::ToClient, time, answer.clone(), &mut events);
            exchanges += count(&events);
            black_box(events);
        }
        assert_eq!(exchanges, TIMES);
    })
}

/// Every command that the recorded clients sent, logins among them.
fn recorded(dialect: Dialect) -> Prepared {
    let conversations = recorded::conversations(dialect);
    let all = move || {
        let mut exchanges = 0;
        for chunks in &conversations {
            let mut session = Session::new(recorded::CONNECTION, false);
            let mut events = Vec::new();
            for (time, direction, bytes) in chunks {
                session.bytes(*direction, *time, bytes.clone(), &mut events);
            }
            session.closed(&mut events);
            exchanges += count(&events);
            black_box(events);
        }
        exchanges
    };
    let exchanges = all();
    Prepared::new(exchanges, move || assert_eq!(all(), exchanges))
}

fn count(events: &[SessionEvent]) -> u64 {
    let is_exchange = |event: &&SessionEvent| matches!(event, SessionEvent::Exchange(_));
    events.iter().filter(is_exchange).count() as u64
}
