//! One client, from its accept to its end.

use std::net::SocketAddr;
use std::sync::Arc;

use parallax_codec::classic::Direction;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;

use super::activity::Activity;
use super::connection_tap::ConnectionTap;
use super::counters::Counters;
use super::dial::dial;
use super::duplex::{Surroundings, duplex, reason};
use super::pump::Fault;
use super::shutdown::Shutdown;
use super::socket::{failed, tune};
use super::workers::Carried;
use super::{CloseReason, Event, RelayConfig, Side};

/// A client that was accepted.
pub(super) struct Connection {
    /// The listener's address, which must not be dialled.
    pub(super) listener: SocketAddr,
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
        self.counters.closed.add(1);
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

    async fn relay(&self, mut client: TcpStream, activity: &Activity) -> CloseReason {
        let config = &*self.config;
        let mut server = tokio::select! {
            // Boxed: what dialling takes is given back when it is done.
            dialled = Box::pin(dial(&config.upstream, self.listener, config.dial_timeout)) => match dialled {
                Ok(server) => server,
                Err(error) => {
                    self.counters.upstream_failures.add(1);
                    return CloseReason::UpstreamUnavailable {
                        fault: error.fault,
                        message: error.message,
                    };
                }
            },
            error = failed(&client) => return reason(Fault { by: Side::Client, error }),
            () = self.shutdown.halted() => return CloseReason::Halted,
        };
        for (stream, by) in [(&client, Side::Client), (&server, Side::Server)] {
            if let Err(error) = tune(stream, config) {
                return reason(Fault { by, error });
            }
        }
        if let Some(tap) = &self.tap
            && let (Ok(upstream), Ok(local)) = (server.peer_addr(), server.local_addr())
        {
            tap.connected(upstream, local);
        }
        let reason = duplex(
            client.split(),
            server.split(),
            Surroundings {
                activity,
                tap: self.tap.as_ref(),
                shutdown: &self.shutdown,
                half_closed_idle: config.half_closed_idle,
                drain_quiet: config.drain_quiet,
            },
        )
        .await;
        end(&mut client, &mut server, &reason).await;
        reason
    }
}

/// Ends both connections the way the reason asks for. An error here says that
/// there is nothing left to end.
async fn end(client: &mut TcpStream, server: &mut TcpStream, reason: &CloseReason) {
    match reason {
        CloseReason::Reset { by } | CloseReason::Failed { by, .. } => {
            let other = match by {
                Side::Client => server,
                Side::Server => client,
            };
            let _ = other.set_zero_linger();
        }
        _ => {
            let _ = client.shutdown().await;
            let _ = server.shutdown().await;
        }
    }
}
