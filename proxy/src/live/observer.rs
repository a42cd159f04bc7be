//! From what the tap saw to exchanges in the journal.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread;

use jiff::Timestamp;
use parallax_captures::{Connection, ConnectionId, Journal, Unseen};
use parallax_codec::classic::Direction;

use tokio::select;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::overload::Overload;
use crate::analyst::Analyst;
use crate::findings::{ConnectionEvent, Happening, Probe};
use crate::limits::{
    CLAIM_SETTLES, GATHERED_BODY_BYTES, OBSERVATIONS_A_TURN, OBSERVATIONS_AT_ONCE, OBSERVE_EVERY,
};
use crate::mirror::MirrorHandle;
use crate::relay::{CloseReason, Event, InFlight, Observation, Observations, Side};
use crate::session::{Session, SessionEvent};

/// Reads observations until the relay has ended. Clients connect to `listen`.
pub(super) async fn observe(
    mut observations: Observations,
    listen: SocketAddr,
    analyst: Arc<Analyst>,
    mirror: Option<MirrorHandle>,
) {
    let mut observer = Observer {
        listen,
        analyst,
        mirror,
        sessions: HashMap::new(),
        events: Vec::new(),
    };
    let mut batch = Vec::new();
    let mut overload = Overload::default();
    let mut settling = interval(CLAIM_SETTLES);
    settling.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let count = select! {
            count = observations.recv_many(&mut batch, OBSERVATIONS_AT_ONCE) => count,
            _ = settling.tick() => {
                observer.end_abandoned(Timestamp::now());
                let due = observer.analyst.settle(Timestamp::now());
                observer.probe(due);
                continue;
            }
        };
        if count == 0 {
            break;
        }
        for (done, observation) in batch.drain(..).enumerate() {
            // Where one processor is all there is, the relay's thread has its turn.
            if done % OBSERVATIONS_A_TURN == OBSERVATIONS_A_TURN - 1 {
                thread::yield_now();
            }
            observer.observe(observation);
        }
        overload.tell(observations.counters(), observer.journal());
        // While nobody waits for them, the relay's threads need not wake anybody.
        if count < OBSERVATIONS_AT_ONCE {
            sleep(OBSERVE_EVERY).await;
        }
    }
    let due = observer.analyst.finish();
    observer.probe(due);
}

struct Observer {
    listen: SocketAddr,
    analyst: Arc<Analyst>,
    mirror: Option<MirrorHandle>,
    sessions: HashMap<u64, Tracked>,
    events: Vec<SessionEvent>,
}

/// A connection's session, and where its state is told to the relay.
struct Tracked {
    session: Session,
    in_flight: InFlight,
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
                client,
                upstream,
                in_flight,
            } => {
                // Until the name is resolved the server's address is not known.
                let server = upstream
                    .parse()
                    .unwrap_or_else(|_| SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)));
                let opened = Connection::opened(id, client, server, time);
                self.journal().open_connection(opened);
                let session = Session::gathering(id, false, GATHERED_BODY_BYTES);
                self.sessions
                    .insert(connection, Tracked { session, in_flight });
                let reached = self.listen;
                self.happened(id, time, Happening::Opened { client, reached });
            }
            Event::Connected { upstream, .. } => {
                self.journal()
                    .update_connection(id, |c| c.server = upstream);
            }
            Event::Bytes { direction, bytes } => {
                let length = bytes.len() as u64;
                if let Some(tracked) = self.sessions.get_mut(&connection) {
                    let session = &mut tracked.session;
                    session.bytes(direction, time, bytes, &mut self.events);
                    tracked.in_flight.set(session.is_in_flight());
                }
                self.passed(id, direction, length, 0);
            }
            Event::Lost {
                direction,
                bytes,
                observations,
                since,
            } => {
                if let Some(tracked) = self.sessions.get_mut(&connection) {
                    let session = &mut tracked.session;
                    session.lost(direction, bytes, &mut self.events);
                    tracked.in_flight.set(session.is_in_flight());
                }
                self.drain_events(id);
                let unseen = Unseen {
                    direction,
                    bytes,
                    observations,
                    since,
                    until: time,
                };
                self.journal().note_gap(id, &unseen);
                self.passed(id, direction, bytes, bytes);
            }
            Event::HalfClosed {
                direction: Direction::ToClient,
            } => self.server_ended(id, time),
            Event::HalfClosed {
                direction: Direction::ToServer,
            } => {}
            Event::Closed { reason, .. } => {
                let (by_client, by_server) = by(&reason);
                if by_server {
                    self.server_ended(id, time);
                }
                if let Some(mut tracked) = self.sessions.remove(&connection) {
                    tracked.session.closed(&mut self.events);
                    self.drain_events(id);
                }
                let unserved = matches!(reason, CloseReason::UpstreamUnavailable { .. });
                self.close(id, time, reason.to_string(), unserved);
                self.happened(id, time, Happening::Closed { by_client });
            }
            Event::Refused { client, limit } => {
                let server = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
                self.journal()
                    .open_connection(Connection::opened(id, client, server, time));
                let why = format!("turned away: {limit} connections are open, and no more may be");
                self.close(id, time, why, true);
            }
        }
        self.drain_events(id);
    }

    /// Connections whose end there was no room to tell of: nothing more comes of them.
    fn end_abandoned(&mut self, time: Timestamp) {
        let sessions = self.sessions.iter();
        let over = sessions.filter(|(_, tracked)| tracked.in_flight.is_abandoned());
        for connection in over.map(|(id, _)| *id).collect::<Vec<_>>() {
            let id = ConnectionId(connection);
            if let Some(mut tracked) = self.sessions.remove(&connection) {
                tracked.session.closed(&mut self.events);
                self.drain_events(id);
            }
            self.close(id, time, ENDED_UNSEEN.to_owned(), false);
        }
    }

    fn journal(&self) -> &Journal {
        self.analyst.journal()
    }

    /// The server sends nothing more on this connection.
    fn server_ended(&self, id: ConnectionId, time: Timestamp) {
        let tracked = self.sessions.get(&id.0);
        let waiting = tracked.and_then(|tracked| tracked.session.waiting());
        let waiting = waiting.map_or(0, |(count, _)| count);
        self.happened(id, time, Happening::ServerEnded { waiting });
    }

    fn happened(&self, conn: ConnectionId, time: Timestamp, what: Happening) {
        let due = self
            .analyst
            .connection(&ConnectionEvent { conn, time, what });
        self.probe(due);
    }

    /// Has these asked over HTTP, where that can be.
    fn probe(&self, probes: Vec<Probe>) {
        for probe in probes {
            match &self.mirror {
                Some(mirror) => mirror.probe(probe),
                None => self.analyst.probed(probe, None),
            }
        }
    }

    fn passed(&mut self, id: ConnectionId, direction: Direction, length: u64, unobserved: u64) {
        self.drain_events(id);
        let tracked = self.sessions.get(&id.0);
        let waiting = tracked.and_then(|tracked| tracked.session.waiting());
        self.journal().update_connection(id, |connection| {
            match direction {
                Direction::ToServer => connection.bytes_to_server += length,
                Direction::ToClient => connection.bytes_to_client += length,
            }
            connection.bytes_unobserved += unobserved;
            connection.waiting = waiting;
        });
    }

    fn close(&self, id: ConnectionId, time: Timestamp, why: String, unserved: bool) {
        self.journal().update_connection(id, |connection| {
            connection.closed = Some((time, why));
            connection.unserved = unserved;
            connection.waiting = None;
        });
        if let Some(mirror) = &self.mirror {
            mirror.closed(id);
        }
    }

    fn drain_events(&mut self, id: ConnectionId) {
        for event in std::mem::take(&mut self.events) {
            match event {
                SessionEvent::Exchange(exchange) => {
                    let recorded = self.analyst.record(*exchange);
                    self.probe(recorded.probes);
                    if let Some(mirror) = &self.mirror
                        && let Some(exchange) = self.journal().exchange(recorded.n)
                    {
                        mirror.poll(&exchange, recorded.held.map(Into::into));
                    }
                }
                SessionEvent::Skewed(skew) => self.analyst.skewed(id, &skew),
                SessionEvent::TokenTried {
                    time,
                    token,
                    accepted,
                } => self.happened(id, time, Happening::TokenTried { token, accepted }),
                event => {
                    self.journal().update_connection(id, |c| event.tell(c));
                    self.tell_mirror(id, event);
                }
            }
        }
    }

    /// Whom to ask HTTP as from now on.
    fn tell_mirror(&self, id: ConnectionId, event: SessionEvent) {
        match (&self.mirror, event) {
            (Some(mirror), SessionEvent::LoggedIn { credentials, .. }) => {
                mirror.login(id, credentials);
            }
            (Some(mirror), SessionEvent::LoggedOut) => mirror.logout(id),
            _ => {}
        }
    }
}

/// Why a connection ended of whose end nothing was told.
const ENDED_UNSEEN: &str = "it ended while more passed than could be looked at";

/// Whether the client, and whether the server, ended a connection of itself.
const fn by(reason: &CloseReason) -> (bool, bool) {
    match reason {
        CloseReason::ClientClosed => (true, false),
        CloseReason::ServerClosed => (false, true),
        CloseReason::Reset { by } | CloseReason::Failed { by, .. } => {
            (matches!(by, Side::Client), matches!(by, Side::Server))
        }
        CloseReason::Drained
        | CloseReason::Halted
        | CloseReason::Reaped
        | CloseReason::UpstreamUnavailable { .. } => (false, false),
    }
}
