//! The way of observations to whoever looks at them.
//!
//! Bounded twice, by their number and by the bytes they hold. The relay never
//! waits here: what does not fit is counted and announced later.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use bytes::Bytes;
use jiff::Timestamp;
use parallax_codec::classic::Direction;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::sleep;

use super::counters::Count;
use super::{Event, InFlight, Observation, Shutdown};
use crate::limits;

/// A tap and the end where its observations come out.
pub fn tap(limits: TapLimits) -> (Tap, Observations) {
    let (sender, receiver) = mpsc::channel(limits.observations.clamp(1, Semaphore::MAX_PERMITS));
    let shared = Arc::new(Shared {
        byte_limit: limits.bytes,
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
}

impl Default for TapLimits {
    fn default() -> Self {
        Self {
            observations: limits::TAP_OBSERVATIONS,
            bytes: limits::TAP_BYTES,
        }
    }
}

/// Where the relay puts its observations.
#[derive(Debug, Clone)]
pub struct Tap {
    sender: mpsc::Sender<Observation>,
    shared: Arc<Shared>,
}

/// Where the observations of all connections come out, each connection's in order.
#[derive(Debug)]
pub struct Observations {
    receiver: mpsc::Receiver<Observation>,
    shared: Arc<Shared>,
}

/// What the tap could not take. May be read at any time, from any thread.
#[derive(Debug, Default)]
pub struct TapCounters {
    observations_dropped: Count,
    bytes_dropped: Count,
}

#[derive(Debug)]
struct Shared {
    byte_limit: usize,
    counters: TapCounters,
    farewells: Semaphore,
    /// Observed bytes that wait.
    waiting: AtomicUsize,
}

impl Observations {
    /// The next observation; none once the relay has ended and all were taken.
    pub async fn recv(&mut self) -> Option<Observation> {
        let observation = self.receiver.recv().await?;
        self.taken(std::slice::from_ref(&observation));
        Some(observation)
    }

    /// The next observations, at least one and at most so many, put behind what is in
    /// `batch`, and their number; 0 once the relay has ended and all were taken. May be
    /// given up at any time without losing one.
    pub async fn recv_many(&mut self, batch: &mut Vec<Observation>, most: usize) -> usize {
        let before = batch.len();
        let count = self.receiver.recv_many(batch, most).await;
        self.taken(&batch[before..]);
        count
    }

    fn taken(&self, observations: &[Observation]) {
        let bytes = observations.iter().map(|one| match &one.event {
            Event::Bytes { bytes, .. } => bytes.len(),
            _ => 0,
        });
        self.shared
            .waiting
            .fetch_sub(bytes.sum(), Ordering::Relaxed);
    }

    /// What did not fit.
    pub fn counters(&self) -> &TapCounters {
        &self.shared.counters
    }
}

impl Tap {
    /// What did not fit.
    pub fn counters(&self) -> &TapCounters {
        &self.shared.counters
    }

    /// A client was turned away; said if there is room.
    pub(super) fn refused(&self, connection: u64, client: SocketAddr, limit: usize) {
        let event = Event::Refused { client, limit };
        if self.offer(connection, Timestamp::now(), event).is_err() {
            self.shared.counters.observations_dropped.add(1);
        }
    }

    fn offer(&self, connection: u64, time: Timestamp, event: Event) -> Result<(), Box<Event>> {
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
    fn admit(&self, bytes: usize) -> bool {
        let before = self.shared.waiting.fetch_add(bytes, Ordering::Relaxed);
        let fits = before.saturating_add(bytes) <= self.shared.byte_limit;
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
}

/// One connection's way into the tap. It remembers what it could not say yet.
#[derive(Debug)]
pub(super) struct ConnectionTap {
    tap: Tap,
    connection: u64,
    client: SocketAddr,
    upstream: Arc<str>,
    in_flight: InFlight,
    opened_at: Timestamp,
    /// Something below is still to be said: one look per observation.
    behind: AtomicBool,
    opening_said: AtomicBool,
    lost_to_server: AtomicU64,
    lost_to_client: AtomicU64,
}

impl ConnectionTap {
    /// Begins with `Opened`.
    pub(super) fn open(tap: Tap, connection: u64, client: SocketAddr, upstream: Arc<str>) -> Self {
        let this = Self {
            tap,
            connection,
            client,
            upstream,
            in_flight: InFlight::default(),
            opened_at: Timestamp::now(),
            behind: AtomicBool::new(true),
            opening_said: AtomicBool::new(false),
            lost_to_server: AtomicU64::new(0),
            lost_to_client: AtomicU64::new(0),
        };
        this.catch_up();
        this
    }

    /// What the tap's reader knows of open requests.
    pub(super) fn in_flight(&self) -> InFlight {
        self.in_flight.clone()
    }

    pub(super) fn connected(&self, upstream: SocketAddr, local: SocketAddr) {
        self.say(Event::Connected { upstream, local });
    }

    pub(super) fn half_closed(&self, direction: Direction) {
        self.say(Event::HalfClosed { direction });
    }

    /// Bytes that have been passed on.
    pub(super) fn bytes(&self, time: Timestamp, direction: Direction, bytes: Bytes) {
        let count = bytes.len();
        if self.catch_up() && self.tap.admit(count) {
            let event = Event::Bytes { direction, bytes };
            if self.tap.offer(self.connection, time, event).is_ok() {
                return;
            }
            self.tap.shared.waiting.fetch_sub(count, Ordering::Relaxed);
        }
        let counters = &self.tap.shared.counters;
        counters.observations_dropped.add(1);
        counters.bytes_dropped.add(count as u64);
        self.lost(direction)
            .fetch_add(count as u64, Ordering::Relaxed);
        self.behind.store(true, Ordering::Relaxed);
    }

    /// Says `Closed`, after whatever is still to be said; waits for room within
    /// limits. To be called when nothing waits for this connection any more.
    pub(super) async fn close(self, event: Event, shutdown: &Shutdown) {
        let time = Timestamp::now();
        let farewell = async {
            let _place = self.tap.shared.farewells.try_acquire().ok()?;
            loop {
                let room = self.tap.sender.reserve().await.ok()?;
                let Some((time, event)) = self.outstanding() else {
                    return Some(room);
                };
                room.send(self.observation(time, event));
            }
        };
        let room = tokio::select! {
            biased;
            room = farewell => room,
            () = shutdown.halted() => None,
            () = sleep(limits::TAP_FAREWELL_WAIT) => None,
        };
        match room {
            Some(room) => room.send(self.observation(time, event)),
            None => self.tap.shared.counters.observations_dropped.add(1),
        }
    }

    /// Says an event that carries no bytes, or drops it.
    fn say(&self, event: Event) {
        let said = self.catch_up()
            && self
                .tap
                .offer(self.connection, Timestamp::now(), event)
                .is_ok();
        if !said {
            self.tap.shared.counters.observations_dropped.add(1);
        }
    }

    /// Says what is still to be said, in its order; whether that is now all said.
    fn catch_up(&self) -> bool {
        if !self.behind.load(Ordering::Relaxed) {
            return true;
        }
        while let Ok(room) = self.tap.sender.try_reserve() {
            let Some((time, event)) = self.outstanding() else {
                self.behind.store(false, Ordering::Relaxed);
                return true;
            };
            room.send(self.observation(time, event));
        }
        false
    }

    /// The first thing that is still to be said, taken as said.
    fn outstanding(&self) -> Option<(Timestamp, Event)> {
        if !self.opening_said.swap(true, Ordering::Relaxed) {
            let event = Event::Opened {
                client: self.client,
                upstream: Arc::clone(&self.upstream),
                in_flight: self.in_flight.clone(),
            };
            return Some((self.opened_at, event));
        }
        [Direction::ToServer, Direction::ToClient]
            .into_iter()
            .find_map(
                |direction| match self.lost(direction).swap(0, Ordering::Relaxed) {
                    0 => None,
                    bytes => Some((Timestamp::now(), Event::Lost { direction, bytes })),
                },
            )
    }

    fn lost(&self, direction: Direction) -> &AtomicU64 {
        match direction {
            Direction::ToServer => &self.lost_to_server,
            Direction::ToClient => &self.lost_to_client,
        }
    }

    fn observation(&self, time: Timestamp, event: Event) -> Observation {
        Observation {
            connection: self.connection,
            time,
            event,
        }
    }
}
