//! TCP: connections, and who speaks on them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use parallax_codec::Dialect;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::server::Shared;
use super::{classic, vsr};
use crate::limits::STANDIN_CONNECTIONS;

/// One of the addresses at which the state is served.
#[derive(Debug)]
pub(super) struct Node {
    /// Its number, from 0.
    number: usize,
    stop: CancellationToken,
    /// Ends the connections that there are.
    connections: Mutex<CancellationToken>,
    accepted: AtomicU64,
}

impl Node {
    pub(super) fn new(number: usize, stop: &CancellationToken) -> Self {
        Self {
            number,
            stop: stop.clone(),
            connections: Mutex::new(stop.child_token()),
            accepted: AtomicU64::new(0),
        }
    }

    /// Connections that have ever come.
    pub(super) fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Closes the connections that there are.
    pub(super) fn close_connections(&self) {
        let next = self.stop.child_token();
        let mut connections = self.connections();
        std::mem::replace(&mut *connections, next).cancel();
    }

    fn connections(&self) -> std::sync::MutexGuard<'_, CancellationToken> {
        let connections = self.connections.lock();
        connections.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Accepts connections until told to stop. Beyond the limit a connection is
/// closed at once, and counted.
pub(super) async fn serve(
    listener: TcpListener,
    node: Arc<Node>,
    shared: Arc<Shared>,
    tasks: TaskTracker,
) {
    loop {
        let accepted = tokio::select! {
            () = node.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, address)) = accepted else {
            // Out of file descriptors, most likely: give others time to close.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        if shared.connections() >= STANDIN_CONNECTIONS {
            shared.count_refused_connection();
            continue;
        }
        node.accepted.fetch_add(1, Ordering::Relaxed);
        let client = shared.model().connect_to(node.number, address);
        let (shared, stop) = (Arc::clone(&shared), node.connections().clone());
        tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                result = converse(stream, client, &shared) => if let Err(error) = result {
                    tracing::debug!(client, %error, "the stand-in lost a connection");
                },
            }
            shared.model().disconnect(client);
        });
    }
}

async fn converse(stream: TcpStream, client: u32, shared: &Shared) -> std::io::Result<()> {
    let dialect = shared.model().dialect();
    match dialect {
        Dialect::Classic => classic::converse(stream, client, shared).await,
        Dialect::Vsr => vsr::converse(stream, client, shared).await,
    }
}
