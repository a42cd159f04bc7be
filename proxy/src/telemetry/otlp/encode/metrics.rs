use jiff::Timestamp;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric, NumberDataPoint, Sum,
};

use super::{nanoseconds, text};
use crate::telemetry::family::{Family, Sample, Value};
use crate::telemetry::histogram::BOUNDS;
use crate::telemetry::metrics::{Kind, Unit};

/// The figures as they are `now`, counted since `started`.
pub(in super::super) fn metrics(
    families: &[Family],
    started: Timestamp,
    now: Timestamp,
) -> Vec<Metric> {
    let told = families.iter().filter(|family| !family.samples.is_empty());
    told.map(|family| metric(family, nanoseconds(started), nanoseconds(now)))
        .collect()
}

fn metric(family: &Family, started: u64, now: u64) -> Metric {
    let about = family.metric;
    let labelled = |sample: &Sample| -> Vec<KeyValue> {
        let labels = about.labels.iter().zip(&sample.labels);
        // An empty one is as good as none.
        let labels = labels.filter(|(_, value)| !value.is_empty());
        labels
            .map(|(key, value)| text(key, value.as_ref()))
            .collect()
    };
    let points = || {
        let samples = family.samples.iter();
        let points = samples.filter_map(|sample| {
            Some(NumberDataPoint {
                attributes: labelled(sample),
                start_time_unix_nano: started,
                time_unix_nano: now,
                value: Some(number(&sample.value)?),
                ..NumberDataPoint::default()
            })
        });
        points.collect()
    };
    let data = match about.kind {
        Kind::Counter => Data::Sum(Sum {
            data_points: points(),
            aggregation_temporality: AggregationTemporality::Cumulative.into(),
            is_monotonic: true,
        }),
        Kind::Gauge => Data::Gauge(Gauge {
            data_points: points(),
        }),
        Kind::Histogram => {
            let samples = family.samples.iter();
            let points = samples.filter_map(|sample| match &sample.value {
                Value::Histogram(histogram) => Some(HistogramDataPoint {
                    attributes: labelled(sample),
                    start_time_unix_nano: started,
                    time_unix_nano: now,
                    count: histogram.buckets.iter().sum(),
                    sum: Some(histogram.sum()),
                    bucket_counts: histogram.buckets.to_vec(),
                    explicit_bounds: BOUNDS.to_vec(),
                    ..HistogramDataPoint::default()
                }),
                Value::Whole(_) | Value::Real(_) => None,
            });
            Data::Histogram(Histogram {
                data_points: points.collect(),
                aggregation_temporality: AggregationTemporality::Cumulative.into(),
            })
        }
    };
    let unit = match about.unit {
        Unit::None => "",
        Unit::Seconds => "s",
        Unit::Bytes => "By",
    };
    Metric {
        name: about.dotted_name(),
        description: about.help.to_owned(),
        unit: unit.to_owned(),
        data: Some(data),
        ..Metric::default()
    }
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Whole(value) => Some(Number::AsInt(i64::try_from(*value).unwrap_or(i64::MAX))),
        Value::Real(value) => Some(Number::AsDouble(*value)),
        Value::Histogram(_) => None,
    }
}
