//! PX201 and PX212: polls that bring nothing though the partition goes on.

use jiff::Timestamp;
use parallax_captures::Exchange;
use parallax_codec::primitives::PollingKind;

use super::super::claims::Claim;
use super::super::probe::Purpose;
use super::jump::{Why, expected};
use super::probed;
use crate::bounded::Bounded;
use crate::ledger::{How, Polled, Reader};
use crate::limits::{CLAIM_SETTLES, EMPTY_POLLS_THAT_STALL, LEDGER_READERS};

/// Empty polls in a row, by reader.
#[derive(Debug)]
pub(super) struct Empties {
    by_reader: Bounded<Reader, Streak>,
}

#[derive(Debug, Default)]
struct Streak {
    /// Where the reader was to go on.
    from: u64,
    polls: u64,
    since: Timestamp,
    told: bool,
}

impl Default for Empties {
    fn default() -> Self {
        Self {
            by_reader: Bounded::new(LEDGER_READERS),
        }
    }
}

impl Empties {
    pub(super) fn claim(&mut self, exchange: &Exchange, polled: &Polled) -> Option<Claim> {
        let end = polled.current_offset;
        if polled.offsets.is_some() || end == 0 {
            self.by_reader.remove(&polled.reader);
            return None;
        }
        if polled.poll.strategy.kind == PollingKind::First {
            let streak = self.by_reader.entry(&polled.reader);
            let is_told = std::mem::replace(&mut streak.told, true);
            return (!is_told).then(|| empty_first(exchange, polled));
        }
        let owed = expected(polled).or_else(|| from_the_start(polled));
        let owed = owed.filter(|(from, _)| *from <= end);
        let Some((from, why)) = owed else {
            self.by_reader.remove(&polled.reader);
            return None;
        };
        let streak = self.by_reader.entry(&polled.reader);
        if streak.polls == 0 || streak.from != from {
            *streak = Streak {
                from,
                since: polled.span.from,
                ..Streak::default()
            };
        }
        streak.polls += 1;
        let lasts = polled.span.to.duration_since(streak.since).unsigned_abs() >= CLAIM_SETTLES;
        if streak.told || streak.polls < EMPTY_POLLS_THAT_STALL || !lasts {
            return None;
        }
        streak.told = true;
        let evidence = vec![
            format!(
                "{} polls in a row brought no message; the partition's last offset is {end}",
                streak.polls
            ),
            why.told(),
        ];
        let purpose = Purpose::Stalled { from, end };
        Some(probed(exchange, polled, purpose, evidence))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.by_reader.forgotten()
    }
}

/// A poll of Next by a reader of which the server holds nothing is one of First.
fn from_the_start<'a>(polled: &'a Polled<'_>) -> Option<(u64, Why<'a>)> {
    if polled.poll.strategy.kind != PollingKind::Next {
        return None;
    }
    let source = match (&polled.before.stored, &polled.begun) {
        (Some(stored), _) if stored.value.is_none() => stored.source(),
        (None, Some(begun)) if begun.how == How::Created && !polled.before.is_open() => {
            begun.source()
        }
        _ => return None,
    };
    Some((0, Why::HeldNone(source)))
}

fn empty_first(exchange: &Exchange, polled: &Polled) -> Claim {
    let end = polled.current_offset;
    let evidence = vec![format!(
        "the poll of First brought no message of a partition whose last offset is {end}"
    )];
    probed(exchange, polled, Purpose::EmptyFirst { end }, evidence)
}
