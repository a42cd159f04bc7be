//! What parallax tells of itself: figures that are scraped or sent, findings, and a sample of
//! the exchanges.
//!
//! ```text
//! relay's counters, journal, mirror, recording --> gather --> families --> /metrics
//!                                                                      \--> OTLP
//! ```
//!
//! Figures are gathered when somebody asks, from what is counted anyway: nothing is counted
//! for a scrape, and nobody's bytes wait for one.

mod exposition;
mod family;
mod gather;
mod histogram;
pub mod metrics;
pub mod otlp;
mod service;

use std::net::SocketAddr;
use std::sync::Arc;

use parallax_web::{Monitored, Readiness};

use crate::relay::Shutdown;

pub use gather::Figures;
pub use metrics::{Kind, Metric, Unit};
pub use service::{Telemetry, TelemetryConfig, TelemetryError};

/// The figures, and whether clients are served: what `/metrics`, `/healthz` and `/readyz`
/// answer from.
#[derive(Debug)]
pub struct Monitor {
    /// The figures.
    pub figures: Arc<Figures>,
    /// Where clients connect.
    pub listens: Vec<SocketAddr>,
    /// Whether the program is ending.
    pub shutdown: Shutdown,
}

impl Monitored for Monitor {
    fn metrics(&self) -> String {
        exposition::text(&self.figures.gather())
    }

    /// That the server cannot be reached is no reason: clients see the same of it as without
    /// parallax, and a supervisor that takes parallax away helps nobody.
    fn readiness(&self) -> Readiness {
        if self.shutdown.is_draining() {
            let why = "not ready: it is ending, and accepts no more clients";
            return Readiness::NotReady(why.to_owned());
        }
        let all: Vec<_> = self.listens.iter().map(ToString::to_string).collect();
        Readiness::Ready(format!("ready: clients are accepted on {}", all.join(", ")))
    }
}
