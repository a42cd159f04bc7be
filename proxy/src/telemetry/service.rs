//! What is told, while a proxy runs.

use std::net::SocketAddr;
use std::sync::Arc;

use parallax_web::{ServeError, serve_monitor};
use tokio::net::TcpListener;

use super::{Figures, Monitor};
use crate::relay::Shutdown;

/// What is told of parallax itself, and to whom.
#[derive(Debug, Clone, Default)]
pub struct TelemetryConfig {
    /// Where `/metrics`, `/healthz` and `/readyz` are served, `host:port`; `None` for nowhere.
    pub metrics: Option<String>,
}

/// Why it cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The address for figures cannot be bound.
    #[error("cannot listen on {address} for metrics: {source}; choose another with --metrics")]
    Bind {
        /// As given.
        address: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It cannot be served there.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

/// What is told, while a proxy runs.
#[derive(Debug)]
pub struct Telemetry {
    metrics: Option<SocketAddr>,
}

impl Telemetry {
    /// Serves figures on the current tokio runtime, where that is asked for. Clients connect
    /// to `listen`.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub async fn start(
        config: TelemetryConfig,
        figures: Figures,
        listen: SocketAddr,
        shutdown: Shutdown,
    ) -> Result<Self, TelemetryError> {
        let monitor = Arc::new(Monitor {
            figures,
            listen,
            shutdown,
        });
        let metrics = match config.metrics {
            Some(address) => Some(serve(address, monitor).await?),
            None => None,
        };
        Ok(Self { metrics })
    }

    /// Where figures are served.
    pub const fn metrics(&self) -> Option<SocketAddr> {
        self.metrics
    }
}

async fn serve(address: String, monitor: Arc<Monitor>) -> Result<SocketAddr, TelemetryError> {
    let bind = async {
        let listener = TcpListener::bind(&address).await?;
        Ok((listener.local_addr()?, listener))
    };
    let (bound, listener) = bind
        .await
        .map_err(|source| TelemetryError::Bind { address, source })?;
    tokio::spawn(async move {
        let served = serve_monitor(listener, monitor, std::future::pending());
        if let Err(error) = served.await {
            tracing::error!("metrics: {error}");
        }
    });
    Ok(bound)
}
