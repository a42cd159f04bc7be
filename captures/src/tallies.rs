//! Figures that only grow: what a journal was told since it began, by kind.
//!
//! The journal's other figures are of what it keeps, or go on where a recording ended. These
//! begin at 0 with the journal, and nothing is taken from them again: they are for whoever
//! reads them now and then and looks at what was added.

use std::collections::BTreeMap;

use parallax_codec::{Command, ErrorCode};
use rustc_hash::FxHashMap;

use crate::connection::{Connection, Dialect};
use crate::exchange::{Content, Exchange};
use crate::finding::{Finding, FindingCode};
use crate::limits::TALLIED_EXCHANGES;

/// What a journal was told, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tallies {
    exchanges: FxHashMap<ExchangeKind, u64>,
    /// Times that a finding was seen, by its code and whether it is muted.
    pub findings: BTreeMap<(FindingCode, bool), u64>,
    /// Bytes from clients, seen or not.
    pub bytes_to_server: u64,
    /// Bytes to clients, seen or not.
    pub bytes_to_client: u64,
    /// Of both, those that passed unseen.
    pub bytes_unobserved: u64,
}

/// What exchanges are told apart by. Neither a client nor a server can invent a kind: what
/// no known version has is one of a few names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExchangeKind {
    /// How its connection frames.
    pub dialect: Dialect,
    what: What,
    outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    /// By the command's code.
    Command(u32),
    UnknownCommand,
    Http,
    Unsolicited,
    /// There is no room for a further kind.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Outcome {
    Ok,
    Error(ErrorCode),
    UnknownError,
    Refused,
    Unanswered,
    /// A fault was injected, so that it does not show what the server did.
    Injected,
    /// There is no room for a further kind.
    Other,
}

impl ExchangeKind {
    /// The command's name in `snake_case`; `unknown` where no known version has its code,
    /// `other` where there was no room to tell it.
    pub fn command(&self) -> &'static str {
        match self.what {
            What::Command(code) => Command::from_code(code).map_or("unknown", |known| known.name),
            What::UnknownCommand => "unknown",
            What::Http => "http_request",
            What::Unsolicited => "unsolicited",
            What::Other => "other",
        }
    }

    /// `ok`, `error`, `refused` (by an eviction, or by HTTP without a code), `unanswered`,
    /// `injected` (a fault was, so that it is not the server's), or `other` where there was no
    /// room to tell it.
    pub const fn status(&self) -> &'static str {
        match self.outcome {
            Outcome::Ok => "ok",
            Outcome::Error(_) | Outcome::UnknownError => "error",
            Outcome::Refused => "refused",
            Outcome::Unanswered => "unanswered",
            Outcome::Injected => "injected",
            Outcome::Other => "other",
        }
    }

    /// The error's name in `snake_case`, `unknown` where no known version has its code;
    /// empty where there is no error.
    pub fn error(&self) -> &'static str {
        match self.outcome {
            Outcome::Error(code) => code.name().unwrap_or("unknown"),
            Outcome::UnknownError => "unknown",
            _ => "",
        }
    }

    fn of(exchange: &Exchange) -> Self {
        let what = match &exchange.content {
            Content::Binary(content) if Command::from_code(content.code).is_some() => {
                What::Command(content.code)
            }
            Content::Binary(_) => What::UnknownCommand,
            Content::Http(_) => What::Http,
            Content::Unsolicited(_) => What::Unsolicited,
        };
        let outcome = match exchange.status() {
            _ if exchange.hides_the_server() => Outcome::Injected,
            Some(0) => Outcome::Ok,
            Some(status) if ErrorCode(status).name().is_some() => Outcome::Error(ErrorCode(status)),
            Some(_) => Outcome::UnknownError,
            None if exchange.times.reply.is_some() => Outcome::Refused,
            None => Outcome::Unanswered,
        };
        Self {
            dialect: exchange.dialect,
            what,
            outcome,
        }
    }
}

impl Tallies {
    /// How many exchanges there were of each kind, in the order of their names. At most
    /// [`TALLIED_EXCHANGES`] kinds, and one of `other` for each dialect.
    pub fn exchanges(&self) -> Vec<(ExchangeKind, u64)> {
        let mut kinds: Vec<_> = self.exchanges.iter().map(|(kind, n)| (*kind, *n)).collect();
        kinds.sort_by_key(|(kind, _)| {
            (
                kind.dialect.name(),
                kind.command(),
                kind.status(),
                kind.error(),
            )
        });
        kinds
    }

    pub(crate) fn exchange(&mut self, exchange: &Exchange) {
        let kind = ExchangeKind::of(exchange);
        if let Some(count) = self.exchanges.get_mut(&kind) {
            *count += 1;
            return;
        }
        let kind = if self.exchanges.len() < TALLIED_EXCHANGES {
            kind
        } else {
            ExchangeKind {
                what: What::Other,
                outcome: Outcome::Other,
                ..kind
            }
        };
        *self.exchanges.entry(kind).or_default() += 1;
    }

    pub(crate) fn finding(&mut self, finding: &Finding) {
        let key = (finding.code, finding.muted.is_some());
        *self.findings.entry(key).or_default() += finding.count;
    }

    /// What was added to a connection of which `before` is told.
    pub(crate) fn passed(&mut self, before: Passed, connection: &Connection) {
        let now = Passed::of(connection);
        self.bytes_to_server += now.to_server.saturating_sub(before.to_server);
        self.bytes_to_client += now.to_client.saturating_sub(before.to_client);
        self.bytes_unobserved += now.unobserved.saturating_sub(before.unobserved);
    }
}

/// Bytes of one connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    to_server: u64,
    to_client: u64,
    unobserved: u64,
}

impl Passed {
    pub(crate) const fn of(connection: &Connection) -> Self {
        Self {
            to_server: connection.bytes_to_server,
            to_client: connection.bytes_to_client,
            unobserved: connection.bytes_unobserved,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use jiff::Timestamp;

    use super::*;
    use crate::journal::Journal;
    use crate::{ConnectionId, catalog, retries};

    fn exchange(code: u32, status: Option<u32>) -> Exchange {
        let mut exchange = retries::tests::exchange(1, 0, b"", 0);
        if status.is_none() {
            exchange.times.reply = None;
        }
        if let Content::Binary(content) = &mut exchange.content {
            (content.code, content.status) = (code, status);
        }
        exchange
    }

    fn told(journal: &Journal) -> Vec<(&'static str, &'static str, &'static str, u64)> {
        let exchanges = journal.tallies().exchanges().into_iter();
        exchanges
            .map(|(kind, count)| (kind.command(), kind.status(), kind.error(), count))
            .collect()
    }

    #[test]
    fn exchanges_are_counted_by_command_status_and_error_and_not_taken_back() {
        let journal = Journal::with_limits(1, usize::MAX);
        for status in [Some(0), Some(0), Some(4100), None] {
            journal.record(exchange(100, status));
        }
        let expected = [
            ("poll_messages", "error", "invalid_offset", 1),
            ("poll_messages", "ok", "", 2),
            ("poll_messages", "unanswered", "", 1),
        ];
        assert_eq!(told(&journal), expected);
    }

    #[test]
    fn what_clients_and_servers_invent_is_one_kind() {
        let journal = Journal::new();
        for code in 1_000_000..1_001_000 {
            journal.record(exchange(code, Some(code)));
        }
        assert_eq!(told(&journal), [("unknown", "error", "unknown", 1_000)]);
    }

    #[test]
    fn there_are_so_many_kinds_and_the_rest_is_counted_together() {
        let journal = Journal::new();
        let known: Vec<_> = ErrorCode::all().map(|code| code.0).collect();
        let codes = (1..=u32::from(u16::MAX)).filter(|code| Command::from_code(*code).is_some());
        let mut recorded = 0;
        for code in codes {
            for status in &known {
                journal.record(exchange(code, Some(*status)));
                recorded += 1;
            }
        }
        let kinds = told(&journal);
        assert_eq!(kinds.len(), TALLIED_EXCHANGES + 1);
        assert!(
            kinds
                .iter()
                .any(|kind| (kind.0, kind.1) == ("other", "other"))
        );
        let counted: u64 = kinds.iter().map(|kind| kind.3).sum();
        assert_eq!(counted, recorded);
    }

    #[test]
    fn findings_are_counted_as_often_as_they_were_seen() {
        let journal = Journal::new();
        let found = |place: &str| {
            let at = Timestamp::UNIX_EPOCH;
            Finding::new(catalog::FRAMING_MISMATCH, place, 1, at, Vec::new())
        };
        for place in ["here", "here", "there"] {
            journal.add_finding(found(place));
        }
        let findings = journal.tallies().findings;
        assert_eq!(findings, [((catalog::FRAMING_MISMATCH, false), 3)].into());
    }

    #[test]
    fn bytes_stay_counted_when_their_connection_is_forgotten() {
        let journal = Journal::new();
        let address: SocketAddr = "127.0.0.1:1".parse().unwrap();
        for id in 1..=1_500 {
            let id = ConnectionId(id);
            let at = Timestamp::UNIX_EPOCH;
            journal.open_connection(Connection::opened(id, address, address, at));
            journal.update_connection(id, |one| {
                one.bytes_to_server += 3;
                one.bytes_to_client += 5;
                one.bytes_unobserved += 1;
                one.closed = Some((at, String::new()));
            });
        }
        assert!(journal.connections().len() < 1_500);
        let tallies = journal.tallies();
        assert_eq!(
            (tallies.bytes_to_server, tallies.bytes_to_client),
            (4_500, 7_500)
        );
        assert_eq!(tallies.bytes_unobserved, 1_500);
    }
}
