//! From parallax' nouns to OTLP's messages.

mod findings;
mod metrics;
mod spans;

use jiff::Timestamp;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{
    AnyValue, ArrayValue, InstrumentationScope, KeyValue,
};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::metrics::v1::{Metric, ResourceMetrics, ScopeMetrics};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};

use super::config::OtlpConfig;
use super::ids::instance;

pub(super) use findings::record;
pub(super) use metrics::metrics;
pub(super) use spans::span;

/// Who sends: the same for everything.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    resource: Resource,
    scope: InstrumentationScope,
}

impl Origin {
    pub(super) fn new(config: &OtlpConfig) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        let mut attributes = vec![
            text("service.name", config.service.as_str()),
            text("service.version", version),
            text("service.instance.id", instance()),
        ];
        // What was given says more than what was made up.
        for (key, value) in &config.attributes {
            attributes.retain(|known| known.key != *key);
            attributes.push(text(key, value.as_str()));
        }
        Self {
            resource: Resource {
                attributes,
                ..Resource::default()
            },
            scope: InstrumentationScope {
                name: "parallax".to_owned(),
                version: version.to_owned(),
                ..InstrumentationScope::default()
            },
        }
    }

    pub(super) fn logs(&self, log_records: Vec<LogRecord>) -> ExportLogsServiceRequest {
        ExportLogsServiceRequest {
            resource_logs: vec![ResourceLogs {
                resource: Some(self.resource.clone()),
                scope_logs: vec![ScopeLogs {
                    scope: Some(self.scope.clone()),
                    log_records,
                    ..ScopeLogs::default()
                }],
                ..ResourceLogs::default()
            }],
        }
    }

    pub(super) fn metrics(&self, metrics: Vec<Metric>) -> ExportMetricsServiceRequest {
        ExportMetricsServiceRequest {
            resource_metrics: vec![ResourceMetrics {
                resource: Some(self.resource.clone()),
                scope_metrics: vec![ScopeMetrics {
                    scope: Some(self.scope.clone()),
                    metrics,
                    ..ScopeMetrics::default()
                }],
                ..ResourceMetrics::default()
            }],
        }
    }

    pub(super) fn spans(&self, spans: Vec<Span>) -> ExportTraceServiceRequest {
        ExportTraceServiceRequest {
            resource_spans: vec![ResourceSpans {
                resource: Some(self.resource.clone()),
                scope_spans: vec![ScopeSpans {
                    scope: Some(self.scope.clone()),
                    spans,
                    ..ScopeSpans::default()
                }],
                ..ResourceSpans::default()
            }],
        }
    }
}

fn text(key: &str, value: impl Into<String>) -> KeyValue {
    attribute(key, Value::StringValue(value.into()))
}

fn number(key: &str, value: u64) -> KeyValue {
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    attribute(key, Value::IntValue(value))
}

fn list(key: &str, values: impl Iterator<Item = Value>) -> KeyValue {
    let values = values
        .map(|value| AnyValue { value: Some(value) })
        .collect();
    attribute(key, Value::ArrayValue(ArrayValue { values }))
}

fn attribute(key: &str, value: Value) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue { value: Some(value) }),
        ..KeyValue::default()
    }
}

/// Nanoseconds since 1970.
fn nanoseconds(time: Timestamp) -> u64 {
    u64::try_from(time.as_nanosecond()).unwrap_or_default()
}
