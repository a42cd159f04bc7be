//! A server that is told something at a bad time says so, and the client sends the
//! same frame again: however often, that is one operation (case E9).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use jiff::Timestamp;
use parallax_codec::ErrorCode;

use crate::connection::{ConnectionId, Dialect};
use crate::exchange::Exchange;
use crate::limits::OPERATIONS_RETRIED;

/// Whether an error says "not now": 57 (not committed) and 58 (not accepted). From
/// `iggy_common` 0.11.0, `error/iggy_error.rs`.
pub const fn is_transient(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::TRANSIENT_NOT_COMMITTED | ErrorCode::TRANSIENT_NOT_ACCEPTED
    )
}

/// Operations that were told "not now", until something else comes of them.
#[derive(Debug, Default, Clone)]
pub struct Retries {
    pending: HashMap<Key, Attempts>,
    forgotten: u64,
}

/// One operation: in the classic dialect the same frame on one connection; in the
/// VSR dialect, whose frames carry client, session and number, the same frame.
type Key = (Option<ConnectionId>, u64);

/// What one exchange is to an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// It was told "not now": what comes of the operation is not known yet.
    NotNow,
    /// It is the operation's last, after these, if there were any.
    Last(Option<Attempts>),
}

/// Attempts that were told "not now".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempts {
    /// The connection of the latest.
    pub conn: ConnectionId,
    /// The command's name.
    pub command: String,
    /// How many, at least one.
    pub count: u64,
    /// The first and the latest exchange.
    pub exchanges: (u64, u64),
    /// The first byte of the first request.
    pub first: Timestamp,
    /// The last byte of the latest reply.
    pub last: Timestamp,
    /// The latest error.
    pub error: ErrorCode,
}

impl Attempts {
    /// From the first attempt to the end of `last`, or of these where that had no
    /// reply.
    pub fn until(&self, last: &Exchange) -> Duration {
        let end = last.times.reply.map_or(self.last, |(_, end)| end);
        elapsed(self.first, end)
    }

    /// From the first attempt to the end of the latest.
    pub fn lasted(&self) -> Duration {
        elapsed(self.first, self.last)
    }
}

impl Retries {
    /// Takes note of an exchange.
    pub fn attempt(&mut self, exchange: &Exchange) -> Attempt {
        let error = exchange.error().filter(|code| is_transient(*code));
        // Frames are read only where one may have been sent before.
        if error.is_none() && self.pending.is_empty() {
            return Attempt::Last(None);
        }
        let Some(key) = key(exchange) else {
            return Attempt::Last(None);
        };
        let (Some(error), Some((_, last))) = (error, exchange.times.reply) else {
            return Attempt::Last(self.pending.remove(&key));
        };
        if self.pending.len() >= OPERATIONS_RETRIED && !self.pending.contains_key(&key) {
            self.forget_oldest();
        }
        let attempts = self.pending.entry(key).or_insert_with(|| Attempts {
            conn: exchange.conn,
            command: exchange.command().into_owned(),
            count: 0,
            exchanges: (exchange.n, exchange.n),
            first: exchange.times.request_first,
            last,
            error,
        });
        attempts.conn = exchange.conn;
        attempts.count += 1;
        attempts.exchanges.1 = exchange.n;
        attempts.last = last;
        attempts.error = error;
        Attempt::NotNow
    }

    /// A connection has ended: what nothing else came of on it.
    pub fn given_up(&mut self, conn: ConnectionId) -> Vec<Attempts> {
        let given_up = self.pending.extract_if(|_, attempts| attempts.conn == conn);
        given_up.map(|(_, attempts)| attempts).collect()
    }

    /// Operations that were forgotten for want of room.
    pub const fn forgotten(&self) -> u64 {
        self.forgotten
    }

    fn forget_oldest(&mut self) {
        let oldest = self.pending.iter().min_by_key(|(_, one)| one.last);
        if let Some(key) = oldest.map(|(key, _)| *key) {
            self.pending.remove(&key);
            self.forgotten += 1;
        }
    }
}

fn key(exchange: &Exchange) -> Option<Key> {
    let content = exchange.binary()?;
    let mut hasher = DefaultHasher::new();
    content.request_frame.hash(&mut hasher);
    let conn = (exchange.dialect == Dialect::Classic).then_some(exchange.conn);
    Some((conn, hasher.finish()))
}

fn elapsed(first: Timestamp, last: Timestamp) -> Duration {
    last.duration_since(first)
        .try_into()
        .unwrap_or(Duration::ZERO)
}

#[cfg(test)]
pub(crate) mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::exchange::{BinaryContent, Content, Times};

    /// A request, this `frame`, answered within a millisecond.
    pub(crate) fn exchange(conn: u64, milli: i64, frame: &'static [u8], status: u32) -> Exchange {
        let at = |milli| Timestamp::from_millisecond(milli).unwrap();
        Exchange {
            n: u64::try_from(milli).unwrap(),
            conn: ConnectionId(conn),
            dialect: Dialect::Classic,
            times: Times {
                request_first: at(milli),
                request_last: at(milli),
                reply: Some((at(milli + 1), at(milli + 1))),
            },
            content: Content::Binary(BinaryContent {
                code: 503,
                request_frame: Bytes::from_static(frame),
                request: None,
                status: Some(status),
                reply_frame: Bytes::new(),
                result: None,
                reply: None,
                eviction: None,
            }),
            undecoded: None,
            verdict: None,
            findings: Vec::new(),
            muted_findings: Vec::new(),
            route: None,
            annotation: crate::Annotation::default(),
            altered: None,
        }
    }

    #[test]
    fn attempts_add_up_until_something_else_comes_of_them() {
        let mut retries = Retries::default();
        for milli in [0, 100, 200] {
            let told = retries.attempt(&exchange(1, milli, b"same", 57));
            assert_eq!(told, Attempt::NotNow);
        }
        let other = retries.attempt(&exchange(1, 210, b"other", 0));
        assert_eq!(other, Attempt::Last(None));
        let elsewhere = retries.attempt(&exchange(2, 220, b"same", 0));
        assert_eq!(elsewhere, Attempt::Last(None), "of another connection");
        let last = exchange(1, 300, b"same", 0);
        let Attempt::Last(Some(before)) = retries.attempt(&last) else {
            panic!("three attempts came before");
        };
        assert_eq!((before.count, before.exchanges), (3, (0, 200)));
        assert_eq!(before.until(&last), Duration::from_millis(301));
        assert_eq!(retries.attempt(&last), Attempt::Last(None));
    }

    #[test]
    fn what_a_connection_ended_with_was_given_up() {
        let mut retries = Retries::default();
        retries.attempt(&exchange(1, 0, b"same", 58));
        retries.attempt(&exchange(1, 50, b"same", 58));
        assert_eq!(retries.given_up(ConnectionId(2)), []);
        let given_up = retries.given_up(ConnectionId(1));
        assert_eq!(given_up[0].lasted(), Duration::from_millis(51));
        assert_eq!(retries.given_up(ConnectionId(1)), []);
    }

    #[test]
    fn no_more_operations_are_remembered_than_the_limit() {
        let mut retries = Retries::default();
        for conn in 0..OPERATIONS_RETRIED as u64 + 3 {
            retries.attempt(&exchange(conn, i64::try_from(conn).unwrap(), b"same", 57));
        }
        assert_eq!(retries.forgotten(), 3);
    }
}
