//! How fast, and when not at all. Pure: the time is a value.

use std::time::Duration;

use tokio::time::Instant;

/// Spaces requests evenly, with a short burst.
#[derive(Debug)]
pub(super) struct Rate {
    interval: Duration,
    /// When the next request would be due if all had kept their distance.
    due: Option<Instant>,
}

/// Requests that may follow each other without a distance.
const BURST: u32 = 8;

impl Rate {
    pub(super) fn new(requests_per_second: u32) -> Self {
        Self {
            interval: Duration::from_secs(1) / requests_per_second.max(1),
            due: None,
        }
    }

    /// Takes the next turn; how long it is until then.
    pub(super) fn turn(&mut self, now: Instant) -> Duration {
        let due = self.due.map_or(now, |due| due.max(now));
        self.due = Some(due + self.interval);
        let ahead = due.saturating_duration_since(now);
        ahead.saturating_sub(self.interval * BURST)
    }

    /// Takes the next turn if it is now.
    pub(super) fn take(&mut self, now: Instant) -> bool {
        let due = self.due.map_or(now, |due| due.max(now));
        let is_now = due.saturating_duration_since(now) <= self.interval * BURST;
        if is_now {
            self.due = Some(due + self.interval);
        }
        is_now
    }
}

/// Waits longer after each failure in a row; lets one attempt through per wait.
#[derive(Debug)]
pub(super) struct Backoff {
    shortest: Duration,
    longest: Duration,
    failures: u32,
    until: Option<Instant>,
    reason: String,
}

impl Backoff {
    pub(super) fn new((shortest, longest): (Duration, Duration)) -> Self {
        Self {
            shortest,
            longest,
            failures: 0,
            until: None,
            reason: String::new(),
        }
    }

    /// Whether to try now. Whoever is let through after a wait is the only one
    /// until the attempt has succeeded or the next wait is over.
    ///
    /// # Errors
    /// Why not yet.
    pub(super) fn attempt(&mut self, now: Instant) -> Result<(), String> {
        let Some(until) = self.until else {
            return Ok(());
        };
        if now < until {
            // It is read long afterwards: nothing in it is about to happen.
            let reason = &self.reason;
            return Err(format!(
                "{reason}. That was moments before this poll, so this one was not asked about."
            ));
        }
        self.until = Some(now + self.wait());
        Ok(())
    }

    /// The attempt failed; `at_least` is what the server asked to wait. Gives how long it
    /// is until the next one.
    pub(super) fn failed(
        &mut self,
        now: Instant,
        reason: &str,
        at_least: Option<Duration>,
    ) -> Duration {
        self.failures = self.failures.saturating_add(1);
        reason.clone_into(&mut self.reason);
        let wait = self.wait().max(at_least.unwrap_or_default());
        let wait = wait.min(self.longest);
        self.until = Some(now + wait);
        wait
    }

    /// The attempt succeeded.
    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
        self.until = None;
    }

    fn wait(&self) -> Duration {
        let doublings = self.failures.saturating_sub(1).min(16);
        (self.shortest * (1 << doublings)).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn after_a_burst_requests_keep_their_distance() {
        let mut rate = Rate::new(10);
        let now = Instant::now();
        let waits: Vec<_> = (0..30).map(|_| rate.turn(now)).collect();
        assert!(waits[..=8].iter().all(Duration::is_zero));
        assert_eq!(waits[29], waits[19] + SECOND);
        assert_eq!(rate.turn(now + 10 * SECOND), Duration::ZERO);
    }

    #[test]
    fn what_may_not_wait_is_left_out_when_its_turn_is_not_now() {
        let mut rate = Rate::new(10);
        let now = Instant::now();
        let taken = (0..30).filter(|_| rate.take(now)).count();
        assert_eq!(taken, 9);
        assert!(rate.take(now + SECOND / 10));
        assert!(!rate.take(now + SECOND / 10));
    }

    #[test]
    fn waits_double_up_to_the_longest_and_let_one_through() {
        let mut backoff = Backoff::new((SECOND, 4 * SECOND));
        let mut now = Instant::now();
        assert_eq!(backoff.attempt(now), Ok(()));
        for wait in [1, 2, 4, 4] {
            backoff.failed(now, "refused", None);
            assert!(backoff.attempt(now).unwrap_err().contains("refused"));
            now += SECOND * wait;
            assert_eq!(backoff.attempt(now), Ok(()));
            assert!(
                backoff.attempt(now).is_err(),
                "a second attempt in one wait"
            );
        }
        backoff.succeeded();
        assert_eq!(backoff.attempt(now), Ok(()));
        assert_eq!(backoff.attempt(now), Ok(()));
    }

    #[test]
    fn a_server_that_asks_for_time_gets_it_within_bounds() {
        let mut backoff = Backoff::new((SECOND, 4 * SECOND));
        let now = Instant::now();
        backoff.failed(now, "429", Some(3 * SECOND));
        assert!(backoff.attempt(now + 2 * SECOND).is_err());
        backoff.failed(now, "429", Some(3600 * SECOND));
        assert!(backoff.attempt(now + 4 * SECOND).is_ok());
    }
}
