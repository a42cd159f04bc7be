//! From what the tap saw to exchanges in the journal.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread;

use bytes::Bytes;
use hashbrown::HashMap;
use jiff::Timestamp;
use parallax_captures::{Connection, ConnectionId, Journal, TlsSession, Unseen};
use parallax_codec::classic::Direction;
use tokio::select;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::clock::{Clock, Look};
use super::ending::{is_unserved, why};
use super::held::Held;
use super::not_accepted::cannot_accept;
use super::overload::Overload;
use super::ways::{Way, Ways};
use crate::analyst::Analyst;
use crate::findings::{ConnectionEvent, Happening};
use crate::limits::{
    CLAIM_SETTLES, GATHERED_BODY_BYTES, OBSERVATIONS_A_TURN, OBSERVATIONS_AT_ONCE, OBSERVE_EVERY,
};
use crate::relay::{CloseReason, Event, InFlight, Observation, Observations, Side};
use crate::session::{Session, SessionEvent};

/// Reads observations until the relay has ended.
pub(super) async fn observe(mut observations: Observations, journal: Arc<Journal>, ways: Ways) {
    let mut observer = Observer {
        journal,
        ways,
        sessions: HashMap::new(),
        events: Vec::new(),
        passed: Vec::new(),
        held: Held::default(),
        clock: Clock::default(),
    };
    let mut batch = Vec::new();
    let mut overload = Overload::default();
    let mut settling = interval(CLAIM_SETTLES);
    settling.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let count = select! {
            count = observations.recv_many(&mut batch, OBSERVATIONS_AT_ONCE) => count,
            _ = settling.tick() => {
                observer.look_at_the_clock();
                observer.end_abandoned(Timestamp::now());
                observer.ways.probe_due(|analyst| analyst.settle(Timestamp::now()));
                continue;
            }
        };
        if count == 0 {
            break;
        }
        let keeps_up = count < OBSERVATIONS_AT_ONCE;
        for (done, observation) in batch.drain(..).enumerate() {
            // Where one processor is all there is, the relay's thread has its turn. Where
            // other programs want it too, each of these waits until they are done with
            // theirs: nothing is given away once more waits than was taken.
            if keeps_up && done % OBSERVATIONS_A_TURN == OBSERVATIONS_A_TURN - 1 {
                thread::yield_now();
            }
            let bytes = observation.bytes();
            observer.observe(observation);
            observations.looked_at(bytes);
        }
        observer.tell_passed();
        overload.tell(observations.counters(), &observer.journal);
        // While nobody waits for them, the relay's threads need not wake anybody.
        if keeps_up {
            sleep(OBSERVE_EVERY).await;
        }
    }
    observer.ways.probe_due(Analyst::finish);
}

struct Observer {
    journal: Arc<Journal>,
    ways: Ways,
    sessions: HashMap<u64, Tracked>,
    events: Vec<SessionEvent>,
    /// Connections on which bytes passed that the journal does not count yet.
    passed: Vec<ConnectionId>,
    /// What all sessions hold.
    held: Held,
    clock: Clock,
}

/// A connection's way and session, and where its state is told to the relay.
struct Tracked {
    way: Arc<Way>,
    session: Session,
    in_flight: InFlight,
    passed: Passed,
    /// Bytes that the session holds.
    held: usize,
}

/// Bytes that passed on a connection.
#[derive(Default)]
struct Passed {
    to_server: u64,
    to_client: u64,
    unobserved: u64,
}

impl Observer {
    fn observe(&mut self, observation: Observation) {
        let Observation {
            connection,
            time,
            event,
        } = observation;
        let id = ConnectionId(connection);
        match event {
            Event::Opened {
                route,
                client,
                upstream,
                in_flight,
            } => {
                // Until the name is resolved the server's address is not known.
                let server = upstream
                    .parse()
                    .unwrap_or_else(|_| SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)));
                self.opened(
                    route,
                    in_flight,
                    Connection::opened(id, client, server, time),
                );
            }
            Event::Connected { upstream, .. } => {
                self.journal.update_connection(id, |c| c.server = upstream);
            }
            Event::Secured { side, session } => self.secured(id, side, *session),
            Event::Bytes { direction, bytes } => self.bytes(id, time, direction, bytes),
            Event::Lost {
                direction,
                bytes,
                observations,
                since,
            } => {
                let unseen = Unseen {
                    direction,
                    bytes,
                    observations,
                    since,
                    until: time,
                };
                self.lost(id, &unseen);
            }
            Event::InPath { note, .. } => {
                if let Some(tracked) = self.sessions.get_mut(&connection) {
                    tracked.session.altered(note, &mut self.events);
                }
            }
            Event::HalfClosed {
                direction: Direction::ToClient,
            } => self.server_ended(id, time),
            Event::HalfClosed {
                direction: Direction::ToServer,
            } => {}
            Event::Closed {
                reason,
                to_server,
                to_client,
            } => self.closed(id, time, &reason, (to_server, to_client)),
            Event::Refused {
                route,
                client,
                limit,
            } => {
                let server = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
                self.open(route, Connection::opened(id, client, server, time));
                let why = format!("turned away: {limit} connections are open, and no more may be");
                self.close(id, time, why, true);
            }
            Event::NotAccepted { route, error } => {
                if let Some(way) = self.ways.get(route) {
                    way.analyst
                        .of_parallax(cannot_accept(way.listen, &error, time));
                }
            }
        }
        self.drain_events(id);
    }

    fn closed(
        &mut self,
        id: ConnectionId,
        time: Timestamp,
        reason: &CloseReason,
        passed: (u64, u64),
    ) {
        let (by_client, by_server) = by(reason);
        if by_server {
            self.server_ended(id, time);
        }
        self.tell_passed();
        let tls = self.journal.connection(id).and_then(|one| one.tls);
        let is_plain = tls.is_none_or(|tls| tls.server.is_none());
        let why = why(reason, passed, is_plain);
        self.close(id, time, why, is_unserved(reason, passed.1));
        self.happened(id, time, Happening::Closed { by_client });
        self.forget(id.0);
    }

    fn bytes(&mut self, id: ConnectionId, time: Timestamp, direction: Direction, bytes: Bytes) {
        let sessions = self.sessions.len();
        let Some(tracked) = self.sessions.get_mut(&id.0) else {
            return;
        };
        let count = bytes.len();
        if !self.held.has_room(sessions, tracked.held, count) {
            tracing::debug!(connection = id.0, "too much is held of what is not whole");
            self.journal
                .update_totals(|totals| totals.observations_dropped += 1);
            let unseen = Unseen {
                direction,
                bytes: count as u64,
                observations: 1,
                since: time,
                until: time,
            };
            return self.lost(id, &unseen);
        }
        if tracked.passed.add(direction, count as u64, 0) {
            self.passed.push(id);
        }
        let session = &mut tracked.session;
        session.bytes(direction, time, bytes, &mut self.events);
        tracked.in_flight.set(session.is_in_flight());
        self.held.update(&mut tracked.held, session.held());
    }

    /// Bytes that the tap lost, or for which there is no room here.
    fn lost(&mut self, id: ConnectionId, unseen: &Unseen) {
        let &Unseen {
            direction, bytes, ..
        } = unseen;
        if let Some(tracked) = self.sessions.get_mut(&id.0) {
            if tracked.passed.add(direction, bytes, bytes) {
                self.passed.push(id);
            }
            let session = &mut tracked.session;
            session.lost(direction, bytes, &mut self.events);
            tracked.in_flight.set(session.is_in_flight());
            self.held.update(&mut tracked.held, session.held());
        }
        self.drain_events(id);
        self.journal.note_gap(id, unseen);
    }

    fn look_at_the_clock(&mut self) {
        if let Some(step) = self.clock.look(&Look::now())
            && let Some(way) = self.ways.get(0)
        {
            way.analyst.of_parallax(step);
        }
    }

    /// Connections whose end there was no room to tell of: nothing more comes of them.
    fn end_abandoned(&mut self, time: Timestamp) {
        let sessions = self.sessions.iter();
        let over = sessions.filter(|(_, tracked)| tracked.in_flight.is_abandoned());
        let over: Vec<u64> = over.map(|(id, _)| *id).collect();
        if !over.is_empty() {
            self.tell_passed();
        }
        for connection in over {
            let id = ConnectionId(connection);
            self.close(id, time, ENDED_UNSEEN.to_owned(), false);
            self.forget(connection);
        }
    }

    /// Nothing more comes of this connection.
    fn forget(&mut self, connection: u64) {
        if let Some(mut tracked) = self.sessions.remove(&connection) {
            self.held.update(&mut tracked.held, 0);
        }
    }

    fn opened(&mut self, route: usize, in_flight: InFlight, connection: Connection) {
        let Connection {
            id, client, opened, ..
        } = connection;
        let Some(way) = self.open(route, connection) else {
            return;
        };
        let reached = way.listen;
        let tracked = Tracked {
            way,
            session: Session::gathering(id, false, GATHERED_BODY_BYTES),
            in_flight,
            passed: Passed::default(),
            held: 0,
        };
        self.sessions.insert(id.0, tracked);
        self.happened(id, opened, Happening::Opened { client, reached });
    }

    fn open(&self, route: usize, connection: Connection) -> Option<Arc<Way>> {
        let way = self.ways.get(route)?;
        self.journal.open_connection(Connection {
            route: way.name.clone(),
            ..connection
        });
        Some(way)
    }

    fn secured(&self, id: ConnectionId, side: Side, session: TlsSession) {
        self.journal.update_connection(id, |connection| {
            let tls = connection.tls.get_or_insert_default();
            match side {
                Side::Client => tls.client = Some(session),
                Side::Server => tls.server = Some(session),
            }
        });
    }

    /// The server sends nothing more on this connection.
    fn server_ended(&self, id: ConnectionId, time: Timestamp) {
        let tracked = self.sessions.get(&id.0);
        let waiting = tracked.and_then(|tracked| tracked.session.waiting());
        let waiting = waiting.map_or(0, |(count, _)| count);
        self.happened(id, time, Happening::ServerEnded { waiting });
    }

    fn happened(&self, conn: ConnectionId, time: Timestamp, what: Happening) {
        if let Some(Tracked { way, .. }) = self.sessions.get(&conn.0) {
            let due = way
                .analyst
                .connection(&ConnectionEvent { conn, time, what });
            way.probe(due);
        }
    }

    /// Has the journal count what passed since it was last told: once for many
    /// observations, for whoever looks at a connection is told of each change.
    fn tell_passed(&mut self) {
        let mut ids = std::mem::take(&mut self.passed);
        for id in ids.drain(..) {
            let Some(tracked) = self.sessions.get_mut(&id.0) else {
                continue;
            };
            let passed = std::mem::take(&mut tracked.passed);
            let waiting = tracked.session.waiting();
            self.journal.update_connection(id, |connection| {
                connection.bytes_to_server += passed.to_server;
                connection.bytes_to_client += passed.to_client;
                connection.bytes_unobserved += passed.unobserved;
                connection.waiting = waiting;
            });
        }
        self.passed = ids;
    }

    /// Of one that was turned away there is no session.
    fn close(&mut self, id: ConnectionId, time: Timestamp, why: String, unserved: bool) {
        if let Some(Tracked { way, session, .. }) = self.sessions.get_mut(&id.0) {
            let way = Arc::clone(way);
            session.closed(&mut self.events);
            self.drain_events(id);
            if let Some(mirror) = &way.mirror {
                mirror.closed(id);
            }
        }
        self.journal.update_connection(id, |connection| {
            connection.closed = Some((time, why));
            connection.unserved = unserved;
            connection.waiting = None;
        });
    }

    fn drain_events(&mut self, id: ConnectionId) {
        let mut events = std::mem::take(&mut self.events);
        let Some(Tracked { way, .. }) = self.sessions.get(&id.0) else {
            return;
        };
        for event in events.drain(..) {
            match event {
                SessionEvent::Exchange(exchange) => way.record(exchange),
                SessionEvent::Skewed(skew) => way.analyst.skewed(id, &skew),
                SessionEvent::TokenTried {
                    time,
                    token,
                    accepted,
                } => self.happened(id, time, Happening::TokenTried { token, accepted }),
                event => {
                    self.journal.update_connection(id, |c| event.tell(c));
                    way.tell_mirror(id, event);
                }
            }
        }
        self.events = events;
    }
}

/// Why a connection ended of whose end nothing was told.
const ENDED_UNSEEN: &str = "it ended while more passed than could be looked at";

impl Passed {
    /// Adds bytes, of which so many passed unseen. Whether they are the first.
    fn add(&mut self, direction: Direction, length: u64, unobserved: u64) -> bool {
        let is_first = self.to_server + self.to_client == 0;
        match direction {
            Direction::ToServer => self.to_server += length,
            Direction::ToClient => self.to_client += length,
        }
        self.unobserved += unobserved;
        is_first
    }
}

/// Whether the client, and whether the server, ended a connection of itself.
const fn by(reason: &CloseReason) -> (bool, bool) {
    match reason {
        CloseReason::ClientClosed => (true, false),
        CloseReason::ServerClosed => (false, true),
        CloseReason::Reset { by } | CloseReason::CutOff { by } | CloseReason::Failed { by, .. } => {
            (matches!(by, Side::Client), matches!(by, Side::Server))
        }
        CloseReason::CutOnPurpose
        | CloseReason::Drained
        | CloseReason::Halted
        | CloseReason::Reaped
        | CloseReason::Tls { .. }
        | CloseReason::UpstreamUnavailable { .. } => (false, false),
    }
}
