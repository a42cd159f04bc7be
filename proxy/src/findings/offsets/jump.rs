//! PX202 to PX204, PX215: a reader was given messages from beyond where it was to
//! go on.

use parallax_captures::catalog::{DELETED_BEFORE_READ, RETENTION_GAP};
use parallax_captures::{Exchange, FindingCode};
use parallax_codec::primitives::PollingKind;

use super::super::claims::Claim;
use super::super::probe::Purpose;
use super::{claimed_of_poll, probed};
use crate::ledger::{Fact, Polled};

pub(super) fn claim(exchange: &Exchange, polled: &Polled) -> Option<Claim> {
    let (found, last) = polled.offsets?;
    let (expected, why) = expected(polled)?;
    if found <= expected {
        return None;
    }
    let skipped = found - expected;
    let evidence = vec![
        format!(
            "the poll was answered with offsets {found} to {last}; it was to go on at {expected}, \
             so {skipped} offsets were skipped"
        ),
        why.told(),
    ];
    if let Some((code, explained)) = explained(polled, found) {
        let evidence = [evidence, explained].concat();
        return Some(claimed_of_poll(exchange, polled, code, evidence));
    }
    let deleted = polled.log_before.deleted.as_ref();
    let explanation = deleted.map_or_else(
        || "nothing that passed here explains it".to_owned(),
        Fact::source,
    );
    let evidence = [evidence, vec![explanation]].concat();
    let purpose = Purpose::Jump {
        expected,
        found,
        deleted: deleted.is_some(),
    };
    Some(probed(exchange, polled, purpose, evidence))
}

/// Why nothing was there to be served before `found`, where that was seen.
fn explained(polled: &Polled, found: u64) -> Option<(FindingCode, Vec<String>)> {
    let begins = polled.log_before.begins.as_ref();
    let begins = begins.filter(|fact| fact.value >= found)?;
    let first = format!(
        "the partition begins at {} already: {} by First",
        begins.value,
        begins.source()
    );
    Some(match &polled.log_before.deleted {
        Some(deleted) => (DELETED_BEFORE_READ, vec![first, deleted.source()]),
        None => (RETENTION_GAP, vec![first]),
    })
}

/// Where the poll was to go on, and why, where that is known.
pub(super) fn expected<'a>(polled: &'a Polled<'_>) -> Option<(u64, Why<'a>)> {
    let asked = polled.poll.strategy;
    match asked.kind {
        PollingKind::Offset => Some((asked.value, Why::Asked(asked.value))),
        PollingKind::Next => {
            let stored = polled.before.stored.as_ref()?;
            let offset = stored.value?;
            Some((offset.checked_add(1)?, Why::Held(offset, stored)))
        }
        PollingKind::First | PollingKind::Last | PollingKind::Timestamp => None,
    }
}

/// Why a poll was to go on at some offset.
pub(super) enum Why<'a> {
    /// It asks for this one.
    Asked(u64),
    /// The server held this one as consumed.
    Held(u64, &'a Fact<Option<u64>>),
    /// The server held none, as this told.
    HeldNone(String),
}

impl Why<'_> {
    pub(super) fn told(&self) -> String {
        match self {
            Self::Asked(offset) => format!("the request asks for offset {offset}"),
            Self::Held(offset, stored) => {
                format!("the server held {offset} as consumed: {}", stored.source())
            }
            Self::HeldNone(source) => format!("the server held nothing as consumed: {source}"),
        }
    }
}
