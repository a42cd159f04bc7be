//! PX409: one token, accepted here and refused there (case C5).

use parallax_captures::catalog::TOKEN_HALF_ACCEPTED;
use parallax_captures::{ConnectionId, Finding};

use super::event::ConnectionEvent;
use crate::bounded::Bounded;
use crate::credentials::TokenMark;
use crate::limits::{TOKEN_LOGINS, TOKENS_KNOWN};

/// Logins by token, each with what came of it.
#[derive(Debug)]
pub(super) struct Tokens {
    tokens: Bounded<TokenMark, Tried>,
    seen: u64,
}

#[derive(Debug, Default)]
struct Tried {
    /// Which token this is, counted from 1: all that is told of it.
    number: u64,
    /// How often the outcome was another than the one before.
    turns: u64,
    /// The latest logins.
    logins: Vec<Login>,
}

#[derive(Debug)]
struct Login {
    n: u64,
    conn: ConnectionId,
    accepted: bool,
}

/// Outcomes that change once are told by a token that was made or deleted; back
/// again, they are not.
const TURNS: u64 = 2;

impl Default for Tokens {
    fn default() -> Self {
        Self {
            tokens: Bounded::new(TOKENS_KNOWN),
            seen: 0,
        }
    }
}

impl Tokens {
    /// A login by token was answered; the exchange has this number.
    pub(super) fn tried(
        &mut self,
        event: &ConnectionEvent,
        token: TokenMark,
        accepted: bool,
        n: u64,
    ) -> Option<Finding> {
        let tried = self.tokens.entry(&token);
        if tried.number == 0 {
            self.seen += 1;
            tried.number = self.seen;
        }
        let last = tried.logins.last();
        let turns = last.is_some_and(|login| login.accepted != accepted);
        // On one connection a login that is tried again says less.
        if turns && last.is_some_and(|login| login.conn != event.conn) {
            tried.turns += 1;
        }
        if tried.logins.len() >= TOKEN_LOGINS {
            tried.logins.remove(0);
        }
        let conn = event.conn;
        tried.logins.push(Login { n, conn, accepted });
        if !turns || tried.turns < TURNS {
            return None;
        }
        let place = format!("personal access token {} of those seen", tried.number);
        let evidence = vec![tried.told()];
        let mut finding = Finding::new(TOKEN_HALF_ACCEPTED, place, n, event.time, evidence);
        finding.exchanges = tried.logins.iter().map(|login| login.n).collect();
        Some(finding)
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.tokens.forgotten()
    }
}

impl Tried {
    fn told(&self) -> String {
        let connections = |accepted: bool| {
            let logins = self.logins.iter().filter(|one| one.accepted == accepted);
            let numbers: Vec<_> = logins.map(|login| login.conn.to_string()).collect();
            numbers.join(", ")
        };
        format!(
            "one and the same token was accepted on connection {} and refused on connection {}, \
             in turns; of the latest {} logins",
            connections(true),
            connections(false),
            self.logins.len()
        )
    }
}
