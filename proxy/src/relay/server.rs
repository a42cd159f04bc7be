//! The accept loop, and the end of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// A relay that is ready to serve: one way or several, each from a listener to a server.
#[derive(Debug)]
pub struct Relay {
    ways: Vec<Way>,
    commons: Commons,
}

#[derive(Debug)]
struct Way {
    listener: TcpListener,
    /// The listener's address.
    own: SocketAddr,
    config: Arc<RelayConfig>,
}

/// What all ways have in common.
#[derive(Debug, Clone)]
pub(super) struct Commons {
    pub(super) counters: Arc<Counters>,
    pub(super) tap: Option<Tap>,
    pub(super) workers: Arc<Workers>,
    /// For clients that may be connected at once.
    places: Arc<Semaphore>,
    /// How many places there are.
    most: usize,
    /// The number of the connection that was opened last.
    last: Arc<AtomicU64>,
}

impl Commons {
    pub(super) fn new(config: &RelayConfig, tap: Option<Tap>, workers: Workers) -> Self {
        let most = config.max_connections;
        Self {
            counters: Arc::default(),
            tap,
            workers: Arc::new(workers),
            places: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
            most,
            last: Arc::new(AtomicU64::new(config.last_connection)),
        }
    }
}

/// What one accept loop works with besides where clients come from.
#[derive(Debug)]
pub(super) struct Plan {
    /// The listeners' addresses, which must not be dialled.
    pub(super) own: Arc<[SocketAddr]>,
    pub(super) config: Arc<RelayConfig>,
    pub(super) commons: Commons,
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
    /// Clients with whom TLS failed before anything was passed on to them.
    pub client_handshake_failures: u64,
    /// Clients turned away at the limit.
    pub refused: u64,
    /// Clients for whom TLS with the server failed before it answered anything.
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
        let workers = Workers::start(config.carried_on).map_err(RelayError::Threads)?;
        let mut relay = Self {
            ways: Vec::new(),
            commons: Commons::new(&config, tap, workers),
        };
        relay.also(listener, config).await?;
        Ok(relay)
    }

    /// Relays from this listener to that server as well: on the same threads, with the
    /// same tap, counted together. How many clients may be connected in all, and how
    /// connections are numbered, the first configuration says.
    ///
    /// # Errors
    /// The server's address, or that of another way, leads back to one of the listeners.
    pub async fn also(
        &mut self,
        listener: TcpListener,
        config: RelayConfig,
    ) -> Result<(), RelayError> {
        let own = listener.local_addr().map_err(RelayError::Listener)?;
        self.ways.push(Way {
            listener,
            own,
            config: Arc::new(config),
        });
        for way in &self.ways {
            let Ok(targets) = lookup_host(&*way.config.upstream).await else {
                continue;
            };
            for target in targets {
                if let Some(listens) = self.ways.iter().find(|one| is_itself(one.own, target)) {
                    return Err(RelayError::Itself {
                        upstream: Arc::clone(&way.config.upstream),
                        listener: listens.own,
                    });
                }
            }
        }
        Ok(())
    }

    /// What is counted, to be read while the relay serves.
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.commons.counters)
    }

    /// Serves until shutdown is asked for, then accepts no more and waits for
    /// open connections: each is closed once no request seems to be in flight,
    /// all of them when [`RelayConfig::drain`] has passed or shutdown is asked
    /// for again. Dropping this future cuts all connections off.
    pub async fn serve(self, shutdown: Shutdown) -> Statistics {
        let own: Arc<[SocketAddr]> = self.ways.iter().map(|way| way.own).collect();
        let mut serving = JoinSet::new();
        for way in self.ways {
            let plan = Plan {
                own: Arc::clone(&own),
                config: way.config,
                commons: self.commons.clone(),
            };
            serving.spawn(serve(way.listener, plan, shutdown.clone()));
        }
        all_ended(&mut serving).await;
        self.commons.counters.snapshot()
    }
}

pub(super) async fn serve(from: impl Accept, plan: Plan, shutdown: Shutdown) {
    let Plan {
        own,
        config,
        commons,
    } = plan;
    let counters = &commons.counters;
    let mut acceptor = Acceptor::new(from, config.route);
    let mut connections = JoinSet::new();
    loop {
        let (client, address) = tokio::select! {
            biased;
            () = shutdown.draining() => break,
            Some(ended) = connections.join_next() => {
                report(ended);
                continue;
            }
            client = acceptor.next(&counters.accept_errors, commons.tap.as_ref()) => client,
        };
        let number = commons.last.fetch_add(1, Ordering::Relaxed) + 1;
        let Ok(place) = Arc::clone(&commons.places).try_acquire_owned() else {
            refuse(client, address, number, config.route, &commons);
            continue;
        };
        // Its thread has another runtime, which is to watch the socket.
        let (Ok(client), Some((worker, carried))) =
            (client.into_std(), commons.workers.least_busy())
        else {
            counters.accept_errors.add(1);
            continue;
        };
        counters.accepted.add(1);
        let connection = Connection {
            own: Arc::clone(&own),
            config: Arc::clone(&config),
            counters: Arc::clone(counters),
            shutdown: shutdown.part(),
            tap: commons
                .tap
                .clone()
                .map(|tap| ConnectionTap::open(tap, number, address, &config)),
            place,
            carried,
        };
        connections.spawn_on(Box::new(connection).run(client), worker);
    }
    // Closes the listening socket, so that later clients are refused.
    drop(acceptor);
    while let Some(ended) = connections.try_join_next() {
        report(ended);
    }
    if !connections.is_empty() {
        let (open, most) = (connections.len(), config.drain);
        tracing::info!(clients = open, ?most, "waiting for requests that are open");
    }
    if timeout(config.drain, all_ended(&mut connections))
        .await
        .is_err()
    {
        let cut = connections.len();
        tracing::warn!(clients = cut, "cut off: their requests did not end in time");
        shutdown.halt();
        all_ended(&mut connections).await;
    }
}

fn refuse(client: TcpStream, address: SocketAddr, number: u64, route: usize, commons: &Commons) {
    drop(client);
    commons.counters.refused.add(1);
    tracing::debug!(client = %address, limit = commons.most, "client turned away");
    if let Some(tap) = &commons.tap {
        tap.refused(number, route, address, commons.most);
    }
}

async fn all_ended(tasks: &mut JoinSet<()>) {
    while let Some(ended) = tasks.join_next().await {
        report(ended);
    }
}

/// Nothing that is spawned here fails; if one panics all the same, it is said.
fn report(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection's task failed, which is a fault of parallax");
    }
}
