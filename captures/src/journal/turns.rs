//! Letting others have the processor.

use std::thread;

use crate::limits::RECORD_TURN;

/// The turns in which a recorder works: where one processor is all there is, whoever
/// passes bytes on need not wait until a whole batch is written.
///
/// Where other programs want the processor too, who lets them have it waits until they
/// are done with theirs. So a recorder does it while it keeps up, and not once it has
/// more to write than it took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Turns {
    keeps_up: bool,
}

impl Turns {
    /// Those of a recorder that keeps up, or does not.
    pub(crate) const fn new(keeps_up: bool) -> Self {
        Self { keeps_up }
    }

    /// So many exchanges of a batch are done.
    pub(crate) fn done(self, exchanges: usize) {
        if self.is_over(exchanges) {
            thread::yield_now();
        }
    }

    const fn is_over(self, exchanges: usize) -> bool {
        self.keeps_up && exchanges.is_multiple_of(RECORD_TURN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorder_that_keeps_up_lets_others_have_the_processor_now_and_then() {
        let over = |turns: Turns| (1..=20).filter(move |done| turns.is_over(*done));
        assert!(over(Turns::new(true)).eq([RECORD_TURN, 2 * RECORD_TURN]));
        assert_eq!(over(Turns::new(false)).count(), 0);
    }
}
