//! A clock that is set while bytes pass: times are what the clock said, and nothing is
//! made of them that cannot be.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::{ConnectionId, Exchange, Journal};
use parallax_codec::Direction;
use parallax_proxy::analyst::Analyst;
use parallax_proxy::session::{Session, SessionEvent};

use crate::{PONG, ping};

/// A ping whose reply comes when the clock says so.
fn exchange(request: Timestamp, reply: Timestamp) -> Arc<Exchange> {
    let mut session = Session::new(ConnectionId(1), false);
    let mut events = Vec::new();
    session.bytes(Direction::ToServer, request, ping().into(), &mut events);
    session.bytes(
        Direction::ToClient,
        reply,
        PONG.to_vec().into(),
        &mut events,
    );
    session.closed(&mut events);
    let exchanges = events.into_iter().filter_map(|event| match event {
        SessionEvent::Exchange(exchange) => Some(exchange),
        _ => None,
    });
    let exchanges: Vec<_> = exchanges.collect();
    let [exchange] = exchanges.as_slice() else {
        panic!("{exchanges:?}");
    };
    Arc::clone(exchange)
}

#[test]
fn a_clock_that_is_set_back_makes_no_negative_latency_and_loses_nothing() {
    let journal = Arc::new(Journal::new());
    let analyst = Analyst::new(Arc::clone(&journal));
    let noon: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
    let hour = SignedDuration::from_hours(1);
    let steps = [
        (noon, noon - hour),
        (noon - hour, noon - hour + SignedDuration::from_millis(3)),
        (noon, noon + hour),
    ];
    let expected = [
        Duration::ZERO,
        Duration::from_millis(3),
        Duration::from_hours(1),
    ];
    for ((request, reply), latency) in steps.into_iter().zip(expected) {
        let exchange = exchange(request, reply);
        assert_eq!(exchange.latency(), Some(latency));
        assert_eq!(exchange.status(), Some(0));
        analyst.record(exchange);
        analyst.settle(reply);
        analyst.settle(reply - hour);
    }
    analyst.finish();
    // In the order in which they passed, each with the times that the clock had.
    let times: Vec<_> = journal
        .exchanges()
        .iter()
        .map(|it| it.times.request_first)
        .collect();
    assert_eq!(times, [noon, noon - hour, noon]);
    assert!(journal.findings().is_empty(), "{:?}", journal.findings());
}
