//! Exchanges to the journal, and to what they show.

use std::iter::Take;
use std::sync::Arc;
use std::vec::IntoIter;

use parallax_captures::{Connection, Exchange, Journal};
use parallax_codec::{Dialect, Direction, code};
use parallax_proxy::analyst::Analyst;
use parallax_proxy::session::{Session, SessionEvent};

use crate::case::{Case, Prepared};
use crate::frames::{poll, polled, reply, request};
use crate::recorded;

const TIMES: u64 = 400;

/// Of each reply.
const MESSAGES: u32 = 10;

/// So many that the journal is full when the counting begins.
const KEPT: usize = 200;

type Taken<'a> = Take<&'a mut IntoIter<Arc<Exchange>>>;

pub(crate) fn cases() -> Vec<Case> {
    [
        Case::in_both("analysing: a poll, the journal alone", |dialect| {
            let journal = journal();
            fed(polls(dialect), move |exchanges| {
                for exchange in exchanges {
                    journal.record(exchange);
                }
            })
        }),
        Case::in_both("analysing: a poll", |dialect| {
            let analyst = Analyst::new(journal());
            fed(polls(dialect), move |exchanges| {
                for exchange in exchanges {
                    analyst.record(exchange);
                }
                // That polls commit is told with the first.
                let findings = analyst.journal().findings();
                let told: u64 = findings.iter().map(|finding| finding.count).sum();
                assert_eq!(told, 1, "{findings:?}");
            })
        }),
        Case::in_both("analysing: an exchange of what was recorded", |dialect| {
            let analyst = Analyst::new(journal());
            fed(twice_recorded(dialect), move |exchanges| {
                for exchange in exchanges {
                    analyst.record(exchange);
                }
            })
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn journal() -> Arc<Journal> {
    let journal = Journal::with_limits(KEPT, usize::MAX);
    let client = ([10, 0, 0, 7], 40_000).into();
    let server = ([10, 0, 0, 1], 8090).into();
    let connection = Connection::opened(recorded::CONNECTION, client, server, recorded::at(0));
    journal.open_connection(connection);
    Arc::new(journal)
}

/// Takes half of these the first time, and the others the second.
fn fed(exchanges: Vec<Arc<Exchange>>, record: impl Fn(Taken<'_>) + 'static) -> Prepared {
    let half = exchanges.len() / 2;
    let mut exchanges = exchanges.into_iter();
    Prepared::new(half as u64, move || {
        record(exchanges.by_ref().take(half));
    })
}

/// A consumer that goes on from where it was, a poll a second.
fn polls(dialect: Dialect) -> Vec<Arc<Exchange>> {
    let asked = request(dialect, &poll(MESSAGES));
    let mut session = Session::new(recorded::CONNECTION, false);
    let mut events = Vec::new();
    for number in 0..2 * TIMES {
        let first = number * u64::from(MESSAGES);
        let body = polled(dialect, first, MESSAGES, 100);
        let answer = reply(dialect, code::POLL_MESSAGES, &body);
        let time = recorded::at(i64::try_from(number).unwrap());
        session.bytes(Direction::ToServer, time, asked.clone(), &mut events);
        session.bytes(Direction::ToClient, time, answer, &mut events);
    }
    only_exchanges(events)
}

/// Everything that was recorded, twice.
fn twice_recorded(dialect: Dialect) -> Vec<Arc<Exchange>> {
    let mut events = Vec::new();
    for _ in 0..2 {
        for chunks in recorded::conversations(dialect) {
            let mut session = Session::new(recorded::CONNECTION, false);
            for (time, direction, bytes) in chunks {
                session.bytes(direction, time, bytes, &mut events);
            }
            session.closed(&mut events);
        }
    }
    only_exchanges(events)
}

fn only_exchanges(events: Vec<SessionEvent>) -> Vec<Arc<Exchange>> {
    let exchange = |event| match event {
        SessionEvent::Exchange(exchange) => Some(exchange),
        _ => None,
    };
    events.into_iter().filter_map(exchange).collect()
}
