//! Letting others have the processor.

use std::thread;
use std::time::Instant;

use crate::limits::{RECORD_TURN, RECORD_TURNS_FOR};

/// The turns in which a batch is recorded: where one processor is all there is, whoever
/// passes bytes on need not wait until all of it is written.
///
/// Where other programs want the processor too, who lets them have it waits until they
/// are done with theirs. So a batch gives nothing away after a while, and while too much
/// waits none does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Turns {
    until: Option<Instant>,
}

impl Turns {
    /// Those of a batch that begins now.
    pub(crate) fn begin() -> Self {
        Self {
            until: Some(Instant::now() + RECORD_TURNS_FOR),
        }
    }

    /// So many exchanges of the batch are done, from 1.
    pub(crate) fn done(self, exchanges: usize) {
        if self.is_over(exchanges, Instant::now) {
            thread::yield_now();
        }
    }

    fn is_over(self, exchanges: usize, now: impl Fn() -> Instant) -> bool {
        let is_turn = exchanges.is_multiple_of(RECORD_TURN);
        is_turn && self.until.is_some_and(|until| now() < until)
    }

    #[cfg(test)]
    pub(crate) const fn are_given(self) -> bool {
        self.until.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_lets_others_have_the_processor_now_and_then_and_not_for_ever() {
        let begin = Instant::now();
        let turns = Turns::begin();
        let over = |now: Instant| (1..=20).filter(move |done| turns.is_over(*done, || now));
        assert!(over(begin).eq([RECORD_TURN, 2 * RECORD_TURN]));
        assert_eq!(over(begin + 2 * RECORD_TURNS_FOR).count(), 0);
        assert!(!Turns::default().is_over(RECORD_TURN, || begin));
    }
}
