//! parallax's own TCP connections to the server: to ask again what a client asked,
//! and a group's stored offset, which HTTP does not tell. They are not relayed,
//! recorded or measured, and nothing is sent on them that stores, joins, creates or
//! deletes anything (`ask`).

mod ask;
mod connection;
mod look;
mod stream;
#[cfg(test)]
pub(super) mod stub;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use parallax_captures::Exchange;
use parallax_captures::poll::{Poll, PollAnswer};
use parallax_captures::verdict::{AskedTimes, StoredOffset, TcpAnswer, TcpOutcome};
use parallax_codec::commands::GetConsumerOffset;
use parallax_codec::primitives::PartitionLayout;
use parallax_codec::{Dialect, ErrorCode, Reply, Request};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

use super::figures::Figures;
use super::pace::Backoff;
use crate::comparison::TcpOffset;
use crate::credentials::Credentials;
use crate::limits::{OWN_CONNECTION_IDLE, OWN_CONNECTIONS};
use crate::tls::UpstreamTls;

pub(crate) use look::{Answers, Look};

use ask::{offset_of, offset_request, poll_request};
use connection::{Answer, Connection};
use stream::Server;

/// How to speak to the server: as the client does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Whom {
    dialect: Dialect,
    layout: PartitionLayout,
    credentials: Credentials,
}

impl Whom {
    /// As the client of this exchange, with these credentials. `None` of an
    /// exchange that is not of the binary protocol.
    pub(super) fn of(exchange: &Exchange, credentials: &Credentials) -> Option<Self> {
        let dialect = match exchange.dialect {
            parallax_captures::Dialect::Classic => Dialect::Classic,
            parallax_captures::Dialect::Vsr => Dialect::Vsr,
            parallax_captures::Dialect::Http => return None,
        };
        let layout = match exchange.binary()?.request.as_ref()? {
            Request::PollMessages(r) | Request::PollMessagesOnPrimary(r) => r.partition_layout,
            Request::GetConsumerOffset(r) => r.partition_layout,
            _ => PartitionLayout::default(),
        };
        Some(Self {
            dialect,
            layout,
            credentials: credentials.clone(),
        })
    }

    pub(super) const fn credentials(&self) -> &Credentials {
        &self.credentials
    }
}

/// Asks over TCP, one request at a time.
#[derive(Debug)]
pub(super) struct Tcp {
    /// `host:port`, where it is known.
    upstream: Option<String>,
    tls: Option<Arc<UpstreamTls>>,
    timeout: Duration,
    /// How long a connection is kept without being used.
    idle: Duration,
    backoff: (Duration, Duration),
    figures: Figures,
    /// The latest used last.
    peers: Arc<Mutex<Vec<Peer>>>,
}

/// Somebody who is asked as.
#[derive(Debug)]
struct Peer {
    whom: Whom,
    connection: Option<Connection>,
    used: Instant,
    backoff: Backoff,
}

impl Tcp {
    pub(super) fn new(
        upstream: Option<String>,
        tls: Option<Arc<UpstreamTls>>,
        timeout: Duration,
        backoff: (Duration, Duration),
        figures: Figures,
    ) -> Self {
        Self {
            upstream,
            tls,
            timeout,
            idle: OWN_CONNECTION_IDLE,
            backoff,
            figures,
            peers: Arc::default(),
        }
    }

    /// Puts a poll of a consumer to TCP, which names its partition.
    ///
    /// # Errors
    /// Why there is no answer: a sentence without its full stop.
    pub(super) async fn poll(&self, whom: &Whom, poll: &Poll) -> Result<TcpAnswer, String> {
        let (request, partition_id) = poll_request(poll, whom.layout)?;
        let answer = self.ask(whom, &request).await?;
        let outcome = match (answer.status, answer.reply) {
            (0, Some(Reply::PolledMessages(reply))) => {
                TcpOutcome::Answered(PollAnswer::from(&reply))
            }
            (0, _) => return Err("the answer on TCP has no body to compare".to_owned()),
            (code, _) => TcpOutcome::Refused(ErrorCode(code)),
        };
        Ok(TcpAnswer {
            partition_id,
            strategy: poll.strategy,
            value: poll.value,
            latency: answer.latency,
            times: Some(AskedTimes::after(answer.asked, answer.latency)),
            outcome,
        })
    }

    /// The offset that is stored for the group that asked, if one is.
    ///
    /// # Errors
    /// As [`poll`](Self::poll).
    pub(super) async fn group_offset(
        &self,
        whom: &Whom,
        poll: &Poll,
        partition_id: u32,
    ) -> Result<Option<u64>, String> {
        match self.offset(whom, &offset_of(poll), partition_id).await? {
            TcpOffset::Stored(stored) => Ok(stored.map(|stored| stored.stored_offset)),
            TcpOffset::Refused(code) => Err(format!("TCP refuses with {code}")),
        }
    }

    /// A stored offset.
    ///
    /// # Errors
    /// As [`poll`](Self::poll).
    pub(super) async fn offset(
        &self,
        whom: &Whom,
        question: &GetConsumerOffset,
        partition_id: u32,
    ) -> Result<TcpOffset, String> {
        let request = offset_request(question, partition_id, whom.layout);
        let answer = self.ask(whom, &request).await?;
        Ok(match (answer.status, answer.reply) {
            (0, Some(Reply::ConsumerOffset(reply))) => TcpOffset::Stored(Some(StoredOffset {
                partition_id: reply.partition_id,
                current_offset: reply.current_offset,
                stored_offset: reply.stored_offset,
            })),
            (0, Some(Reply::Empty)) => TcpOffset::Stored(None),
            (0, _) => return Err("the answer on TCP is not that to a stored offset".to_owned()),
            (code, _) => TcpOffset::Refused(ErrorCode(code)),
        })
    }

    async fn ask(&self, whom: &Whom, request: &Request) -> Result<Answer, String> {
        let Some(upstream) = self.server() else {
            return Err("parallax was told no TCP address to ask".to_owned());
        };
        // Held while asking: one request at a time.
        let mut peers = self.peers.lock().await;
        let peer = peer(&mut peers, whom, self.backoff);
        peer.backoff
            .attempt(Instant::now())
            .map_err(|why| why.trim_end_matches('.').to_owned())?;
        self.figures.update(|status| status.tcp_requests += 1);
        let kept = peer.connection.take();
        let asked = timeout(self.timeout, converse(kept, upstream, whom, request)).await;
        peer.used = Instant::now();
        let asked = asked.unwrap_or_else(|_| {
            let seconds = self.timeout.as_secs_f32();
            Err(format!(
                "{} did not answer within {seconds} s",
                upstream.address
            ))
        });
        match asked {
            Ok((connection, answer)) => {
                peer.connection = Some(connection);
                peer.backoff.succeeded();
                self.close_when_idle();
                Ok(answer)
            }
            Err(why) => {
                peer.backoff.failed(Instant::now(), &why, None);
                Err(why)
            }
        }
    }

    fn server(&self) -> Option<Server<'_>> {
        let address = self.upstream.as_deref()?;
        let tls = self.tls.as_deref();
        Some(Server { address, tls })
    }

    /// A connection that is not used for a while is closed, so that it does not
    /// stand among the server's clients.
    fn close_when_idle(&self) {
        let (peers, idle) = (Arc::downgrade(&self.peers), self.idle);
        tokio::spawn(async move {
            sleep(idle).await;
            let Some(peers) = peers.upgrade() else {
                return;
            };
            for peer in peers.lock().await.iter_mut() {
                if peer.used.elapsed() >= idle {
                    peer.connection = None;
                }
            }
        });
    }
}

/// Asks on the connection that is open, which the server may have closed
/// meanwhile, or on a new one.
async fn converse(
    kept: Option<Connection>,
    upstream: Server<'_>,
    whom: &Whom,
    request: &Request,
) -> Result<(Connection, Answer), String> {
    if let Some(mut connection) = kept
        && let Ok(answer) = connection.ask(request).await
    {
        return Ok((connection, answer));
    }
    let mut connection = Connection::open(upstream, whom.dialect, &whom.credentials).await?;
    let answer = connection.ask(request).await?;
    Ok((connection, answer))
}

/// The one not used for longest is forgotten.
fn peer<'a>(peers: &'a mut Vec<Peer>, whom: &Whom, backoff: (Duration, Duration)) -> &'a mut Peer {
    let known = peers.iter().position(|peer| peer.whom == *whom);
    let peer = match known {
        Some(index) => peers.remove(index),
        None => Peer {
            whom: whom.clone(),
            connection: None,
            used: Instant::now(),
            backoff: Backoff::new(backoff),
        },
    };
    if peers.len() >= OWN_CONNECTIONS {
        peers.remove(0);
    }
    peers.push(peer);
    let last = peers.len() - 1;
    &mut peers[last]
}
