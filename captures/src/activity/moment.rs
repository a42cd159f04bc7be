use serde::{Deserialize, Serialize};

use super::Tally;
use crate::exchange::Exchange;
use crate::verdict::{Verdict, VerdictKind};

/// What passed within a slot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Exchanges that began in it.
    pub exchanges: u64,
    /// Of those, the ones that were refused or not answered at all.
    pub failed: u64,
    /// Verdicts on them, in the order of [`VerdictKind::ALL`]; muted ones are left out.
    pub verdicts: [u64; VerdictKind::ALL.len()],
}

impl Moment {
    /// One exchange, its verdict aside.
    pub(crate) fn of(exchange: &Exchange) -> Self {
        Self {
            exchanges: 1,
            failed: exchange.failed().into(),
            ..Self::default()
        }
    }

    /// One verdict.
    pub(crate) fn verdict(verdict: &Verdict) -> Self {
        let counted = |kind| u64::from(kind == verdict.kind && verdict.muted.is_none());
        Self {
            verdicts: VerdictKind::ALL.map(counted),
            ..Self::default()
        }
    }

    /// Verdicts of every kind.
    pub fn judged(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    /// Verdicts of a kind.
    pub fn with_verdict(&self, kind: VerdictKind) -> u64 {
        let both = VerdictKind::ALL.into_iter().zip(self.verdicts);
        both.filter(|(one, _)| *one == kind)
            .map(|(_, count)| count)
            .sum()
    }
}

impl Tally for Moment {
    fn gain(&mut self, more: Self) {
        self.exchanges.gain(more.exchanges);
        self.failed.gain(more.failed);
        for (count, more) in self.verdicts.iter_mut().zip(more.verdicts) {
            count.gain(more);
        }
    }
}
