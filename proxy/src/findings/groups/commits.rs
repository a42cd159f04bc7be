//! PX305: commits fail while polls go on (case B11).

use parallax_captures::Finding;
use parallax_captures::catalog::COMMITS_FAILING;
use parallax_codec::ErrorCode;

use super::act::Act;
use super::streak::Streak;
use crate::bounded::Bounded;
use crate::ledger::{Progress, Reader, Scope, Stored};
use crate::limits::{COMMITS_REFUSED, GROUPS_WATCHED};

/// Readers whose commits were refused lately.
#[derive(Debug)]
pub(super) struct Commits(Bounded<Reader, Failing>);

#[derive(Debug, Default)]
struct Failing {
    refused: Streak,
    /// How far messages had been delivered when the first one was refused.
    delivered: Option<u64>,
}

impl Default for Commits {
    fn default() -> Self {
        Self(Bounded::new(GROUPS_WATCHED))
    }
}

impl Commits {
    pub(super) fn begins_anew(&mut self, scope: &Scope) {
        self.0.retain(|reader, _| !scope.covers(reader));
    }

    pub(super) fn finding(&mut self, act: &Act<'_>) -> Option<Finding> {
        if let Some(polled) = act.polled() {
            if polled.poll.auto_commit && polled.offsets.is_some() {
                *self.0.entry(&polled.reader) = Failing::default();
            }
            return None;
        }
        let stored = act.stored()?;
        let failing = self.0.entry(&stored.reader);
        if let Some(error) = stored.refused {
            return failing.refused(act, stored, error);
        }
        if act.is_done() {
            *failing = Failing::default();
        }
        None
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}

impl Failing {
    fn refused(&mut self, act: &Act<'_>, stored: &Stored, error: ErrorCode) -> Option<Finding> {
        if is_passing(error) {
            return None;
        }
        let delivered = stored.before.delivered.as_ref()?.value;
        // Not what this client was given: of a group, another member may have been.
        if delivered.conn != act.exchange.conn || stored.offset > delivered.last {
            return None;
        }
        self.refused.add(act, COMMITS_REFUSED);
        let now = delivered.last;
        let began = *self.delivered.get_or_insert(now);
        if now <= began {
            return None;
        }
        let evidence = vec![
            format!(
                "{} commits in a row were refused, the last one, of offset {}, with {error}; \
                 meanwhile the last message delivered went from offset {began} to {now}",
                self.refused.count(),
                stored.offset
            ),
            restart(&stored.before),
        ];
        self.refused
            .finding(act, COMMITS_REFUSED, COMMITS_FAILING, act.place(), evidence)
    }
}

/// Whether the client is to send the same again: a leader is being elected, or the
/// like (case E9).
const fn is_passing(error: ErrorCode) -> bool {
    matches!(
        error,
        ErrorCode::TRANSIENT_NOT_COMMITTED | ErrorCode::TRANSIENT_NOT_ACCEPTED
    )
}

fn restart(before: &Progress) -> String {
    match &before.stored {
        Some(fact) => match fact.value {
            Some(held) => format!(
                "a restart will replay from {}: the server holds {held} as consumed ({})",
                held.saturating_add(1),
                fact.source()
            ),
            None => format!(
                "a restart will replay from the start: the server holds no offset ({})",
                fact.source()
            ),
        },
        None => "a restart will replay from whatever the server holds, which was not seen here"
            .to_owned(),
    }
}
