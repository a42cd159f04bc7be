//! How often a wrong password may be tried.

use std::time::{Duration, Instant};

use crate::limits::{SIGN_IN_ATTEMPTS, SIGN_IN_WINDOW};

/// Wrong attempts of late, by everybody together.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    /// When the first of them was, and how many there have been since.
    window: Option<(Instant, u32)>,
    /// All wrong ones.
    pub(crate) wrong: u64,
    /// All that were refused unheard.
    pub(crate) refused: u64,
}

/// What an attempt came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt {
    Right,
    Wrong,
    /// Too many were wrong; so long until the next is heard.
    Refused(Duration),
}

impl Attempts {
    /// Hears an attempt, unless too many were wrong before it.
    pub(crate) fn hear(&mut self, now: Instant, is_right: impl FnOnce() -> bool) -> Attempt {
        let since = |began: Instant| now.saturating_duration_since(began);
        let window = self
            .window
            .filter(|(began, _)| since(*began) < SIGN_IN_WINDOW);
        let (began, wrong) = window.unwrap_or((now, 0));
        if wrong >= SIGN_IN_ATTEMPTS {
            self.refused += 1;
            return Attempt::Refused(SIGN_IN_WINDOW.saturating_sub(since(began)));
        }
        if is_right() {
            return Attempt::Right;
        }
        self.wrong += 1;
        self.window = Some((began, wrong + 1));
        Attempt::Wrong
    }

    /// Whether no more are heard for a while.
    pub(crate) fn is_full(&self) -> bool {
        self.window
            .is_some_and(|(_, wrong)| wrong >= SIGN_IN_ATTEMPTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_so_many_wrong_ones_none_is_heard_until_the_window_is_over() {
        let mut attempts = Attempts::default();
        let began = Instant::now();
        for _ in 0..SIGN_IN_ATTEMPTS {
            assert_eq!(
                attempts.hear(began, || true),
                Attempt::Right,
                "costs nothing"
            );
            assert_eq!(attempts.hear(began, || false), Attempt::Wrong);
        }
        let half = began + SIGN_IN_WINDOW / 2;
        let unheard = || unreachable!("a right one could be guessed");
        assert_eq!(
            attempts.hear(half, unheard),
            Attempt::Refused(SIGN_IN_WINDOW / 2)
        );
        assert_eq!((attempts.wrong, attempts.refused), (10, 1));
        assert_eq!(
            attempts.hear(began + SIGN_IN_WINDOW, || true),
            Attempt::Right
        );
    }
}
