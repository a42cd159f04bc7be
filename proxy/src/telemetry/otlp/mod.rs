//! Findings, figures and a sample of the exchanges, sent to a collector by OTLP over HTTP.
//!
//! ```text
//! journal --> reader --> bounded queues --> batches --> POST /v1/logs, /v1/traces
//! figures --------------------------------> snapshot -> POST /v1/metrics
//! ```
//!
//! One task of the runtime of everything but the relay does it all: no client's bytes wait
//! for a collector. It reads the journal's memory with a place of its own, as the recorder
//! does; what memory dropped before it was read is counted, and so is what a full queue has
//! no room for. No payload is sent and no secret; names of streams, topics and groups are.
//!
//! The messages are those of `opentelemetry-proto`, sent by the HTTP client that the mirror
//! has. The SDK of OpenTelemetry would measure a second time what is counted here already,
//! and its queues have no counters.

mod config;
mod counters;
mod encode;
mod exporter;
mod findings;
mod ids;
mod queue;
mod sampled;
mod sender;
#[cfg(test)]
mod tests;

pub use config::{OtlpConfig, OtlpError};
pub use counters::{OtlpCounters, Reason, Signal};
pub use exporter::Exporter;
