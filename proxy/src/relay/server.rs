//! The accept loop, and the end of it.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;

use super::accept::{Accept, Acceptor};
use super::connection::Connection;
use super::connection_tap::ConnectionTap;
use super::dial::is_itself;
use super::tap::Tap;
use super::workers::Workers;
use super::{Counters, RelayConfig, RelayError, Shutdown};

/// A relay that is ready to serve.
#[derive(Debug)]
pub struct Relay {
    listener: TcpListener,
    plan: Plan,
}

/// What the accept loop works with besides where clients come from.
#[derive(Debug)]
pub(super) struct Plan {
    /// The listener's address, which must not be dialled.
    pub(super) listener: SocketAddr,
    pub(super) config: Arc<RelayConfig>,
    pub(super) counters: Arc<Counters>,
    pub(super) tap: Option<Tap>,
    pub(super) workers: Workers,
}

/// What a relay did, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Clients accepted, those turned away not among them.
    pub accepted: u64,
    /// Times that accepting failed.
    pub accept_errors: u64,
    /// Clients whose connection has ended.
    pub closed: u64,
    /// Clients with whom the TLS handshake failed.
    pub client_handshake_failures: u64,
    /// Clients turned away at the limit.
    pub refused: u64,
    /// Clients for whom the TLS handshake with the server failed.
    pub server_handshake_failures: u64,
    /// Bytes passed on to clients by connections that have ended.
    pub to_client: u64,
    /// Bytes passed on to the server by connections that have ended.
    pub to_server: u64,
    /// Clients for whom the upstream server was not reached.
    pub upstream_failures: u64,
}

impl Relay {
    /// A relay from a listener to the configured upstream server. Without a tap
    /// it only forwards.
    ///
    /// # Errors
    /// The upstream address leads back to this listener, or no thread can be
    /// started. A name that cannot be resolved is no error: it may be by the time a
    /// client comes.
    pub async fn new(
        listener: TcpListener,
        config: RelayConfig,
        tap: Option<Tap>,
    ) -> Result<Self, RelayError> {
        let own = listener.local_addr().map_err(RelayError::Listener)?;
        let upstream = Arc::clone(&config.upstream);
        if let Ok(mut targets) = lookup_host(&*upstream).await
            && targets.any(|target| is_itself(own, target))
        {
            return Err(RelayError::Itself {
                upstream: config.upstream,
                listener: own,
            });
        }
        let workers = Workers::start(config.carried_on).map_err(RelayError::Threads)?;
        let plan = Plan {
            listener: own,
            config: Arc::new(config),
            counters: Arc::default(),
            tap,
            workers,
        };
        Ok(Self { listener, plan })
    }

    /// What is counted, to be read while the relay serves.
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.plan.counters)
    }

    /// Serves until shutdown is asked for, then accepts no more and waits for
    /// open connections: each is closed once no request seems to be in flight,
    /// all of them when [`RelayConfig::drain`] has passed or shutdown is asked
    /// for again. Dropping this future cuts all connections off.
    pub async fn serve(self, shutdown: Shutdown) -> Statistics {
        serve(self.listener, self.plan, shutdown).await
    }
}

pub(super) async fn serve(from: impl Accept, plan: Plan, shutdown: Shutdown) -> Statistics {
    let Plan {
        listener,
        config,
        counters,
        tap,
        workers,
    } = plan;
    let mut acceptor = Acceptor::new(from);
    let places = Arc::new(Semaphore::new(
        config.max_connections.min(Semaphore::MAX_PERMITS),
    ));
    let mut connections = JoinSet::new();
    let mut number = config.last_connection;
    loop {
        let (client, address) = tokio::select! {
            biased;
            () = shutdown.draining() => break,
            Some(ended) = connections.join_next() => {
                report(ended);
                continue;
            }
            client = acceptor.next(&counters.accept_errors) => client,
        };
        number += 1;
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            refuse(client, address, number, &config, &counters, tap.as_ref());
            continue;
        };
        // Its thread has another runtime, which is to watch the socket.
        let (Ok(client), Some((worker, carried))) = (client.into_std(), workers.least_busy())
        else {
            counters.accept_errors.add(1);
            continue;
        };
        counters.accepted.add(1);
        let connection = Connection {
            listener,
            config: Arc::clone(&config),
            counters: Arc::clone(&counters),
            shutdown: shutdown.part(),
            tap: tap
                .clone()
                .map(|tap| ConnectionTap::open(tap, number, address, Arc::clone(&config.upstream))),
            place,
            carried,
        };
        connections.spawn_on(Box::new(connection).run(client), worker);
    }
    // Closes the listening socket, so that later clients are refused.
    drop(acceptor);
    if timeout(config.drain, all_ended(&mut connections))
        .await
        .is_err()
    {
        shutdown.halt();
        all_ended(&mut connections).await;
    }
    counters.snapshot()
}

fn refuse(
    client: TcpStream,
    address: SocketAddr,
    number: u64,
    config: &RelayConfig,
    counters: &Counters,
    tap: Option<&Tap>,
) {
    drop(client);
    counters.refused.add(1);
    tracing::debug!(client = %address, limit = config.max_connections, "client turned away");
    if let Some(tap) = tap {
        tap.refused(number, address, config.max_connections);
    }
}

async fn all_ended(connections: &mut JoinSet<()>) {
    while let Some(ended) = connections.join_next().await {
        report(ended);
    }
}

/// A connection's task does not fail; if one panics all the same, it is said.
fn report(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection's task failed, which is a fault of parallax");
    }
}
