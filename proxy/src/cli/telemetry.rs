//! What is told of parallax itself, on a command line.

use clap::Args;

use crate::telemetry::TelemetryConfig;

#[derive(Debug, Args)]
pub(super) struct TelemetryArguments {
    /// Serve `/metrics` (Prometheus), `/healthz` and `/readyz` here, e.g. 127.0.0.1:9190: figures
    /// only, nothing that was captured, to everybody who can reach it.
    #[arg(long, env = "PARALLAX_METRICS", value_name = "HOST:PORT")]
    metrics: Option<String>,
}

impl TelemetryArguments {
    /// What was asked for.
    ///
    /// # Errors
    /// An address that is none.
    pub(super) fn config(self) -> anyhow::Result<TelemetryConfig> {
        Ok(TelemetryConfig {
            metrics: self.metrics,
        })
    }
}
