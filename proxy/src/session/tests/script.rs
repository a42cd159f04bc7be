//! A conversation, one send a second.

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::{ConnectionId, Exchange};
use parallax_codec::Direction;

use crate::session::{Session, SessionEvent};

/// What each side sends, and what came of it.
pub(super) struct Script {
    pub(super) session: Session,
    second: i64,
    pub(super) events: Vec<SessionEvent>,
}

impl Script {
    pub(super) fn new() -> Self {
        Self::of(Session::new(ConnectionId(1), false))
    }

    pub(super) fn mid_stream() -> Self {
        Self::of(Session::new(ConnectionId(1), true))
    }

    pub(super) fn gathering(most: usize) -> Self {
        Self::of(Session::gathering(ConnectionId(1), false, most))
    }

    fn of(session: Session) -> Self {
        Self {
            session,
            second: 0,
            events: Vec::new(),
        }
    }

    /// Each send is one second after the one before.
    pub(super) fn sends(mut self, direction: Direction, bytes: impl Into<Bytes>) -> Self {
        self.second += 1;
        let time = at(self.second);
        self.session
            .bytes(direction, time, bytes.into(), &mut self.events);
        self
    }

    pub(super) fn loses(mut self, direction: Direction, count: u64) -> Self {
        self.session.lost(direction, count, &mut self.events);
        self
    }

    pub(super) fn closes(mut self) -> Self {
        self.session.closed(&mut self.events);
        self
    }

    pub(super) fn exchanges(&self) -> Vec<&Exchange> {
        let mut exchanges = Vec::new();
        for event in &self.events {
            if let SessionEvent::Exchange(exchange) = event {
                exchanges.push(&**exchange);
            }
        }
        exchanges
    }

    /// Command and status of each exchange.
    pub(super) fn summary(&self) -> Vec<(String, Option<u32>)> {
        let pair = |exchange: &Exchange| (exchange.command().into_owned(), exchange.status());
        self.exchanges().into_iter().map(pair).collect()
    }

    pub(super) fn undecoded(&self) -> Option<String> {
        self.events.iter().find_map(|event| match event {
            SessionEvent::Undecoded(undecoded) => Some(undecoded.to_string()),
            _ => None,
        })
    }
}

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}
