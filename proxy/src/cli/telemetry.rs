//! What is told of parallax itself, on a command line.

use std::env::VarError;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;

use super::route::own_address;
use crate::telemetry::TelemetryConfig;
use crate::telemetry::otlp::OtlpConfig;

#[derive(Debug, Args)]
pub(super) struct TelemetryArguments {
    /// Serve `/metrics` (Prometheus), `/healthz` and `/readyz` here, e.g. 127.0.0.1:9190: figures
    /// only, nothing that was captured, to everybody who can reach it.
    #[arg(
        long,
        env = "PARALLAX_METRICS",
        value_name = "HOST:PORT",
        value_parser = own_address
    )]
    metrics: Option<String>,
    /// Send findings, figures and a sample of the exchanges to this OpenTelemetry collector, by
    /// OTLP over HTTP, e.g. `http://127.0.0.1:4318`. Names of streams, topics and groups are sent;
    /// no payload and no secret is. [default: `OTEL_EXPORTER_OTLP_ENDPOINT`, else none]
    // As with --http: it may hold a password.
    #[arg(
        long,
        env = "PARALLAX_OTLP",
        value_name = "URL",
        hide_env_values = true,
        hide_default_value = true
    )]
    otlp: Option<String>,
    /// The part of the exchanges that is sent, 0 to 1.
    #[arg(
        long,
        env = "PARALLAX_OTLP_SAMPLE",
        value_name = "PART",
        default_value_t = 0.01,
        value_parser = part
    )]
    otlp_sample: f64,
}

impl TelemetryArguments {
    /// What was asked for.
    ///
    /// # Errors
    /// What is said of the collector cannot be.
    pub(super) fn config(self) -> anyhow::Result<TelemetryConfig> {
        let endpoint = match self.otlp {
            Some(otlp) => Some(otlp),
            None => standard("OTEL_EXPORTER_OTLP_ENDPOINT")?,
        };
        let otlp = endpoint.map(|endpoint| collector(&endpoint, self.otlp_sample));
        Ok(TelemetryConfig {
            metrics: self.metrics,
            otlp: otlp.transpose()?,
        })
    }
}

/// # Errors
/// It is no part of a whole.
fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

/// The collector there, with what OpenTelemetry's own variables say of it: a header may be a
/// secret, and has no flag.
fn collector(endpoint: &str, sample: f64) -> anyhow::Result<OtlpConfig> {
    if let Some(protocol) = standard("OTEL_EXPORTER_OTLP_PROTOCOL")?
        && protocol != "http/protobuf"
    {
        bail!(
            "OTEL_EXPORTER_OTLP_PROTOCOL is {protocol:?}, and parallax speaks http/protobuf only: \
             unset it, and name the collector's port for OTLP over HTTP, mostly 4318"
        );
    }
    let mut config = OtlpConfig::new(endpoint, sample).context("--otlp")?;
    if let Some(attributes) = standard("OTEL_RESOURCE_ATTRIBUTES")? {
        config = config
            .with_attributes(&attributes)
            .context("OTEL_RESOURCE_ATTRIBUTES")?;
    }
    if let Some(service) = standard("OTEL_SERVICE_NAME")? {
        config = config.named(service);
    }
    if let Some(headers) = standard("OTEL_EXPORTER_OTLP_HEADERS")? {
        config = config
            .with_headers(&headers)
            .context("OTEL_EXPORTER_OTLP_HEADERS")?;
    }
    let (timeout, metrics_every) = config.times();
    let timeout = milliseconds("OTEL_EXPORTER_OTLP_TIMEOUT")?.unwrap_or(timeout);
    let metrics_every = milliseconds("OTEL_METRIC_EXPORT_INTERVAL")?.unwrap_or(metrics_every);
    Ok(config.timed(timeout, metrics_every))
}

/// One of OpenTelemetry's variables. An empty one is none, by its specification.
fn standard(name: &str) -> anyhow::Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => bail!("{name} is not text (UTF-8)"),
    }
}

fn milliseconds(name: &str) -> anyhow::Result<Option<Duration>> {
    let Some(value) = standard(name)? else {
        return Ok(None);
    };
    match value.parse() {
        Ok(milliseconds @ 1..) => Ok(Some(Duration::from_millis(milliseconds))),
        _ => bail!("{name} is {value:?}, and has to be a number of milliseconds, at least 1"),
    }
}
