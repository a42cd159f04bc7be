//! PX507: the server closed on a client that waited, and nobody came back (case E6).

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::catalog::NO_RECONNECT;
use parallax_captures::{ConnectionId, Finding};

use super::connections::Known;
use super::event::ConnectionEvent;
use crate::bounded::Bounded;
use crate::limits::{CONNECTIONS_KNOWN, RECONNECTS_WITHIN};

/// Clients that the server closed on.
#[derive(Debug)]
pub(super) struct NoReturn {
    left: Bounded<ConnectionId, Option<Left>>,
}

#[derive(Debug)]
struct Left {
    conn: ConnectionId,
    client: IpAddr,
    time: Timestamp,
    waiting: u64,
    last: Option<u64>,
}

impl Default for NoReturn {
    fn default() -> Self {
        Self {
            left: Bounded::new(CONNECTIONS_KNOWN),
        }
    }
}

impl NoReturn {
    /// The server has ended a connection with requests open.
    pub(super) fn left_waiting(&mut self, event: &ConnectionEvent, waiting: u64, known: &Known) {
        let Some((client, ..)) = known.opened else {
            return;
        };
        if waiting > 0 {
            let left = Left {
                conn: event.conn,
                client: client.ip(),
                time: event.time,
                waiting,
                last: known.last,
            };
            *self.left.entry(&event.conn) = Some(left);
        }
    }

    /// A client has connected. Which of several at one address it is nobody knows.
    pub(super) fn came(&mut self, client: IpAddr) {
        let is_other = |left: &Left| left.client != client;
        self.left
            .retain(|_, left| left.as_ref().is_some_and(is_other));
    }

    pub(super) fn settle(&mut self, now: Timestamp) -> Vec<Finding> {
        let most = SignedDuration::try_from(RECONNECTS_WITHIN).unwrap_or(SignedDuration::MAX);
        let is_due = |left: &&mut Option<Left>| {
            let since = left.as_ref().map(|left| now.duration_since(left.time));
            since.is_some_and(|since| since >= most)
        };
        let due = self.left.values_mut().filter(is_due);
        let mut found: Vec<Finding> = due.filter_map(Option::take).map(Left::finding).collect();
        if !found.is_empty() {
            self.left.retain(|_, left| left.is_some());
            found.sort_by_key(|finding| finding.first);
        }
        found
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.left.forgotten()
    }
}

impl Left {
    fn finding(self) -> Finding {
        let noun = if self.waiting == 1 {
            "request"
        } else {
            "requests"
        };
        let evidence = vec![format!(
            "the server ended connection {} at {} with {} {noun} unanswered, and for {} s no \
             connection came from {}",
            self.conn,
            self.time.strftime("%H:%M:%S%.3f UTC"),
            self.waiting,
            RECONNECTS_WITHIN.as_secs(),
            self.client
        )];
        let place = format!("client {}", self.client);
        let n = self.last.unwrap_or_default();
        let mut finding = Finding::new(NO_RECONNECT, place, n, self.time, evidence);
        // The exchange that was open is told when the client ends the connection.
        finding.exchanges = self.last.into_iter().collect();
        finding
    }
}
