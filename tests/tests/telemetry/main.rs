//! What parallax tells of itself, read by those it is for: Prometheus, its `promtool`, and a
//! receiver of OTLP.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod otlp;
mod prometheus;
mod scene;
