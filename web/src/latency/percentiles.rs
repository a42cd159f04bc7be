//! Percentiles, and how many samples they need.

use hdrhistogram::Histogram;
use parallax_captures::{Label, LatencySeries, Side};

use super::choice::label_text;

/// A percentile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Percentile {
    /// `p99.9`.
    pub(crate) name: &'static str,
    /// As a field of JSON: `p99_9_us`.
    pub(crate) field: &'static str,
    /// The share of samples that are no longer.
    pub(crate) quantile: f64,
    /// With fewer samples it would be the longest of all.
    pub(crate) needs: u64,
}

const fn percentile(
    name: &'static str,
    field: &'static str,
    quantile: f64,
    needs: u64,
) -> Percentile {
    Percentile {
        name,
        field,
        quantile,
        needs,
    }
}

/// Those of the tables.
pub(crate) const SHOWN: [Percentile; 4] = [
    percentile("p50", "p50_us", 0.5, 2),
    percentile("p90", "p90_us", 0.9, 10),
    percentile("p99", "p99_us", 0.99, 100),
    percentile("p99.9", "p99_9_us", 0.999, 1_000),
];

/// Those of the curve's table.
pub(crate) const CURVE: [Percentile; 12] = [
    percentile("p10", "p10_us", 0.1, 2),
    percentile("p25", "p25_us", 0.25, 2),
    percentile("p50", "p50_us", 0.5, 2),
    percentile("p75", "p75_us", 0.75, 4),
    percentile("p90", "p90_us", 0.9, 10),
    percentile("p95", "p95_us", 0.95, 20),
    percentile("p99", "p99_us", 0.99, 100),
    percentile("p99.5", "p99_5_us", 0.995, 200),
    percentile("p99.9", "p99_9_us", 0.999, 1_000),
    percentile("p99.95", "p99_95_us", 0.9995, 2_000),
    percentile("p99.99", "p99_99_us", 0.9999, 10_000),
    percentile("p99.999", "p99_999_us", 0.99999, 100_000),
];

impl Percentile {
    /// In microseconds, where there are enough samples for it.
    pub(crate) fn of(&self, histogram: &Histogram<u64>) -> Option<u64> {
        let enough = histogram.len() >= self.needs;
        enough.then(|| histogram.value_at_quantile(self.quantile))
    }

    /// Whether it rests on fewer than ten samples that are longer.
    pub(crate) fn is_shaky(&self, count: u64) -> bool {
        count < self.needs.saturating_mul(10)
    }
}

/// What a series is called: `poll_messages TCP`, `next, poll_messages HTTP`.
pub(crate) fn in_words(series: &LatencySeries) -> String {
    let side = match series.side {
        Side::Tcp => "TCP",
        Side::Http => "HTTP",
    };
    let command = &series.command;
    match &series.label {
        Label::All => format!("{command} {side}"),
        Label::Connection(conn) => format!("connection {}, {command} {side}", conn.0),
        label => format!("{}, {command} {side}", label_text(label)),
    }
}
