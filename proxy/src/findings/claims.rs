//! Claims about offsets wait a little before they are made: what explains them may
//! still be on its way.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::Finding;

use super::probe::Probe;
use crate::ledger::{Learned, Reader, Span};
use crate::limits::{CLAIM_SETTLES, CLAIMS_WAITING};

/// What a rule draws from the ledger.
#[derive(Debug)]
pub(super) struct Claim {
    /// Whom it is about.
    pub reader: Reader,
    /// When the exchange that shows it was under way.
    pub span: Span,
    /// What it comes to.
    pub conclusion: Conclusion,
}

/// What a claim comes to.
#[derive(Debug)]
pub(super) enum Conclusion {
    /// A finding.
    Finding(Finding),
    /// A question that decides which finding it is.
    Probe(Probe),
    /// Nothing to be told: that the poll of this exchange began elsewhere than
    /// where it was to. Kept to be asked after with [`Claims::is_explained`].
    Start(u64),
}

/// Claims that wait, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Claims {
    waiting: VecDeque<Claim>,
    /// Exchanges whose start something explained; the latest ones.
    explained: VecDeque<u64>,
    /// Claims that were made before their time, for want of room.
    hurried: u64,
}

impl Claims {
    /// Waits with this one. Gives the one that has no room any more.
    pub(super) fn push(&mut self, claim: Claim) -> Option<Conclusion> {
        let no_room = self.waiting.len() >= CLAIMS_WAITING;
        let first = no_room.then(|| self.waiting.pop_front()).flatten();
        self.hurried += u64::from(first.is_some());
        self.waiting.push_back(claim);
        first.map(|claim| claim.conclusion)
    }

    /// Drops what this may explain: it touched the same thing, and did not surely
    /// come after: it was under way at the same time, or is seen late. And what is
    /// claimed of a reader that got nothing, once it gets something (case A5).
    pub(super) fn weigh(&mut self, learned: &Learned, span: Span) {
        let touches = |reader: &Reader| match learned {
            Learned::Poll(polled) => polled.reader == *reader,
            Learned::Store(stored) => stored.reader == *reader,
            Learned::Asked(_) => false,
            Learned::OffsetDeleted(of) | Learned::NotKnown(of) => of == reader,
            Learned::Anew(scope) => scope.covers(reader) || reader.is_by_name(),
        };
        let is_served = |claim: &Claim| match (learned, &claim.conclusion) {
            (Learned::Poll(polled), Conclusion::Probe(probe)) => {
                polled.reader == claim.reader && probe.is_settled_by(polled)
            }
            _ => false,
        };
        let explains = |claim: &Claim| {
            is_served(claim) || !claim.span.is_before(span) && touches(&claim.reader)
        };
        for claim in self.waiting.iter().filter(|claim| explains(claim)) {
            if let Conclusion::Start(n) = claim.conclusion {
                self.explained.push_back(n);
            }
        }
        self.waiting.retain(|claim| !explains(claim));
        while self.explained.len() > CLAIMS_WAITING {
            self.explained.pop_front();
        }
    }

    /// Whether something explained where the poll of this exchange began.
    pub(super) fn is_explained(&self, n: u64) -> bool {
        self.explained.contains(&n)
    }

    /// What has waited long enough by `now`.
    pub(super) fn settle(&mut self, now: Timestamp) -> Vec<Conclusion> {
        let wait = SignedDuration::try_from(CLAIM_SETTLES).unwrap_or(SignedDuration::ZERO);
        let is_due = |claim: &mut Claim| now.duration_since(claim.span.to) >= wait;
        let due = std::iter::from_fn(|| self.waiting.pop_front_if(is_due));
        due.map(|claim| claim.conclusion).collect()
    }

    /// Everything that still waits: nothing more will come.
    pub(super) fn finish(&mut self) -> Vec<Conclusion> {
        self.waiting
            .drain(..)
            .map(|claim| claim.conclusion)
            .collect()
    }

    pub(super) const fn hurried(&self) -> u64 {
        self.hurried
    }
}
