//! What is done where looking at bytes falls behind passing them on.

use std::sync::atomic::Ordering;
use std::time::Instant;

use jiff::Timestamp;

use super::connection_tap::ConnectionTap;
use super::{Event, Observation, TapCounters};

/// What is done with an observation for which the tap has no room.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OnOverload {
    /// It is lost, counted, and announced. No client waits.
    #[default]
    LoseObservations,
    /// It waits. Its bytes have been passed on, but no more is read of its direction
    /// until there is room: nothing is lost, and the client is slowed down.
    SlowClients,
}

/// Bytes that have been passed on and wait for room in the tap.
#[derive(Debug)]
pub(super) struct Unsaid {
    pub(super) time: Timestamp,
    pub(super) event: Event,
    pub(super) count: usize,
}

impl ConnectionTap {
    /// Says it once there is room. May be given up at any time; then it is said before
    /// the connection's end.
    pub(super) async fn say_later(&self, unsaid: Unsaid) {
        let shared = &*self.tap.shared;
        shared.counters.waits.add(1);
        let mut held = Held {
            tap: self,
            unsaid: Some(unsaid),
        };
        while let Some(unsaid) = held.unsaid.take() {
            let mut room = std::pin::pin!(shared.room.notified());
            // Listens before it looks, so that no room is overheard.
            room.as_mut().enable();
            held.unsaid = self.try_say(unsaid);
            if held.unsaid.is_some() {
                let _waits = Waits::begin(&shared.counters);
                room.await;
            }
        }
    }

    /// Says it if there is room, else gives it back. Where nobody reads any more it is
    /// lost.
    fn try_say(&self, unsaid: Unsaid) -> Option<Unsaid> {
        let Unsaid { time, event, count } = unsaid;
        let sender = &self.tap.sender;
        let admitted = self.catch_up() && self.tap.admit(count);
        if admitted {
            if let Ok(room) = sender.try_reserve() {
                room.send(Observation {
                    connection: self.connection,
                    time,
                    event,
                });
                return None;
            }
            self.tap.shared.waiting.fetch_sub(count, Ordering::Relaxed);
        }
        if sender.is_closed() {
            self.tap.shared.counters.observations_dropped.add(1);
            return None;
        }
        Some(Unsaid { time, event, count })
    }
}

/// What waits; whoever gives up waiting leaves it to the connection's end.
struct Held<'a> {
    tap: &'a ConnectionTap,
    unsaid: Option<Unsaid>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Some(unsaid) = self.unsaid.take() {
            self.tap.leave(unsaid);
        }
    }
}

/// A wait that is counted when it ends, however it ends.
struct Waits<'a> {
    counters: &'a TapCounters,
    began: Instant,
}

impl<'a> Waits<'a> {
    fn begin(counters: &'a TapCounters) -> Self {
        Self {
            counters,
            began: Instant::now(),
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        let waited = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.counters.nanoseconds_waited.add(waited);
    }
}
