//! One request to the collector and what came of it.

use std::time::Duration;

use bytes::Bytes;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceResponse;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceResponse;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
use prost::Message as _;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};

use super::config::{OtlpConfig, OtlpError};
use super::counters::Signal;
use crate::limits::{OTLP_ANSWER_BYTES, OTLP_BACKOFF, OTLP_CONNECT_TIMEOUT, OTLP_IDLE};

/// Sends to one collector: no redirect is followed, no proxy of the environment used.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    http: reqwest::Client,
    endpoint: String,
    headers: HeaderMap,
    timeout: Duration,
}

/// What came of a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The collector took all but so many.
    Taken {
        /// Refused ones.
        refused: u64,
        /// Why, in its own words; empty where it said nothing.
        why: String,
    },
    /// The same may be taken later.
    Later {
        /// What happened.
        why: String,
        /// How long to wait, where it said so.
        after: Option<Duration>,
    },
    /// The same will never be taken.
    Refused {
        /// What happened.
        why: String,
    },
}

impl Sender {
    pub(super) fn new(config: &OtlpConfig) -> Result<Self, OtlpError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "sends to a collector, and nothing to the server that is looked at"
        )]
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(OTLP_CONNECT_TIMEOUT)
            // One that a collector closes meanwhile is not taken for a failure.
            .pool_idle_timeout(OTLP_IDLE)
            .user_agent(concat!("parallax/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| OtlpError::Client(error.without_url().to_string()))?;
        Ok(Self {
            http,
            endpoint: config.endpoint.clone(),
            headers: config.headers.clone(),
            timeout: config.timeout,
        })
    }

    /// Sends a message in protobuf.
    pub(super) async fn send(self, signal: Signal, body: Bytes) -> Outcome {
        let later = |error: reqwest::Error| Outcome::Later {
            why: if error.is_timeout() {
                "it did not answer in time".to_owned()
            } else {
                cause(&error.without_url())
            },
            after: None,
        };
        let request = self
            .http
            .post(format!("{}/v1/{}", self.endpoint, signal.name()))
            .headers(self.headers)
            .header(CONTENT_TYPE, "application/x-protobuf")
            .timeout(self.timeout)
            .body(body);
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return later(error),
        };
        let status = response.status();
        if !status.is_success() {
            return refused(status, &response);
        }
        match answer(response).await {
            Ok(body) => partial(signal, &body),
            Err(error) => later(error),
        }
    }
}

/// By the specification of OTLP over HTTP, these may be tried again and no others.
fn refused(status: StatusCode, response: &Response) -> Outcome {
    let why = format!("it answered HTTP {}", status.as_u16());
    if matches!(status.as_u16(), 429 | 502 | 503 | 504) {
        let (_, longest) = OTLP_BACKOFF;
        let after = retry_after(response.headers()).map(|after| after.min(longest));
        return Outcome::Later { why, after };
    }
    Outcome::Refused { why }
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?;
    seconds.trim().parse().ok().map(Duration::from_secs)
}

/// The body, as far as it is read: nothing is in it unless something was refused.
async fn answer(mut response: Response) -> Result<Vec<u8>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > OTLP_ANSWER_BYTES {
            body.clear();
            break;
        }
    }
    Ok(body)
}

/// What the collector refused of what it took. What cannot be read refuses nothing.
fn partial(signal: Signal, body: &[u8]) -> Outcome {
    let told = match signal {
        Signal::Logs => ExportLogsServiceResponse::decode(body)
            .ok()
            .and_then(|answer| answer.partial_success)
            .map(|told| (told.rejected_log_records, told.error_message)),
        Signal::Metrics => ExportMetricsServiceResponse::decode(body)
            .ok()
            .and_then(|answer| answer.partial_success)
            .map(|told| (told.rejected_data_points, told.error_message)),
        Signal::Traces => ExportTraceServiceResponse::decode(body)
            .ok()
            .and_then(|answer| answer.partial_success)
            .map(|told| (told.rejected_spans, told.error_message)),
    };
    let (refused, why) = told.unwrap_or_default();
    Outcome::Taken {
        refused: u64::try_from(refused).unwrap_or_default(),
        why,
    }
}

fn cause(error: &reqwest::Error) -> String {
    let mut cause = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        cause = inner.to_string();
        source = inner.source();
    }
    cause
}
