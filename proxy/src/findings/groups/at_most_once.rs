//! PX307: what is polled counts as consumed at once (case B11).

use parallax_captures::Finding;
use parallax_captures::catalog::AUTO_COMMIT_ON_POLL;
use parallax_codec::primitives::Consumer;

use super::act::Act;
use crate::bounded::Bounded;
use crate::ledger::Topic;
use crate::limits::GROUPS_WATCHED;

/// Whose polls commit, each told once for all partitions of a topic.
#[derive(Debug)]
pub(super) struct AutoCommits(Bounded<(Topic, Consumer), bool>);

impl Default for AutoCommits {
    fn default() -> Self {
        Self(Bounded::new(GROUPS_WATCHED))
    }
}

impl AutoCommits {
    pub(super) fn finding(&mut self, act: &Act<'_>) -> Option<Finding> {
        let polled = act.polled()?;
        let (_, last) = polled.offsets.filter(|_| polled.poll.auto_commit)?;
        let reader = &polled.reader;
        let whose = (&reader.partition.topic, &reader.consumer);
        if std::mem::replace(self.0.entry(&whose), true) {
            return None;
        }
        let evidence = vec![format!(
            "the poll asks for auto_commit: offset {last} of partition {} counts as consumed \
             before the client has seen the message",
            reader.partition.id
        )];
        Some(act.finding(AUTO_COMMIT_ON_POLL, act.place_with(None), evidence))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}
