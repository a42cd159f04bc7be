//! What a server shows of itself over HTTP to who only looks: `parallax doctor`. Through
//! the mirror's gate, like everything.

use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;

use super::MirrorError;
use super::allowed::STATS_TARGET;
use super::client::{Client, Reply, Trouble};
use super::gate::Ask;
use super::users::{self, Token};
use crate::credentials::Credentials;
use crate::tls::UpstreamTls;

/// A server's HTTP API, for one look.
#[derive(Debug)]
pub(crate) struct HttpLook(Client);

/// What answers a ping.
#[derive(Debug)]
pub(crate) struct HttpPing {
    /// Whether it says what an Iggy server says.
    pub(crate) is_iggy: bool,
    pub(crate) status: u16,
    /// How far the server's clock is ahead of ours, in seconds; it tells whole ones.
    pub(crate) ahead: Option<i64>,
}

/// A login that was taken.
#[derive(Debug)]
pub(crate) struct HttpLogin<'a> {
    client: &'a Client,
    token: Token,
}

/// What a server says of itself.
#[derive(Debug, Deserialize)]
pub(crate) struct HttpStats {
    pub(crate) process_id: u32,
    pub(crate) hostname: String,
    /// Microseconds since 1970.
    pub(crate) start_time: Option<u64>,
    pub(crate) iggy_server_version: Option<String>,
}

impl HttpLook {
    /// # Errors
    /// It is no address of an HTTP server.
    pub(crate) fn new(
        address: &str,
        tls: Option<&UpstreamTls>,
        limit: Duration,
    ) -> Result<Self, MirrorError> {
        let mut client = Client::new(address, tls)?;
        client.timeout = limit;
        Ok(Self(client))
    }

    /// # Errors
    /// Nothing answers.
    pub(crate) async fn ping(&self) -> Result<HttpPing, String> {
        let reply = self.0.send(Ask::Ping).await.map_err(said)?;
        let now = Timestamp::now();
        Ok(HttpPing {
            is_iggy: reply.status == 200 && reply.body == b"pong",
            status: reply.status,
            ahead: reply.date.map(|date| date.as_second() - now.as_second()),
        })
    }

    /// # Errors
    /// Why HTTP does not let that user in; never with a secret in it.
    pub(crate) async fn log_in(&self, credentials: &Credentials) -> Result<HttpLogin<'_>, String> {
        let (path, body) = users::login(credentials);
        let reply = self.0.send(Ask::Login(path, body)).await.map_err(said)?;
        Ok(HttpLogin {
            client: &self.0,
            token: users::token(credentials, &reply)?,
        })
    }
}

impl HttpLogin<'_> {
    /// # Errors
    /// Why there are none.
    pub(crate) async fn stats(&self) -> Result<HttpStats, String> {
        let asked = self.client.send(Ask::Get(STATS_TARGET, &self.token)).await;
        let Reply { status, body, .. } = asked.map_err(said)?;
        if status != 200 {
            return Err(format!("HTTP answers GET /stats with HTTP {status}"));
        }
        serde_json::from_slice(&body).map_err(|error| format!("its statistics: {error}"))
    }
}

fn said(trouble: Trouble) -> String {
    match trouble {
        Trouble::Silent(why) | Trouble::Unusable(why) => why,
    }
}
