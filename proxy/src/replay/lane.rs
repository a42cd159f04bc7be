//! One connection of a replay: a request and its reply at a time.

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use jiff::Timestamp;
use parallax_captures::{ConnectionId, Content, Dialect, Exchange};
use parallax_codec::{Direction, Reply, classic};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::limits::OWN_READ_BUFFER;
use crate::session::{Session, SessionEvent};
use crate::vsr_client::VsrClient;

/// A connection to the server, read as a captured one is.
#[derive(Debug)]
pub(super) struct Lane {
    stream: TcpStream,
    session: Session,
    /// Of the VSR dialect.
    client: Option<VsrClient>,
    patience: Duration,
    is_first: bool,
}

impl Lane {
    /// Connects.
    ///
    /// # Errors
    /// Why not.
    pub(super) async fn open(
        to: &str,
        conn: ConnectionId,
        dialect: Dialect,
        patience: Duration,
    ) -> Result<Self, String> {
        let connected = timeout(patience, TcpStream::connect(to)).await;
        let connected =
            connected.map_err(|_| format!("no connection to {to} within {patience:?}"))?;
        let stream = connected.map_err(|error| format!("no connection to {to}: {error}"))?;
        let no_delay = stream.set_nodelay(true);
        no_delay.map_err(|error| format!("no connection to {to}: {error}"))?;
        Ok(Self {
            stream,
            session: Session::new(conn, false),
            client: (dialect == Dialect::Vsr).then(VsrClient::new),
            patience,
            is_first: true,
        })
    }

    /// Sends a request and reads its reply.
    ///
    /// # Errors
    /// Why there is none. The connection is of no use then.
    pub(super) async fn ask(&mut self, code: u32, body: &[u8]) -> Result<Exchange, String> {
        let patience = self.patience;
        let answer = timeout(patience, self.exchange(code, body)).await;
        let answer = answer.unwrap_or_else(|_| {
            let hint = if self.is_first {
                "; a server of the other dialect keeps silent, too"
            } else {
                ""
            };
            Err(format!("no reply within {patience:?}{hint}"))
        })?;
        self.is_first = false;
        if let (Some(client), Content::Binary(content)) = (&mut self.client, &answer.content)
            && let Some(Reply::Session(opened)) = &content.reply
        {
            client.opened(opened.session);
        }
        Ok(answer)
    }

    async fn exchange(&mut self, code: u32, body: &[u8]) -> Result<Exchange, String> {
        let frame = match &mut self.client {
            Some(client) => client.header(code, body).frame(body),
            None => classic::encode_request(code, body),
        };
        let mut events = Vec::new();
        let sent = self.stream.write_all(&frame).await;
        self.session
            .bytes(Direction::ToServer, Timestamp::now(), frame, &mut events);
        sent.map_err(|error| format!("the connection broke: {error}"))?;
        loop {
            if let Some(answer) = answer_in(events)? {
                return Ok(answer);
            }
            let mut chunk = BytesMut::with_capacity(OWN_READ_BUFFER);
            let read = self.stream.read_buf(&mut chunk).await;
            if read.map_err(|error| format!("the connection broke: {error}"))? == 0 {
                return Err("the server closed the connection".to_owned());
            }
            events = Vec::new();
            let now = Timestamp::now();
            self.session
                .bytes(Direction::ToClient, now, chunk.freeze(), &mut events);
        }
    }
}

/// The answer, if it has come.
///
/// # Errors
/// What came cannot be read, or ends the session.
fn answer_in(events: Vec<SessionEvent>) -> Result<Option<Exchange>, String> {
    let mut answer = None;
    let mut trouble = None;
    for event in events {
        match event {
            // It says more than what is undecoded because of it.
            SessionEvent::Skewed(skew) => return Err(skew.to_string()),
            SessionEvent::Undecoded(undecoded) => trouble = Some(undecoded.to_string()),
            SessionEvent::Exchange(exchange) => match (&exchange.content, exchange.eviction()) {
                (Content::Binary(_), _) if exchange.times.reply.is_some() => {
                    answer = Some(Arc::unwrap_or_clone(exchange));
                }
                (Content::Unsolicited(_), Some(eviction)) => {
                    let reason = eviction.reason.name();
                    trouble = Some(format!("the server ended the session: {reason}"));
                }
                _ => {}
            },
            _ => {}
        }
    }
    match (answer, trouble) {
        (None, Some(trouble)) => Err(trouble),
        (answer, _) => Ok(answer),
    }
}
