//! One client, from its accept to its end.

use std::net::SocketAddr;
use std::sync::Arc;

use parallax_codec::classic::Direction;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

use super::activity::Activity;
use super::connection_tap::ConnectionTap;
use super::counters::Counters;
use super::duplex::{Surroundings, reason};
use super::end::{between, end};
use super::in_path::InPath;
use super::pump::Fault;
use super::shutdown::Shutdown;
use super::workers::Carried;
use super::{CloseReason, Event, Interceptor, RelayConfig, Side};

/// A client that was accepted.
pub(super) struct Connection {
    /// The listeners' addresses, which must not be dialled.
    pub(super) own: Arc<[SocketAddr]>,
    pub(super) config: Arc<RelayConfig>,
    pub(super) counters: Arc<Counters>,
    pub(super) shutdown: Shutdown,
    pub(super) tap: Option<ConnectionTap>,
    /// Its place among the connections that may be open.
    pub(super) place: OwnedSemaphorePermit,
    /// Its place on a thread.
    pub(super) carried: Carried,
}

impl Connection {
    /// Dials, relays, closes both ends, and says so. No runtime watches the client's
    /// socket yet.
    ///
    /// Boxed: it would be in its task's memory twice, as it was given and as it is used.
    pub(super) async fn run(self: Box<Self>, client: std::net::TcpStream) {
        let in_flight = self.tap.as_ref().map(ConnectionTap::in_flight);
        let activity = Activity::new(in_flight.unwrap_or_default());
        let reason = match TcpStream::from_std(client) {
            Ok(client) => self.relay(client, &activity).await,
            Err(error) => reason(Fault {
                by: Side::Client,
                error,
            }),
        };
        let (to_server, to_client) = (
            activity.total(Direction::ToServer),
            activity.total(Direction::ToClient),
        );
        self.counters.to_server.add(to_server);
        self.counters.to_client.add(to_client);
        self.counters.ended(&reason, to_client);
        tracing::debug!(%reason, to_server, to_client, "connection closed");
        let Self {
            tap,
            place,
            shutdown,
            carried,
            ..
        } = *self;
        drop(carried);
        if let Some(tap) = tap {
            let closed = Event::Closed {
                reason,
                to_server,
                to_client,
            };
            Box::pin(tap.close(closed, place, &shutdown)).await;
        }
    }

    async fn relay(&self, client: TcpStream, activity: &Activity) -> CloseReason {
        let config = &*self.config;
        let in_path = self.in_path(&client);
        // Boxed: what it takes to get there is given back when it is done.
        let (mut client, mut server) = match Box::pin(self.establish(client)).await {
            Ok(ends) => ends,
            Err(reason) => return reason,
        };
        let around = Surroundings {
            activity,
            tap: self.tap.as_ref(),
            in_path: in_path.as_deref(),
            shutdown: &self.shutdown,
            half_closed_idle: config.half_closed_idle,
            drain_quiet: config.drain_quiet,
        };
        let reason = between(&mut client, &mut server, around).await;
        end(&mut client, &mut server, &reason).await;
        reason
    }

    /// Where its frames are looked at on the way, if they are.
    fn in_path(&self, client: &TcpStream) -> Option<Box<InPath>> {
        let interceptors = &self.config.interceptors;
        (!interceptors.is_empty()).then(|| {
            let reached = client.local_addr().ok();
            let of_connection = |interceptor: &Arc<dyn Interceptor>| {
                let own = reached.and_then(|reached| interceptor.on_connection(reached));
                own.unwrap_or_else(|| Arc::clone(interceptor))
            };
            let interceptors = interceptors.iter().map(of_connection).collect();
            Box::new(InPath::new(interceptors, Arc::clone(&self.counters)))
        })
    }
}
