//! The one place from which the mirror sends anything over HTTP. It alone has the HTTP
//! client (`clippy.toml` lets nobody else make one), and it asks [`allowed`] before
//! each request. No redirect is followed, wherever it leads, so nothing is sent to any
//! host but the one that was configured; no proxy of the environment is used.

use std::time::Duration;

use reqwest::header::ACCEPT;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, Url};
use rustls::ClientConfig;
use serde_json::Value;

use super::MirrorError;
use super::allowed::{PING_TARGET, allowed};
use super::users::Token;
use crate::limits::MIRROR_CONNECT_TIMEOUT;
use crate::tls::UpstreamTls;

/// Sends requests to one server.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    http: Client,
    /// Scheme, host, port and perhaps a path, without a slash at the end.
    base: String,
    server: String,
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

/// Why a request was not answered.
#[derive(Debug)]
pub(super) enum Unsent {
    /// It is not one that the mirror sends: a sentence.
    NotAllowed(String),
    /// It was sent in vain.
    Failed(reqwest::Error),
}

impl Gate {
    pub(super) fn new(address: &str, tls: Option<&UpstreamTls>) -> Result<Self, MirrorError> {
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
        #[expect(
            clippy::disallowed_methods,
            reason = "the mirror's only HTTP client, behind `allowed`"
        )]
        let builder = Client::builder();
        let builder = match tls {
            Some(tls) => builder.tls_backend_preconfigured(ClientConfig::clone(&tls.config())),
            None => builder,
        };
        let http = builder
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
        })
    }

    /// Scheme, host and port.
    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// Sends a request, if it is one that may be sent; `timeout` is from connecting to
    /// the last byte of the answer.
    pub(super) async fn send(&self, ask: &Ask<'_>, timeout: Duration) -> Result<Response, Unsent> {
        let (method, target) = match ask {
            Ask::Get(target, _) => (Method::GET, *target),
            Ask::Ping => (Method::GET, PING_TARGET),
            Ask::Login(target, _) => (Method::POST, *target),
        };
        let url = self.url(&method, target).ok_or_else(|| {
            Unsent::NotAllowed(format!(
                "parallax does not send {method} {target}: the mirror only polls and looks at topics."
            ))
        })?;
        let request = self
            .http
            .request(method, url)
            .timeout(timeout)
            .header(ACCEPT, "application/json");
        let request = match ask {
            Ask::Get(_, token) => request.bearer_auth(token.expose()),
            Ask::Ping => request,
            Ask::Login(_, body) => request.json(body),
        };
        request.send().await.map_err(Unsent::Failed)
    }

    /// The URL of an allowed request; what parsing would change is not sent.
    fn url(&self, method: &Method, target: &str) -> Option<Url> {
        let text = format!("{}{target}", self.base);
        let url = Url::parse(&text).ok()?;
        (url.as_str() == text && allowed(method, target)).then_some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_not_allowed_is_not_sent() {
        // Nobody listens there: what is sent fails.
        let gate = Gate::new("http://127.0.0.1:1/iggy", None).unwrap();
        let wait = Duration::from_secs(5);
        let ask = Ask::Login("/users", Value::Null);
        assert!(matches!(
            gate.send(&ask, wait).await,
            Err(Unsent::NotAllowed(_))
        ));
        let ask = Ask::Login("/users/login", Value::Null);
        assert!(matches!(
            gate.send(&ask, wait).await,
            Err(Unsent::Failed(_))
        ));
    }
}
