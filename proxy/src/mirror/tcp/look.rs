//! What a server shows of itself to who only looks: `parallax doctor`. Nothing is sent but
//! a ping, and with credentials a login and the question for statistics.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use parallax_codec::commands::Stats;
use parallax_codec::{Dialect, ErrorCode, Reply, Request, classic, code, vsr};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use super::connection::Connection;
use super::stream::{Server, open};
use crate::credentials::Credentials;
use crate::tls::UpstreamTls;
use crate::vsr_client::VsrClient;

/// Where a server is, how it is spoken to, and how long it may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look<'a> {
    /// `host:port`.
    pub(crate) address: &'a str,
    pub(crate) tls: Option<&'a UpstreamTls>,
    pub(crate) limit: Duration,
}

/// What answers a ping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answers {
    Dialect(Dialect),
    Http,
    Tls,
    /// Something else: its first bytes.
    Other(Vec<u8>),
    /// Nothing did, in either dialect.
    Nothing,
}

/// Bytes of an answer that tell what it is.
const ENOUGH: usize = 8;

impl Look<'_> {
    /// Connects, with the TLS handshake where there is one, and closes again.
    ///
    /// # Errors
    /// Why not, in a sentence without its full stop.
    pub(crate) async fn reach(&self) -> Result<(), String> {
        self.within(open(self.server())).await.map(|_| ())
    }

    /// Pings in the classic dialect, and only where that is not answered in the other: a
    /// classic server would take a VSR header for the length of a request.
    ///
    /// # Errors
    /// There is no connection.
    pub(crate) async fn dialect(&self) -> Result<Answers, String> {
        let ping = classic::encode_request(code::PING, &[]);
        let first = self.answer(&ping, ENOUGH).await?;
        match first.as_slice() {
            [0, 0, 0, 0, 0, 0, 0, 0] => return Ok(Answers::Dialect(Dialect::Classic)),
            [b'H', b'T', b'T', b'P', ..] => return Ok(Answers::Http),
            // An alert or a handshake of TLS 1.x.
            [0x15 | 0x16, 3, ..] => return Ok(Answers::Tls),
            [] => {}
            _ => return Ok(Answers::Other(first)),
        }
        let ping = VsrClient::new().header(code::PING, &[]).frame(&[]);
        let answer = self.answer(&ping, vsr::HEADER_SIZE).await?;
        if answer.is_empty() {
            return Ok(Answers::Nothing);
        }
        let mut frames = Vec::new();
        vsr::Framer::new().push(Bytes::from(answer.clone()), &mut frames);
        let is_known = |frame: &vsr::Frame| {
            matches!(
                frame.command(),
                vsr::Command::REPLY | vsr::Command::EVICTION
            )
        };
        Ok(match frames.first() {
            Some(frame) if is_known(frame) => Answers::Dialect(Dialect::Vsr),
            _ => Answers::Other(answer),
        })
    }

    /// Logs in and asks for statistics.
    ///
    /// # Errors
    /// Why there are none; never with a secret in it.
    pub(crate) async fn stats(
        &self,
        dialect: Dialect,
        credentials: &Credentials,
    ) -> Result<Stats, String> {
        let asked = async {
            let mut connection = Connection::open(self.server(), dialect, credentials).await?;
            connection.ask(&Request::GetStats).await
        };
        let answer = self.within(asked).await?;
        match (answer.status, answer.reply) {
            (0, Some(Reply::Stats(stats))) => Ok(*stats),
            (0, _) => Err("its statistics could not be read".to_owned()),
            (status, _) => Err(format!("it refuses its statistics: {}", ErrorCode(status))),
        }
    }

    /// The first bytes of what comes back, as many as are enough; fewer where no more come
    /// in time.
    async fn answer(&self, request: &[u8], enough: usize) -> Result<Vec<u8>, String> {
        let mut stream = self.within(open(self.server())).await?;
        let mut answer = BytesMut::with_capacity(enough);
        let asking = async {
            stream.write_all(request).await?;
            stream.flush().await?;
            while answer.len() < enough && stream.read_buf(&mut answer).await? > 0 {}
            Ok::<_, std::io::Error>(())
        };
        // What broke off or was silent has given no answer.
        let _ = timeout(self.limit, asking).await;
        answer.truncate(enough);
        Ok(answer.to_vec())
    }

    const fn server(&self) -> Server<'_> {
        Server {
            address: self.address,
            tls: self.tls,
        }
    }

    async fn within<T>(&self, asked: impl Future<Output = Result<T, String>>) -> Result<T, String> {
        let (address, limit) = (self.address, self.limit);
        let late = |_| Err(format!("{address} did not answer within {limit:?}"));
        timeout(limit, asked).await.unwrap_or_else(late)
    }
}
