//! `PX2xx`: what the ledger shows of offsets. Each rule is a function of what one
//! exchange added to it; one, of empty polls, counts them.

mod ahead;
mod another_log;
mod contradiction;
mod empty;
mod jump;
mod purge;
mod read_your_write;
mod seek;

use parallax_captures::{Exchange, Finding, FindingCode};

use super::claims::{Claim, Conclusion};
use super::place::reader_place;
use super::probe::{Probe, Purpose};
use crate::ledger::{Learned, Polled, Reader, Span};
use empty::Empties;

/// The rules, and what they count.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    empties: Empties,
}

impl Offsets {
    /// What an exchange shows, beside what was known before it.
    pub(super) fn claims(&mut self, exchange: &Exchange, learned: &Learned) -> Vec<Claim> {
        match learned {
            Learned::Poll(polled) => self.of_a_poll(exchange, polled),
            Learned::Store(stored) => {
                let claims = [
                    contradiction::claim(exchange, stored),
                    seek::claim(exchange, stored),
                ];
                claims.into_iter().flatten().collect()
            }
            Learned::Asked(asked) => {
                let claims = [
                    ahead::claim(exchange, asked),
                    read_your_write::claim(exchange, asked),
                ];
                claims.into_iter().flatten().collect()
            }
            Learned::OffsetDeleted(_) | Learned::NotKnown(_) | Learned::Anew(_) => Vec::new(),
        }
    }

    /// What was forgotten, for want of room.
    pub(super) const fn forgotten(&self) -> u64 {
        self.empties.forgotten()
    }

    fn of_a_poll(&mut self, exchange: &Exchange, polled: &Polled) -> Vec<Claim> {
        let empty = self.empties.claim(exchange, polled);
        // In another log nothing was to go on where it did before.
        let moved = another_log::claim(exchange, polled)
            .or_else(|| purge::claim(exchange, polled))
            .or_else(|| jump::claim(exchange, polled));
        empty.into_iter().chain(moved).collect()
    }
}

/// A finding about a reader, which waits for what may explain it.
fn claimed(
    exchange: &Exchange,
    (reader, span): (&Reader, Span),
    code: FindingCode,
    place: String,
    evidence: Vec<String>,
) -> Claim {
    let time = exchange.times.request_first;
    Claim {
        reader: reader.clone(),
        span,
        conclusion: Conclusion::Finding(Finding::new(code, place, exchange.n, time, evidence)),
    }
}

/// The same of a poll.
fn claimed_of_poll(
    exchange: &Exchange,
    polled: &Polled,
    code: FindingCode,
    evidence: Vec<String>,
) -> Claim {
    let place = reader_place(polled.poll, polled.reader.partition.id);
    claimed(
        exchange,
        (&polled.reader, polled.span),
        code,
        place,
        evidence,
    )
}

/// A question that decides a finding about a poll.
fn probed(exchange: &Exchange, polled: &Polled, purpose: Purpose, evidence: Vec<String>) -> Claim {
    Claim {
        reader: polled.reader.clone(),
        span: polled.span,
        conclusion: Conclusion::Probe(Probe::of(exchange, polled, purpose, evidence)),
    }
}
