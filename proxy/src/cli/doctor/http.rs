//! A few harmless questions over HTTP: GET of /ping and /stats, and a login.

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::DATE;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use serde::Deserialize;
use serde_json::json;

use crate::credentials::Credentials;
use crate::limits::MIRROR_BODY_BYTES;

/// The server's HTTP API, for one look.
pub(super) struct Http<'a> {
    client: Client,
    base: &'a str,
}

/// What answers GET /ping.
#[derive(Debug)]
pub(super) struct Ping {
    /// Whether it says what an Iggy server says.
    pub(super) is_iggy: bool,
    pub(super) status: u16,
    /// How far the server's clock is ahead of ours, in seconds; it tells whole ones.
    pub(super) ahead: Option<i64>,
}

/// What a server says of itself.
#[derive(Debug, Deserialize)]
pub(super) struct HttpStats {
    pub(super) process_id: u32,
    pub(super) hostname: String,
    /// Microseconds since 1970.
    pub(super) start_time: Option<u64>,
    pub(super) iggy_server_version: Option<String>,
}

impl<'a> Http<'a> {
    /// # Errors
    /// The client cannot be set up.
    pub(super) fn new(base: &'a str, limit: Duration) -> Result<Self, String> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(limit)
            .build()
            .map_err(|error| error.without_url().to_string())?;
        let base = base.trim_end_matches('/');
        Ok(Self { client, base })
    }

    /// # Errors
    /// Nothing answers.
    pub(super) async fn ping(&self) -> Result<Ping, String> {
        let sent = self.client.get(format!("{}/ping", self.base)).send().await;
        let response = sent.map_err(said)?;
        let date = response.headers().get(DATE);
        let date = date.and_then(|date| rfc2822::parse(date.to_str().ok()?).ok());
        let now = Timestamp::try_from(SystemTime::now()).ok();
        let ahead = date
            .zip(now)
            .map(|(date, now)| date.timestamp().as_second() - now.as_second());
        let status = response.status().as_u16();
        let body = response.bytes().await.map_err(said)?;
        Ok(Ping {
            is_iggy: status == 200 && body.as_ref() == b"pong",
            status,
            ahead,
        })
    }

    /// The token of a login.
    ///
    /// # Errors
    /// Why there is none: never a part of what was answered, which may hold one.
    pub(super) async fn log_in(&self, credentials: &Credentials) -> Result<String, String> {
        #[derive(Deserialize)]
        struct Identity {
            access_token: AccessToken,
        }
        #[derive(Deserialize)]
        struct AccessToken {
            token: String,
        }
        let Credentials::Password { username, password } = credentials else {
            return Err("only a user with a password logs in here".to_owned());
        };
        let body = json!({ "username": username, "password": password });
        let login = self.client.post(format!("{}/users/login", self.base));
        let (status, body) = answered(login.json(&body)).await?;
        let identity = serde_json::from_slice::<Identity>(&body);
        match (status, identity) {
            (200, Ok(identity)) => Ok(identity.access_token.token),
            (200, Err(_)) => Err("the login was answered without a token".to_owned()),
            _ => Err(format!("the login was answered with HTTP {status}")),
        }
    }

    /// # Errors
    /// Why there are none.
    pub(super) async fn stats(&self, token: &str) -> Result<HttpStats, String> {
        let asked = self.client.get(format!("{}/stats", self.base));
        let (status, body) = answered(asked.bearer_auth(token)).await?;
        if status != 200 {
            return Err(format!("GET /stats was answered with HTTP {status}"));
        }
        serde_json::from_slice(&body).map_err(|error| format!("its statistics: {error}"))
    }
}

async fn answered(request: RequestBuilder) -> Result<(u16, Vec<u8>), String> {
    let mut response = request.send().await.map_err(said)?;
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(said)? {
        if body.len() + chunk.len() > MIRROR_BODY_BYTES {
            return Err("its answer is too long".to_owned());
        }
        body.extend_from_slice(&chunk);
    }
    Ok((status, body))
}

/// An error without the address, and with its first cause.
fn said(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        cause = inner.to_string();
        source = inner.source();
    }
    cause
}
