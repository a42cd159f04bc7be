//! PX505: messages that were sent once more, on a new connection, because the answer
//! to the first did not come (case E8).

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::Timestamp;
use parallax_captures::catalog::DUPLICATE_SEND;
use parallax_captures::{ConnectionId, Exchange, Finding};
use parallax_codec::Request;
use parallax_codec::commands::SendMessages;

use super::event::ConnectionEvent;
use crate::bounded::Bounded;
use crate::findings::wire::frames::request_body;
use crate::limits::SENDS_UNANSWERED;

/// Sends without a reply, by a hash of their bodies.
#[derive(Debug)]
pub(super) struct Duplicates {
    unanswered: Bounded<u64, Option<Unanswered>>,
}

#[derive(Debug)]
struct Unanswered {
    n: u64,
    conn: ConnectionId,
    time: Timestamp,
    /// When its connection was over.
    closed: Option<Timestamp>,
}

impl Default for Duplicates {
    fn default() -> Self {
        Self {
            unanswered: Bounded::new(SENDS_UNANSWERED),
        }
    }
}

impl Duplicates {
    pub(super) fn finding(&mut self, exchange: &Exchange) -> Option<Finding> {
        let content = exchange.binary()?;
        let Some(Request::SendMessages(request)) = &content.request else {
            return None;
        };
        // That the reply was not seen does not say that there was none.
        let unanswered = content.status.is_none() && exchange.undecoded.is_none();
        let accepted = content.status == Some(0) && !self.unanswered.is_empty();
        if !(unanswered || accepted) || !is_distinct(request) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        request_body(exchange)?.hash(&mut hasher);
        let body = hasher.finish();
        let sent = exchange.times.request_first;
        if unanswered {
            *self.unanswered.entry(&body) = Some(Unanswered {
                n: exchange.n,
                conn: exchange.conn,
                time: sent,
                closed: None,
            });
            return None;
        }
        let first = self.unanswered.get(&body)?.as_ref()?;
        let closed = first.closed.filter(|closed| *closed <= sent)?;
        if first.conn == exchange.conn {
            return None;
        }
        let first = self.unanswered.remove(&body)??;
        Some(first.finding(closed, exchange, request))
    }

    pub(super) fn closed(&mut self, event: &ConnectionEvent) {
        let sends = self.unanswered.values_mut().flatten();
        for send in sends.filter(|send| send.conn == event.conn) {
            send.closed = Some(event.time);
        }
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.unanswered.forgotten()
    }
}

/// Whether two such sends can only be one that was sent twice: something in it
/// tells it from another with the same payload.
fn is_distinct(request: &SendMessages) -> bool {
    let headers = request.messages.iter().map(|message| &message.header);
    let mut headers = headers.peekable();
    headers.peek().is_some() && headers.all(|header| header.id != 0 || header.origin_timestamp != 0)
}

impl Unanswered {
    fn finding(self, closed: Timestamp, exchange: &Exchange, request: &SendMessages) -> Finding {
        let sent = exchange.times.request_first;
        let ids = request.messages.iter().map(|message| message.header.id);
        let id = ids.into_iter().find(|id| *id != 0);
        let id = id.map_or_else(String::new, |id| format!(", the first with id {id}"));
        let evidence = vec![format!(
            "{} messages{id} were sent on connection {}, which closed without a reply; the same \
             {} bytes were sent again {:.3} s after that on connection {}, and accepted",
            request.messages.len(),
            self.conn,
            exchange
                .binary()
                .map_or(0, |content| content.request_frame.len()),
            sent.duration_since(closed).as_secs_f64(),
            exchange.conn
        )];
        let place = format!("{}/{}, send_messages", request.stream, request.topic);
        let mut finding = Finding::new(DUPLICATE_SEND, place, exchange.n, sent, evidence);
        finding.exchanges.insert(0, self.n);
        finding.first = self.time;
        finding
    }
}
