//! One HTTP request and its answer, bounded in time and size.

use std::error::Error as _;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use parallax_captures::verdict::AskedTimes;
use reqwest::Response;
use reqwest::header::{DATE, RETRY_AFTER};
use tokio::time::Instant;

use super::MirrorError;
use super::gate::{Ask, Gate, Unsent};
use crate::limits::{MIRROR_BODY_BYTES, MIRROR_TIMEOUT};
use crate::tls::UpstreamTls;

/// Asks one server.
#[derive(Debug, Clone)]
pub(super) struct Client {
    gate: Gate,
    /// How long a request may take, connecting included.
    pub(super) timeout: Duration,
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    pub(super) retry_after: Option<Duration>,
    /// What the server's clock says.
    pub(super) date: Option<Timestamp>,
    /// When it was asked for.
    pub(super) asked: Timestamp,
    pub(super) latency: Duration,
}

impl Reply {
    /// When it was asked for, and when it was there.
    pub(super) fn times(&self) -> AskedTimes {
        AskedTimes::after(self.asked, self.latency)
    }
}

/// Why there is none.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The server does not answer.
    Silent(String),
    /// It answers, but not with something to be used.
    Unusable(String),
}

impl Client {
    pub(super) fn new(address: &str, tls: Option<&UpstreamTls>) -> Result<Self, MirrorError> {
        Ok(Self {
            gate: Gate::new(address, tls)?,
            timeout: MIRROR_TIMEOUT,
        })
    }

    /// Scheme, host and port.
    pub(super) fn server(&self) -> &str {
        self.gate.server()
    }

    /// Sends a request, and reads its answer.
    pub(super) async fn send(&self, ask: Ask<'_>) -> Result<Reply, Trouble> {
        let (asked, begun) = (Timestamp::now(), Instant::now());
        let response = match self.gate.send(&ask, self.timeout).await {
            Ok(response) => response,
            Err(Unsent::NotAllowed(why)) => return Err(Trouble::Unusable(why)),
            Err(Unsent::Failed(error)) => return Err(self.silent(error)),
        };
        let status = response.status().as_u16();
        let (retry_after, date) = (retry_after(&response), date(&response));
        let body = self.body(response).await?;
        Ok(Reply {
            status,
            body,
            retry_after,
            date,
            asked,
            latency: begun.elapsed(),
        })
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, Trouble> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.silent(error))? {
            if body.len() + chunk.len() > MIRROR_BODY_BYTES {
                return Err(Trouble::Unusable(format!(
                    "The HTTP answer is longer than {MIRROR_BODY_BYTES} bytes, more than the mirror \
                     reads. Poll fewer messages at once to have them compared."
                )));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn silent(&self, error: reqwest::Error) -> Trouble {
        let server = self.server();
        if error.is_timeout() {
            let seconds = self.timeout.as_secs_f32();
            return Trouble::Silent(format!("{server} did not answer within {seconds} s"));
        }
        let is_connect = error.is_connect();
        let error = error.without_url();
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            cause = inner.to_string();
            source = inner.source();
        }
        Trouble::Silent(if is_connect {
            format!("no connection to {server}: {cause}")
        } else {
            format!("{server} broke off: {cause}")
        })
    }
}

fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    seconds.trim().parse().ok().map(Duration::from_secs)
}

fn date(response: &Response) -> Option<Timestamp> {
    let date = response.headers().get(DATE)?.to_str().ok()?;
    rfc2822::parse(date).ok().map(|date| date.timestamp())
}
