//! The way of observations to whoever looks at them.
//!
//! Bounded twice, by their number and by the bytes they hold. What does not fit is
//! counted and announced later, or waits where it was read: see [`OnOverload`].

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, Semaphore, mpsc};

use super::counters::Count;
use super::{Event, Observation, OnOverload};
use crate::limits;

/// A tap and the end where its observations come out.
pub fn tap(limits: TapLimits) -> (Tap, Observations) {
    let (sender, receiver) = mpsc::channel(limits.observations.clamp(1, Semaphore::MAX_PERMITS));
    let shared = Arc::new(Shared {
        byte_limit: limits.bytes,
        on_overload: limits.on_overload,
        room: Notify::new(),
        counters: TapCounters::default(),
        farewells: Semaphore::new(limits::TAP_FAREWELLS),
        waiting: AtomicUsize::new(0),
    });
    let observations = Observations {
        receiver,
        shared: Arc::clone(&shared),
    };
    (Tap { sender, shared }, observations)
}

/// How much may wait for the tap's reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TapLimits {
    /// Observations, see [`limits::TAP_OBSERVATIONS`]; at least 1.
    pub observations: usize,
    /// Observed bytes, see [`limits::TAP_BYTES`].
    pub bytes: usize,
    /// What is done where there is no more room.
    pub on_overload: OnOverload,
}

impl Default for TapLimits {
    fn default() -> Self {
        Self {
            observations: limits::TAP_OBSERVATIONS,
            bytes: limits::TAP_BYTES,
            on_overload: OnOverload::default(),
        }
    }
}

/// Where the relay puts its observations.
#[derive(Debug, Clone)]
pub struct Tap {
    pub(super) sender: mpsc::Sender<Observation>,
    pub(super) shared: Arc<Shared>,
}

/// Where the observations of all connections come out, each connection's in order.
#[derive(Debug)]
pub struct Observations {
    receiver: mpsc::Receiver<Observation>,
    shared: Arc<Shared>,
}

/// What the tap could not take, or not at once. May be read at any time, from any thread.
#[derive(Debug, Default)]
pub struct TapCounters {
    pub(super) observations_dropped: Count,
    pub(super) bytes_dropped: Count,
    pub(super) waits: Count,
    pub(super) nanoseconds_waited: Count,
}

#[derive(Debug)]
pub(super) struct Shared {
    byte_limit: usize,
    pub(super) on_overload: OnOverload,
    /// Told of each observation that was taken, where somebody may wait for room.
    pub(super) room: Notify,
    pub(super) counters: TapCounters,
    pub(super) farewells: Semaphore,
    /// Observed bytes that wait.
    pub(super) waiting: AtomicUsize,
}

impl Observations {
    /// The next observation; none once the relay has ended and all were taken.
    pub async fn recv(&mut self) -> Option<Observation> {
        let observation = self.receiver.recv().await?;
        self.looked_at(observation.bytes());
        Some(observation)
    }

    /// The next observations, at least one and at most so many, put behind what is in
    /// `batch`, and their number; 0 once the relay has ended and all were taken. May be
    /// given up at any time without losing one. What they hold waits still, until each has
    /// been [looked at](Self::looked_at): else twice as much could be held.
    pub async fn recv_many(&mut self, batch: &mut Vec<Observation>, most: usize) -> usize {
        self.receiver.recv_many(batch, most).await
    }

    /// An observation of a batch, which held so many [`bytes`](Observation::bytes), has
    /// been looked at.
    pub fn looked_at(&self, bytes: usize) {
        self.shared.waiting.fetch_sub(bytes, Ordering::Relaxed);
        if self.shared.on_overload == OnOverload::SlowClients {
            self.shared.room.notify_one();
        }
    }

    /// What did not fit.
    pub fn counters(&self) -> &TapCounters {
        &self.shared.counters
    }
}

impl Drop for Observations {
    /// Whoever waits for room would wait for ever.
    fn drop(&mut self) {
        self.receiver.close();
        self.shared.room.notify_waiters();
    }
}

impl Tap {
    /// What did not fit.
    pub fn counters(&self) -> &TapCounters {
        &self.shared.counters
    }

    /// A client was turned away; said if there is room.
    pub(super) fn refused(&self, connection: u64, route: usize, client: SocketAddr, limit: usize) {
        let event = Event::Refused {
            route,
            client,
            limit,
        };
        self.tell(connection, event);
    }

    /// The system gave no client; said if there is room.
    pub(super) fn not_accepted(&self, route: usize, error: &io::Error) {
        let error = error.to_string();
        let event = Event::NotAccepted { route, error };
        self.tell(0, event);
    }

    /// Says what happens now, and counts it where there is no room.
    fn tell(&self, connection: u64, event: Event) {
        if self.offer(connection, Timestamp::now(), event).is_err() {
            self.shared.counters.observations_dropped.add(1);
        }
    }

    pub(super) fn offer(
        &self,
        connection: u64,
        time: Timestamp,
        event: Event,
    ) -> Result<(), Box<Event>> {
        let observation = Observation {
            connection,
            time,
            event,
        };
        self.sender.try_send(observation).map_err(|error| {
            let (TrySendError::Full(observation) | TrySendError::Closed(observation)) = error;
            Box::new(observation.event)
        })
    }

    /// Reserves room for so many bytes.
    pub(super) fn admit(&self, bytes: usize) -> bool {
        let before = self.shared.waiting.fetch_add(bytes, Ordering::Relaxed);
        let fits = before.saturating_add(bytes) <= self.shared.byte_limit;
        // What never fits would be waited for in vain.
        let fits = fits || (before == 0 && self.shared.on_overload == OnOverload::SlowClients);
        if !fits {
            self.shared.waiting.fetch_sub(bytes, Ordering::Relaxed);
        }
        fits
    }
}

impl TapCounters {
    /// Observations that were dropped.
    pub fn observations_dropped(&self) -> u64 {
        self.observations_dropped.value()
    }

    /// Bytes that were passed on but not observed.
    pub fn bytes_dropped(&self) -> u64 {
        self.bytes_dropped.value()
    }

    /// Times that a direction of a connection waited for room.
    pub fn waits(&self) -> u64 {
        self.waits.value()
    }

    /// How long they waited, in all.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds_waited.value())
    }
}
