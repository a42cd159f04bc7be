//! One HTTP request and its answer, bounded in time and size.

use std::error::Error as _;
use std::time::Duration;

use jiff::Timestamp;
use parallax_captures::verdict::AskedTimes;
use reqwest::header::{ACCEPT, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Method, Response, Url};
use serde_json::Value;
use tokio::time::Instant;

use super::MirrorError;
use super::allowed::{PING_TARGET, allowed};
use super::users::Token;
use crate::limits::{MIRROR_BODY_BYTES, MIRROR_CONNECT_TIMEOUT, MIRROR_TIMEOUT};

/// Sends requests to one server: no redirect is followed, no proxy of the
/// environment used.
#[derive(Debug, Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    /// Scheme, host, port and perhaps a path, without a slash at the end.
    base: String,
    server: String,
    /// How long a request may take, connecting included.
    pub(super) timeout: Duration,
}

/// A request, by what it is for.
#[derive(Debug)]
pub(super) enum Ask<'a> {
    /// Looks at something as a user.
    Get(&'a str, &'a Token),
    /// Asks, as nobody, whether this is an Iggy server.
    Ping,
    /// Logs in.
    Login(&'static str, Value),
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    pub(super) retry_after: Option<Duration>,
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
    pub(super) fn new(address: &str) -> Result<Self, MirrorError> {
        let wrong = |shown: &str, why: &str| MirrorError::Address {
            address: shown.to_owned(),
            why: why.to_owned(),
        };
        // What cannot be parsed is not shown: there may be a password in it.
        let url = Url::parse(address).map_err(|error| wrong("…", &error.to_string()))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(
                "…",
                "it holds a user name or password; use --http-user",
            ));
        }
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong(address, "it does not begin with http:// or https://"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong(address, "it has a query or a fragment"));
        }
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(MIRROR_CONNECT_TIMEOUT)
            .user_agent(concat!("parallax/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| MirrorError::Client(error.without_url().to_string()))?;
        Ok(Self {
            http,
            base: url.as_str().trim_end_matches('/').to_owned(),
            server: url.origin().ascii_serialization(),
            timeout: MIRROR_TIMEOUT,
        })
    }

    /// Scheme, host and port.
    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// Sends a request. Every request of the mirror goes through here.
    pub(super) async fn send(&self, ask: Ask<'_>) -> Result<Reply, Trouble> {
        let (method, target) = match &ask {
            Ask::Get(target, _) => (Method::GET, *target),
            Ask::Ping => (Method::GET, PING_TARGET),
            Ask::Login(target, _) => (Method::POST, *target),
        };
        let url = self.url(&method, target)?;
        let request = self
            .http
            .request(method, url)
            .timeout(self.timeout)
            .header(ACCEPT, "application/json");
        let request = match &ask {
            Ask::Get(_, token) => request.bearer_auth(token.expose()),
            Ask::Ping => request,
            Ask::Login(_, body) => request.json(body),
        };
        let (asked, begun) = (Timestamp::now(), Instant::now());
        let response = request.send().await.map_err(|error| self.silent(error))?;
        let status = response.status().as_u16();
        let retry_after = retry_after(&response);
        let body = self.body(response).await?;
        Ok(Reply {
            status,
            body,
            retry_after,
            asked,
            latency: begun.elapsed(),
        })
    }

    /// The URL of an allowed request; what parsing would change is not sent.
    fn url(&self, method: &Method, target: &str) -> Result<Url, Trouble> {
        let text = format!("{}{target}", self.base);
        let url = Url::parse(&text).ok().filter(|url| url.as_str() == text);
        match url {
            Some(url) if allowed(method, target) => Ok(url),
            _ => Err(Trouble::Unusable(format!(
                "parallax does not send {method} {target}: the mirror only polls and looks at topics."
            ))),
        }
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
        let server = &self.server;
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
