//! One connection's way into the tap.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::TlsSession;
use parallax_codec::classic::Direction;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::sleep;

use super::overload::{OnOverload, Unsaid};
use super::tap::Tap;
use super::{Event, InFlight, Note, Observation, RelayConfig, Shutdown, Side};
use crate::limits;

/// It remembers what it could not say yet.
#[derive(Debug)]
pub(super) struct ConnectionTap {
    pub(super) tap: Tap,
    pub(super) connection: u64,
    client: SocketAddr,
    config: Arc<RelayConfig>,
    in_flight: InFlight,
    opened_at: Timestamp,
    /// Something in `outstanding` is still to be said: one look per observation.
    behind: AtomicBool,
    /// Both directions are of one task, so nobody ever waits for it. `None` where all is
    /// said, so that a connection that is not behind holds nothing for it.
    outstanding: Mutex<Option<Box<Outstanding>>>,
}

/// What is still to be said, in this order.
#[derive(Debug, Default)]
struct Outstanding {
    opened_is_said: bool,
    /// That the server was reached, and each end's handshake.
    established: VecDeque<(Timestamp, Event)>,
    /// Where nothing may be lost: at most one of each direction.
    unsaid: Vec<Unsaid>,
    lost: [Option<Lost>; 2],
    half_closed: [Option<Timestamp>; 2],
}

/// Observations of one direction for which there was no room.
#[derive(Debug, Clone, Copy)]
struct Lost {
    bytes: u64,
    observations: u64,
    since: Timestamp,
    until: Timestamp,
}

impl ConnectionTap {
    /// Begins with `Opened`.
    pub(super) fn open(
        tap: Tap,
        connection: u64,
        client: SocketAddr,
        config: &Arc<RelayConfig>,
    ) -> Self {
        let this = Self {
            tap,
            connection,
            client,
            config: Arc::clone(config),
            in_flight: InFlight::default(),
            opened_at: Timestamp::now(),
            behind: AtomicBool::new(true),
            outstanding: Mutex::new(Some(Box::default())),
        };
        this.catch_up();
        this
    }

    /// What the tap's reader knows of open requests.
    pub(super) fn in_flight(&self) -> InFlight {
        self.in_flight.clone()
    }

    pub(super) fn connected(&self, upstream: SocketAddr, local: SocketAddr) {
        self.established(Event::Connected { upstream, local });
    }

    pub(super) fn secured(&self, side: Side, session: TlsSession) {
        let session = Box::new(session);
        self.established(Event::Secured { side, session });
    }

    fn established(&self, event: Event) {
        let told = (Timestamp::now(), event);
        self.put(|outstanding| outstanding.established.push_back(told));
        self.catch_up();
    }

    pub(super) fn half_closed(&self, direction: Direction) {
        let time = Timestamp::now();
        self.put(|outstanding| outstanding.half_closed[index(direction)] = Some(time));
        self.catch_up();
    }

    /// Bytes that have been passed on; given back where they are to wait for room.
    pub(super) fn bytes(
        &self,
        time: Timestamp,
        direction: Direction,
        bytes: Bytes,
    ) -> Option<Unsaid> {
        let count = bytes.len();
        self.observe(time, direction, Event::Bytes { direction, bytes }, count)
    }

    /// What was done in the path, likewise.
    pub(super) fn note(&self, time: Timestamp, direction: Direction, note: Note) -> Option<Unsaid> {
        self.observe(time, direction, Event::InPath { direction, note }, 0)
    }

    fn observe(
        &self,
        time: Timestamp,
        direction: Direction,
        event: Event,
        count: usize,
    ) -> Option<Unsaid> {
        let event = if self.catch_up() && self.tap.admit(count) {
            match self.tap.offer(self.connection, time, event) {
                Ok(()) => return None,
                Err(event) => {
                    self.tap.shared.waiting.fetch_sub(count, Ordering::Relaxed);
                    *event
                }
            }
        } else {
            event
        };
        match self.tap.shared.on_overload {
            OnOverload::SlowClients => Some(Unsaid { time, event, count }),
            OnOverload::LoseObservations => {
                self.lose(time, direction, count as u64);
                None
            }
        }
    }

    /// Nobody waits for room for this any more.
    pub(super) fn leave(&self, unsaid: Unsaid) {
        self.put(|outstanding| outstanding.unsaid.push(unsaid));
    }

    #[cold]
    fn lose(&self, time: Timestamp, direction: Direction, count: u64) {
        let counters = &self.tap.shared.counters;
        counters.observations_dropped.add(1);
        counters.bytes_dropped.add(count);
        self.put(|outstanding| {
            let lost = outstanding.lost[index(direction)].get_or_insert(Lost {
                bytes: 0,
                observations: 0,
                since: time,
                until: time,
            });
            lost.bytes += count;
            lost.observations += 1;
            lost.until = time;
        });
    }

    /// Says `Closed`, after whatever is still to be said; waits for room within
    /// limits. To be called when nothing waits for this connection any more. Its place
    /// among those that may be open is free at once, unless nothing may be lost.
    pub(super) async fn close(
        self,
        event: Event,
        place: OwnedSemaphorePermit,
        shutdown: &Shutdown,
    ) {
        let time = Timestamp::now();
        let may_lose = self.tap.shared.on_overload == OnOverload::LoseObservations;
        let place = (!may_lose).then_some(place);
        let farewell = async {
            let _farewell = match &place {
                None => Some(self.tap.shared.farewells.try_acquire().ok()?),
                Some(_) => None,
            };
            loop {
                let room = self.tap.sender.reserve().await.ok()?;
                let Some((time, event)) = self.next_outstanding() else {
                    return Some(room);
                };
                room.send(self.observation(time, event));
            }
        };
        let room = tokio::select! {
            biased;
            room = farewell => room,
            () = shutdown.halted() => None,
            () = sleep(limits::TAP_FAREWELL_WAIT), if may_lose => None,
        };
        let Some(room) = room else {
            self.in_flight.abandon();
            let outstanding = self.outstanding().take();
            let unsaid = outstanding.map_or_else(Vec::new, |one| one.unsaid);
            let counters = &self.tap.shared.counters;
            counters.observations_dropped.add(1 + unsaid.len() as u64);
            let bytes = unsaid.iter().map(|one| one.count as u64).sum();
            counters.bytes_dropped.add(bytes);
            return;
        };
        room.send(self.observation(time, event));
    }

    /// Adds to what is still to be said.
    fn put(&self, put: impl FnOnce(&mut Outstanding)) {
        let said = || {
            Box::new(Outstanding {
                opened_is_said: true,
                ..Outstanding::default()
            })
        };
        put(self.outstanding().get_or_insert_with(said));
        self.behind.store(true, Ordering::Relaxed);
    }

    /// Says what is still to be said, in its order; whether that is now all said.
    pub(super) fn catch_up(&self) -> bool {
        !self.behind.load(Ordering::Relaxed) || self.say_outstanding()
    }

    #[cold]
    fn say_outstanding(&self) -> bool {
        while let Ok(room) = self.tap.sender.try_reserve() {
            let Some((time, event)) = self.next_outstanding() else {
                self.behind.store(false, Ordering::Relaxed);
                return true;
            };
            room.send(self.observation(time, event));
        }
        false
    }

    /// The first thing that is still to be said, taken as said.
    fn next_outstanding(&self) -> Option<(Timestamp, Event)> {
        let mut all = self.outstanding();
        let outstanding = all.as_mut()?;
        if !std::mem::replace(&mut outstanding.opened_is_said, true) {
            let event = Event::Opened {
                route: self.config.route,
                client: self.client,
                upstream: Arc::clone(&self.config.upstream),
                in_flight: self.in_flight.clone(),
            };
            return Some((self.opened_at, event));
        }
        if let Some(established) = outstanding.established.pop_front() {
            return Some(established);
        }
        if !outstanding.unsaid.is_empty() {
            let Unsaid { time, event, count } = outstanding.unsaid.remove(0);
            let waiting = &self.tap.shared.waiting;
            waiting.fetch_add(count, Ordering::Relaxed);
            return Some((time, event));
        }
        for direction in [Direction::ToServer, Direction::ToClient] {
            if let Some(lost) = outstanding.lost[index(direction)].take() {
                let event = Event::Lost {
                    direction,
                    bytes: lost.bytes,
                    observations: lost.observations,
                    since: lost.since,
                };
                return Some((lost.until, event));
            }
        }
        for direction in [Direction::ToServer, Direction::ToClient] {
            if let Some(time) = outstanding.half_closed[index(direction)].take() {
                return Some((time, Event::HalfClosed { direction }));
            }
        }
        *all = None;
        None
    }

    fn outstanding(&self) -> MutexGuard<'_, Option<Box<Outstanding>>> {
        self.outstanding
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn observation(&self, time: Timestamp, event: Event) -> Observation {
        Observation {
            connection: self.connection,
            time,
            event,
        }
    }
}

const fn index(direction: Direction) -> usize {
    match direction {
        Direction::ToServer => 0,
        Direction::ToClient => 1,
    }
}
