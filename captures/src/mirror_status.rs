//! How the HTTP mirror is doing, for the page.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::limits::MIRROR_RATE_SECONDS;
use crate::route::RouteName;

/// The mirror's state and figures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MirrorStatus {
    /// Whose server it asks, where there are routes with names.
    pub route: Option<RouteName>,
    /// Where it asks: scheme, host and port.
    pub server: String,
    /// Whether it can ask.
    pub state: MirrorState,
    /// HTTP requests sent, logins included.
    pub requests: u64,
    /// Of those, how many brought no usable answer.
    pub failures: u64,
    /// Most requests a second that it may send; `None` where nothing was said of it.
    pub limit_per_second: Option<u32>,
    /// Whom it asked as last: the kind of credentials and the user's name, never more.
    pub whom: Option<String>,
    /// Whether it asks as one and the same, whom it was told; else as the user of each
    /// connection.
    pub is_whom_given: bool,
    /// Requests in each of the latest seconds in which there was one; by seconds since
    /// 1970.
    pub recent: VecDeque<(i64, u64)>,
    /// Requests over parallax's own TCP connections, logins not counted.
    pub tcp_requests: u64,
}

impl MirrorStatus {
    /// Counts a request that is sent at this time.
    pub fn asked(&mut self, time: Timestamp) {
        self.requests += 1;
        match self.recent.back_mut() {
            Some((second, count)) if *second == time.as_second() => *count += 1,
            _ => self.recent.push_back((time.as_second(), 1)),
        }
        if self.recent.len() > MIRROR_RATE_SECONDS + 1 {
            self.recent.pop_front();
        }
    }

    /// Requests a second, over the [`MIRROR_RATE_SECONDS`] before this time.
    pub fn rate(&self, now: Timestamp) -> f64 {
        let seconds = i64::try_from(MIRROR_RATE_SECONDS).unwrap_or(i64::MAX);
        let range = now.as_second() - seconds..now.as_second();
        let recent = self.recent.iter();
        let requests: u64 = recent
            .filter(|(second, _)| range.contains(second))
            .map(|(_, count)| count)
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
        let rate = requests as f64 / MIRROR_RATE_SECONDS as f64;
        rate
    }
}

/// Whether the mirror can ask.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MirrorState {
    /// As far as it knows.
    #[default]
    Ok,
    /// HTTP does not answer; it waits before it asks again.
    BackingOff {
        /// Since when nothing was answered.
        since: Timestamp,
        /// When it asks again at the earliest; `None` where nothing was said of it.
        until: Option<Timestamp>,
        /// What happened at the latest attempt.
        reason: String,
    },
    /// HTTP answers, but not to the user whom the mirror asks as.
    Unauthenticated {
        /// Since when.
        since: Timestamp,
        /// When it asks again at the earliest; `None` where nothing was said of it.
        until: Option<Timestamp>,
        /// What happened at the latest attempt.
        reason: String,
    },
    /// HTTP answers polls with what is no answer to one: an error page, a redirect, JSON
    /// of another kind. It is asked on.
    Unusable {
        /// Since when.
        since: Timestamp,
        /// What the latest answer was.
        reason: String,
    },
}

/// What keeps a mirror from comparing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MirrorTrouble<'a> {
    /// Since when.
    pub since: Timestamp,
    /// When it asks again at the earliest; `None` where nothing was said of it, or it
    /// goes on asking.
    pub until: Option<Timestamp>,
    /// What happened at the latest attempt.
    pub reason: &'a str,
}

impl MirrorState {
    /// What keeps it from comparing; `None` where nothing does.
    pub fn trouble(&self) -> Option<MirrorTrouble<'_>> {
        let (since, until, reason) = match self {
            Self::Ok => return None,
            Self::BackingOff {
                since,
                until,
                reason,
            }
            | Self::Unauthenticated {
                since,
                until,
                reason,
            } => (since, *until, reason),
            Self::Unusable { since, reason } => (since, None, reason),
        };
        Some(MirrorTrouble {
            since: *since,
            until,
            reason,
        })
    }

    /// The name in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::BackingOff { .. } => "backing_off",
            Self::Unauthenticated { .. } => "unauthenticated",
            Self::Unusable { .. } => "unusable",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn the_rate_is_that_of_the_latest_whole_seconds_and_no_more_is_remembered() {
        let mut status = MirrorStatus::default();
        for second in 0..100 {
            for _ in 0..3 {
                status.asked(at(second));
            }
        }
        assert_eq!(status.requests, 300);
        assert_eq!(status.recent.len(), MIRROR_RATE_SECONDS + 1);
        assert!((status.rate(at(100)) - 3.0).abs() < 1e-9);
        assert!((status.rate(at(105)) - 1.5).abs() < 1e-9);
        assert!(status.rate(at(200)) < 1e-9);
    }
}
