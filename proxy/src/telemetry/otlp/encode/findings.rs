use jiff::Timestamp;
use opentelemetry_proto::tonic::common::v1::AnyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::logs::v1::{LogRecord, SeverityNumber};
use parallax_captures::{Finding, Severity};

use super::{list, nanoseconds, number, text};
use crate::telemetry::otlp::ids::Id;

/// A finding; `trace` is that of the latest exchange that shows it, where that is sent.
pub(in super::super) fn record(finding: &Finding, now: Timestamp, trace: Option<Id>) -> LogRecord {
    let about = finding.description();
    let (severity, severity_text) = match about.severity {
        Severity::Error => (SeverityNumber::Error, "ERROR"),
        Severity::Warning => (SeverityNumber::Warn, "WARN"),
        Severity::Info => (SeverityNumber::Info, "INFO"),
    };
    let evidence = finding.evidence.join(" ");
    let body = format!(
        "{} {}: {}. {evidence}",
        finding.code, finding.place, about.title
    );
    let exchanges = finding.exchanges.iter();
    let exchanges = exchanges.map(|n| Value::IntValue(i64::try_from(*n).unwrap_or(i64::MAX)));
    LogRecord {
        time_unix_nano: nanoseconds(finding.last),
        observed_time_unix_nano: nanoseconds(now),
        severity_number: severity.into(),
        severity_text: severity_text.to_owned(),
        body: Some(AnyValue {
            value: Some(Value::StringValue(body.trim_end().to_owned())),
        }),
        attributes: vec![
            text("parallax.finding.code", finding.code.to_string()),
            text("parallax.finding.title", about.title),
            text("parallax.finding.place", finding.place.as_str()),
            number("parallax.finding.count", finding.count),
            list("parallax.exchanges", exchanges),
        ],
        flags: u32::from(trace.is_some()),
        trace_id: trace.map_or_else(Vec::new, |id| id.trace.to_vec()),
        span_id: trace.map_or_else(Vec::new, |id| id.span.to_vec()),
        event_name: "parallax.finding".to_owned(),
        ..LogRecord::default()
    }
}
