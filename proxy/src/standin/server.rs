//! Sockets around the state.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::config::StandinConfig;
use super::model::Model;
use super::vsr::Positions;
use super::{http, tcp};

/// A running stand-in. Dropping it stops it, too, but does not wait.
pub struct Standin {
    /// Where it speaks TCP.
    pub tcp: SocketAddr,
    /// Where it speaks HTTP.
    pub http: SocketAddr,
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Standin {
    /// Starts a stand-in.
    ///
    /// # Errors
    /// An address cannot be listened on; the error names it.
    pub async fn start(config: StandinConfig) -> anyhow::Result<Self> {
        let tcp_listener = listen(config.tcp, "TCP").await?;
        let http_listener = listen(config.http, "HTTP").await?;
        let (tcp, http) = (tcp_listener.local_addr()?, http_listener.local_addr()?);
        let model = Model::new(&config, (tcp, http), now());
        let shared = Arc::new(Shared::new(model));
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        tasks.spawn(tcp::serve(
            tcp_listener,
            Arc::new(tcp::Node::new(0, &stop)),
            Arc::clone(&shared),
            tasks.clone(),
        ));
        tasks.spawn(http::serve(
            http_listener,
            Arc::clone(&shared),
            stop.clone(),
        ));
        Ok(Self {
            tcp,
            http,
            shared,
            stop,
            tasks,
        })
    }

    /// Messages that were dropped because a partition had reached its limit.
    pub fn dropped_messages(&self) -> u64 {
        self.shared.model().dropped_messages()
    }

    /// Connections that were closed at once because there were too many.
    pub fn refused_connections(&self) -> u64 {
        self.shared.refused_connections.load(Ordering::Relaxed)
    }

    /// Closes every connection and returns when all is done.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// What every connection works on.
pub(super) struct Shared {
    model: Mutex<Model>,
    /// Of the VSR dialect.
    pub(super) positions: Positions,
    refused_connections: AtomicU64,
}

impl Shared {
    pub(super) fn new(model: Model) -> Self {
        Self {
            model: Mutex::new(model),
            positions: Positions::default(),
            refused_connections: AtomicU64::new(0),
        }
    }

    /// The state. A thread that panicked while it held the state has left no
    /// command half done that could harm the next one.
    pub(super) fn model(&self) -> MutexGuard<'_, Model> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn connections(&self) -> usize {
        self.model().connections()
    }

    pub(super) fn count_refused_connection(&self) {
        self.refused_connections.fetch_add(1, Ordering::Relaxed);
    }
}

/// Microseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    })
}

pub(super) async fn listen(address: SocketAddr, protocol: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        anyhow::anyhow!("the stand-in cannot listen for {protocol} on {address}: {error}")
    })
}
