//! A tape that clients can connect to.

mod http;
mod tcp;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use parallax_captures::{Dialect, Exchange};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::tape::{Answer, Served, Tape};
use crate::report::difference::asking;

/// A running tape.
pub struct Serving {
    /// Where it speaks the binary protocol, where some was captured.
    pub tcp: Option<SocketAddr>,
    /// Where it speaks HTTP, where some was captured.
    pub http: Option<SocketAddr>,
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// What every connection asks.
struct Shared {
    tape: Mutex<Tape>,
}

impl Serving {
    /// Listens on these addresses, `host:port`, for what was captured.
    ///
    /// # Errors
    /// Nothing on the tape can be played, or an address cannot be listened on.
    pub async fn start(tape: Tape, listen: &str, http_listen: &str) -> anyhow::Result<Self> {
        let speaks_tcp = tape.speaks(Dialect::Classic) || tape.speaks(Dialect::Vsr);
        let speaks_http = tape.speaks(Dialect::Http);
        anyhow::ensure!(
            speaks_tcp || speaks_http,
            "there is no reply in the capture that can be given"
        );
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let mut serving = Self {
            tcp: None,
            http: None,
            shared: Arc::new(Shared {
                tape: Mutex::new(tape),
            }),
            stop,
            tasks,
        };
        if speaks_tcp {
            let listener = bind(listen, "--listen").await?;
            serving.tcp = Some(listener.local_addr()?);
            let (shared, stop) = (Arc::clone(&serving.shared), serving.stop.clone());
            let tasks = serving.tasks.clone();
            serving
                .tasks
                .spawn(tcp::serve(listener, shared, stop, tasks));
        }
        if speaks_http {
            let listener = bind(http_listen, "--http-listen").await?;
            serving.http = Some(listener.local_addr()?);
            let (shared, stop) = (Arc::clone(&serving.shared), serving.stop.clone());
            serving.tasks.spawn(http::serve(listener, shared, stop));
        }
        Ok(serving)
    }

    /// How much was answered so far.
    pub fn served(&self) -> Served {
        self.shared.with_tape(|tape| tape.served())
    }

    /// Closes every connection and returns when all is done.
    pub async fn stop(self) -> Served {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        self.served()
    }
}

async fn bind(address: &str, flag: &str) -> anyhow::Result<TcpListener> {
    let bound = TcpListener::bind(address).await;
    bound.with_context(|| format!("cannot listen on {flag} {address}"))
}

impl Shared {
    fn with_tape<T>(&self, ask: impl FnOnce(&mut Tape) -> T) -> T {
        // A thread that panicked meanwhile has left nothing half done.
        ask(&mut self.tape.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The captured exchange that answers a request; says so where there is none.
    fn answer(&self, asked: &Exchange, client: SocketAddr) -> Option<Arc<Exchange>> {
        match self.with_tape(|tape| tape.answer(asked)) {
            Answer::Captured(exchange) => Some(exchange),
            Answer::Missing { similar, is_new } => {
                if is_new {
                    tracing::warn!(
                        "not on the tape: {} (from {client}); it has {similar} others of this \
                         command about the same thing",
                        asking(asked)
                    );
                }
                None
            }
        }
    }
}
