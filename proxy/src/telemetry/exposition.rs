//! Prometheus' text format 0.0.4.
//!
//! Written here and not by a crate: figures are gathered where they are counted, so that of a
//! client library nothing would be used but this, and `prometheus-client` 0.25 writes
//! `OpenMetrics` alone, which `promtool check metrics` does not read.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::family::{Family, Sample, Value};
use super::histogram::{BOUNDS, Histogram};
use super::metrics::Metric;

/// Everything, as it is scraped.
pub(super) fn text(families: &[Family]) -> String {
    let mut out = String::new();
    for family in families.iter().filter(|family| !family.samples.is_empty()) {
        let (name, kind) = (family.metric.name(), family.metric.kind.name());
        let help = family.metric.help.replace('\\', r"\\").replace('\n', r"\n");
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for sample in &family.samples {
            write_sample(&mut out, &name, family.metric, sample);
        }
    }
    out
}

fn write_sample(out: &mut String, name: &str, metric: &Metric, sample: &Sample) {
    let labels = metric.labels.iter().copied().zip(&sample.labels);
    let labels: Vec<_> = labels
        .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
        .collect();
    let labels = labels.join(",");
    match &sample.value {
        Value::Whole(value) => line(out, name, &labels, value),
        Value::Real(value) => line(out, name, &labels, value),
        Value::Histogram(histogram) => write_histogram(out, name, &labels, histogram),
    }
}

/// Each bucket counts those of the buckets before it as well.
fn write_histogram(out: &mut String, name: &str, labels: &str, histogram: &Histogram) {
    let bounds = BOUNDS.iter().map(|bound| Cow::from(bound.to_string()));
    let bounds = bounds.chain(["+Inf".into()]);
    let mut count = 0;
    for (bound, met) in bounds.zip(histogram.buckets) {
        count += met;
        let comma = if labels.is_empty() { "" } else { "," };
        let labels = format!("{labels}{comma}le=\"{bound}\"");
        line(out, &format!("{name}_bucket"), &labels, count);
    }
    line(out, &format!("{name}_sum"), labels, histogram.sum());
    line(out, &format!("{name}_count"), labels, count);
}

fn line(out: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let _ = if labels.is_empty() {
        writeln!(out, "{name} {value}")
    } else {
        writeln!(out, "{name}{{{labels}}} {value}")
    };
}

fn escaped(value: &str) -> Cow<'_, str> {
    if value.contains(['\\', '"', '\n']) {
        let value = value.replace('\\', r"\\").replace('"', "\\\"");
        value.replace('\n', r"\n").into()
    } else {
        value.into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::metrics::{BUILD_INFO, CONNECTIONS};
    use super::*;

    #[test]
    fn a_label_cannot_end_its_line() {
        let mut family = Family::new(&BUILD_INFO);
        family.push(["a\\b\"c\nd".into()], 1_u64);
        let written = text(&[family]);
        let expected = "parallax_build_info{version=\"a\\\\b\\\"c\\nd\"} 1\n";
        assert!(written.ends_with(expected), "{written}");
    }

    #[test]
    fn what_has_no_value_is_not_there() {
        assert_eq!(text(&[Family::new(&CONNECTIONS)]), "");
    }
}
