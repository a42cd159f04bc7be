//! When bytes last moved on a connection, and which way.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use parallax_codec::classic::Direction;
use tokio::time::{Instant, sleep_until};

use super::InFlight;

const NONE: u8 = 0;
const TO_SERVER: u8 = 1;
const TO_CLIENT: u8 = 2;

/// Both directions write it, and the same task reads it, so the atomics are
/// never contended. The clock is read for it only once somebody waits for
/// silence.
#[derive(Debug)]
pub(super) struct Activity {
    to_server: AtomicU64,
    to_client: AtomicU64,
    /// The direction of the latest bytes.
    latest: AtomicU8,
    /// Directions whose peer does not take what is there for it.
    stuck: AtomicU8,
    watched: AtomicBool,
    epoch: Instant,
    /// Nanoseconds from `epoch` to the latest movement while watched.
    moved: AtomicU64,
    /// What the tap's reader knows of open requests.
    in_flight: InFlight,
}

impl Activity {
    pub(super) fn new(in_flight: InFlight) -> Self {
        Self {
            to_server: AtomicU64::new(0),
            to_client: AtomicU64::new(0),
            latest: AtomicU8::new(NONE),
            stuck: AtomicU8::new(0),
            watched: AtomicBool::new(false),
            epoch: Instant::now(),
            moved: AtomicU64::new(0),
            in_flight,
        }
    }

    /// Bytes were read.
    pub(super) fn read(&self, direction: Direction) {
        self.latest.store(mark(direction), Ordering::Relaxed);
        self.touch();
    }

    /// Bytes were taken by their peer.
    pub(super) fn wrote(&self, direction: Direction, count: usize) {
        let total = match direction {
            Direction::ToServer => &self.to_server,
            Direction::ToClient => &self.to_client,
        };
        total.fetch_add(count as u64, Ordering::Relaxed);
        self.touch();
    }

    /// Bytes that the receiving end of a direction has taken.
    pub(super) fn total(&self, direction: Direction) -> u64 {
        match direction {
            Direction::ToServer => &self.to_server,
            Direction::ToClient => &self.to_client,
        }
        .load(Ordering::Relaxed)
    }

    /// Whether the peer of a direction does not take what is there for it.
    pub(super) fn set_stuck(&self, direction: Direction, stuck: bool) {
        if stuck {
            self.stuck.fetch_or(mark(direction), Ordering::Relaxed);
        } else {
            self.stuck.fetch_and(!mark(direction), Ordering::Relaxed);
        }
    }

    /// From now on movements are timed.
    pub(super) fn watch(&self) {
        self.watched.store(true, Ordering::Relaxed);
        self.touch();
    }

    /// Waits until nothing has moved for as long as `period`. Needs [`Self::watch`].
    pub(super) async fn silence(&self, period: Duration) {
        loop {
            let moved = self.moved();
            sleep_until(moved + period).await;
            if self.moved() == moved {
                return;
            }
        }
    }

    /// Waits until nothing has moved for as long as `period` and no request
    /// seems to be in flight: the tap's reader knows of none, the latest bytes, if
    /// any, went to the client, and nobody is waited for. Needs [`Self::watch`].
    pub(super) async fn answered(&self, period: Duration) {
        loop {
            self.silence(period).await;
            let latest = self.latest.load(Ordering::Relaxed);
            let stuck = self.stuck.load(Ordering::Relaxed) != 0;
            if latest != TO_SERVER && !stuck && !self.in_flight.is_set() {
                return;
            }
            sleep_until(Instant::now() + period).await;
        }
    }

    fn touch(&self) {
        if self.watched.load(Ordering::Relaxed) {
            let nanoseconds = u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.moved.store(nanoseconds, Ordering::Relaxed);
        }
    }

    fn moved(&self) -> Instant {
        self.epoch + Duration::from_nanos(self.moved.load(Ordering::Relaxed))
    }
}

const fn mark(direction: Direction) -> u8 {
    match direction {
        Direction::ToServer => TO_SERVER,
        Direction::ToClient => TO_CLIENT,
    }
}
