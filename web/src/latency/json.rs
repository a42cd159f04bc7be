//! The chosen latencies as JSON.

use std::ops::Range;

use hdrhistogram::Histogram;
use parallax_captures::{Label, LatencySeries, json as noun};
use parallax_codec::primitives::Identifier;
use serde_json::{Map, Value, json};

use super::choice::label_text;
use super::compared::Compared;
use super::percentiles::{CURVE, SHOWN};
use super::report::Report;

/// Service times in microseconds, within 1 %.
pub(crate) fn report(report: &Report, label: Option<&str>, with_slices: bool) -> Value {
    let rows: Vec<_> = report
        .logged()
        .into_iter()
        .filter(|one| label.is_none_or(|label| is_called(one, label)))
        .collect();
    let series: Vec<_> = rows
        .iter()
        .filter_map(|one| series(report, one, with_slices))
        .collect();
    let width = report.timeline.slice_width().as_micros();
    let mut value = json!({
        "by": report.choice.by.name(),
        "slice_us": u64::try_from(width).unwrap_or(u64::MAX),
        "time": times(report, &report.first),
        "series": series,
        "unrecorded": report.timeline.unrecorded,
        "retried": report.timeline.retried,
    });
    if let Some(second) = &report.second {
        let compared = rows
            .iter()
            .filter_map(|one| Compared::of(one, [&report.first, second]));
        value["compared_with"] = times(report, second);
        value["comparison"] = compared.map(|one| comparison(&one)).collect();
    }
    value
}

/// Whether this is the series' label, as JSON or as the page's address has it.
fn is_called(series: &LatencySeries, label: &str) -> bool {
    let is_name = match &series.label {
        Label::Stream(Identifier::Named(name)) => name == label,
        _ => false,
    };
    is_name || (series.label != Label::All && label_text(&series.label) == label)
}

fn times(report: &Report, range: &Range<i64>) -> Value {
    if range.is_empty() {
        return Value::Null;
    }
    let (from, to) = report.times(range);
    json!({ "from": noun::time(from), "to": noun::time(to) })
}

fn series(report: &Report, series: &LatencySeries, with_slices: bool) -> Option<Value> {
    let histogram = series.histogram(&report.first)?;
    let mut value = named(series);
    value.append(&mut percentiles(&histogram));
    let curve = CURVE.iter().filter_map(|one| {
        let micros = one.of(&histogram)?;
        Some(json!({ "percentile": one.name, "us": micros }))
    });
    value.insert("curve".to_owned(), curve.collect());
    if with_slices {
        let slices = series.slices(&report.first).iter();
        let slices = slices.map(|(slice, buckets)| {
            let counts: Vec<_> = buckets.recorded().collect();
            let time = noun::time(report.timeline.begin_of(*slice));
            json!({ "time": time, "us_and_count": counts })
        });
        value.insert("slices".to_owned(), slices.collect());
    }
    Some(Value::Object(value))
}

fn named(series: &LatencySeries) -> Map<String, Value> {
    let label = match &series.label {
        Label::All => Value::Null,
        Label::Strategy(kind) => kind.name().into(),
        Label::Stream(Identifier::Numeric(number)) => (*number).into(),
        Label::Stream(Identifier::Named(name)) => name.as_str().into(),
        Label::Connection(conn) => conn.0.into(),
    };
    let mut value = Map::new();
    value.insert("label".to_owned(), label);
    value.insert("command".to_owned(), series.command.as_str().into());
    value.insert("side".to_owned(), series.side.name().into());
    value
}

/// Those for which there are too few samples are named: they are the longest then.
fn percentiles(histogram: &Histogram<u64>) -> Map<String, Value> {
    let mut value = Map::new();
    value.insert("count".to_owned(), histogram.len().into());
    let mut few = Vec::new();
    for one in &SHOWN {
        let micros = histogram.value_at_quantile(one.quantile);
        value.insert(one.field.to_owned(), micros.into());
        if one.of(histogram).is_none() {
            few.push(one.name);
        }
    }
    value.insert("max_us".to_owned(), histogram.max().into());
    value.insert("too_few_for".to_owned(), few.into());
    value
}

fn comparison(compared: &Compared<'_>) -> Value {
    let mut value = named(compared.series);
    let [first, second] = &compared.times;
    value.insert("first".to_owned(), percentiles(first).into());
    value.insert("second".to_owned(), percentiles(second).into());
    let ratios = SHOWN.iter().map(|one| {
        let ratio = compared.ratio(one);
        json!({
            "percentile": one.name,
            "hundredths": ratio.map(|ratio| ratio.hundredths),
            "few_samples": ratio.is_none_or(|ratio| ratio.is_shaky),
        })
    });
    value.insert("ratios".to_owned(), ratios.collect());
    value.insert("sentence".to_owned(), compared.sentence().into());
    Value::Object(value)
}
