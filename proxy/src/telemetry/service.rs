//! What is told, while a proxy runs.

use std::net::SocketAddr;
use std::sync::Arc;

use parallax_web::{ServeError, serve_monitor};
use tokio::net::TcpListener;

use super::otlp::{Exporter, OtlpConfig, OtlpCounters, OtlpError};
use super::{Figures, Monitor};
use crate::relay::Shutdown;

/// What is told of parallax itself, and to whom.
#[derive(Debug, Clone, Default)]
pub struct TelemetryConfig {
    /// Where `/metrics`, `/healthz` and `/readyz` are served, `host:port`; `None` for nowhere.
    pub metrics: Option<String>,
    /// A collector that is told; `None` for none.
    pub otlp: Option<OtlpConfig>,
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
    /// The collector cannot be told.
    #[error("{0} (--otlp)")]
    Otlp(#[from] OtlpError),
}

/// What is told, while a proxy runs.
#[derive(Debug)]
pub struct Telemetry {
    metrics: Option<SocketAddr>,
    exporter: Option<Exporter>,
}

impl Telemetry {
    /// Serves figures, and tells a collector, on the current tokio runtime, where that is asked
    /// for. Clients connect to `listens`.
    ///
    /// # Errors
    /// The address cannot be bound; no HTTP client can be set up.
    pub async fn start(
        config: TelemetryConfig,
        figures: Figures,
        listens: Vec<SocketAddr>,
        shutdown: Shutdown,
    ) -> Result<Self, TelemetryError> {
        let counters = config
            .otlp
            .as_ref()
            .map(|_| Arc::new(OtlpCounters::default()));
        let figures = Arc::new(figures.with_otlp(counters.clone()));
        let exporter = match config.otlp.as_ref().zip(counters) {
            Some((otlp, counters)) => {
                let journal = Arc::clone(figures.journal());
                Some(Exporter::start(
                    otlp,
                    journal,
                    Arc::clone(&figures),
                    counters,
                )?)
            }
            None => None,
        };
        let monitor = Arc::new(Monitor {
            figures,
            listens,
            shutdown,
        });
        let metrics = match config.metrics {
            Some(address) => Some(serve(address, monitor).await?),
            None => None,
        };
        Ok(Self { metrics, exporter })
    }

    /// Tells the collector what is left, for a limited time.
    pub async fn finish(self) {
        if let Some(exporter) = self.exporter {
            exporter.finish().await;
        }
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
