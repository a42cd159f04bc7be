//! `PX3xx`: what groups and consumers do with what they are given: membership,
//! commits, and where a reader begins.
//!
//! Rules that one exchange decides, beside what was known before it, are functions;
//! the others keep what they have to remember in a bounded table of their own.

mod act;
mod at_most_once;
mod behind;
mod commits;
mod continuation;
mod fresh;
mod member;
mod missing;
mod omitted;
mod replay;
mod silence;
mod streak;

use parallax_captures::{Exchange, Finding};

use self::act::Act;
use self::at_most_once::AutoCommits;
use self::behind::Batches;
use self::commits::Commits;
use self::continuation::Continuations;
use self::fresh::Beginnings;
use self::member::Members;
use self::missing::Absences;
use self::omitted::Omissions;
use self::silence::Silences;
use super::claims::Claim;
use crate::ledger::{Learned, Ledger};

/// What is remembered of groups, their members and their readers.
#[derive(Debug, Default)]
pub(super) struct Groups {
    members: Members,
    commits: Commits,
    beginnings: Beginnings,
    auto_commits: AutoCommits,
    omissions: Omissions,
    continuations: Continuations,
    silences: Silences,
    batches: Batches,
    absences: Absences,
}

/// What an exchange shows.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    /// What is certain at once.
    pub findings: Vec<Finding>,
    /// What something else may still explain.
    pub claims: Vec<Claim>,
}

impl Groups {
    /// What an exchange shows, of which the ledger has learned this.
    pub(super) fn see(
        &mut self,
        exchange: &Exchange,
        learned: &[Learned<'_>],
        ledger: &Ledger,
    ) -> Drawn {
        let act = Act::of(exchange, learned, ledger);
        let mut drawn = Drawn::default();
        let evicted = self.silences.finding(exchange, act.as_ref(), learned);
        drawn.findings.extend(evicted);
        self.forget(learned);
        let Some(act) = act else {
            return drawn;
        };
        drawn.findings.extend(self.members.finding(&act));
        drawn.findings.extend(self.commits.finding(&act));
        drawn.findings.extend(self.auto_commits.finding(&act));
        drawn.findings.extend(self.omissions.finding(&act));
        drawn.findings.extend(self.batches.finding(&act));
        drawn.claims.extend(replay::claim(&act));
        drawn.claims.extend(self.beginnings.claim(&act, ledger));
        drawn.claims.extend(self.continuations.claim(&act));
        drawn.claims.extend(self.absences.claim(&act, ledger));
        drawn
    }

    /// Forgets what no longer holds.
    pub(super) fn forget(&mut self, learned: &[Learned<'_>]) {
        for learned in learned {
            if let Learned::Anew(scope) = learned {
                self.members.begins_anew(scope);
                self.commits.begins_anew(scope);
                self.beginnings.begins_anew(scope);
                self.continuations.begins_anew(scope);
                self.batches.begins_anew(scope);
            }
        }
    }

    /// What was forgotten for want of room.
    pub(super) const fn forgotten(&self) -> u64 {
        self.members.forgotten()
            + self.commits.forgotten()
            + self.beginnings.forgotten()
            + self.auto_commits.forgotten()
            + self.omissions.forgotten()
            + self.continuations.forgotten()
            + self.silences.forgotten()
            + self.batches.forgotten()
            + self.absences.forgotten()
    }
}
