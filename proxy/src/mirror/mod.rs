//! The HTTP mirror: puts the client's First and Next polls to HTTP as well, and
//! has the answers judged. Where they differ both sides are asked once more, TCP over
//! a connection of parallax's own.
//!
//! It never commits, never moves, creates or deletes anything: one place sends HTTP
//! requests, and only those that one function lets through by method and path (`gate`,
//! `allowed`), and of TCP requests there are two (`tcp/ask`). It never makes the relay
//! wait: what comes while it is busy is counted and not mirrored. Whatever happens to it
//! is a verdict `mirror_failed`, never a divergence.

mod access;
mod again;
mod allowed;
mod asker;
mod client;
mod figures;
mod gate;
mod look;
mod offsets;
mod pace;
mod stored;
mod tcp;
#[cfg(test)]
mod tests;
mod topics;
mod users;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parallax_captures::{ConnectionId, Exchange, RouteName};
use parallax_codec::primitives::PollingKind;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{self, Receiver, Sender};

use crate::analyst::Analyst;
use crate::comparison::{COMPARED, ExpectedStart, is_comparable_poll, offset_question};
use crate::credentials::Credentials;
use crate::findings::Probe;
use crate::limits::{
    MIRROR_BACKOFF, MIRROR_IN_FLIGHT, MIRROR_LOGINS, MIRROR_QUEUE, MIRROR_REQUESTS_PER_SECOND,
    MIRROR_TIMEOUT,
};
use crate::tls::UpstreamTls;

use asker::Asker;
use client::Client;
use figures::Figures;
pub(crate) use look::{HttpLook, HttpStats};
use tcp::Tcp;
pub(crate) use tcp::{Answers, Look};

/// How the mirror is set up.
#[derive(Debug, Clone)]
pub struct MirrorConfig {
    client: Client,
    /// Whose server it asks, where there are routes with names.
    pub route: Option<RouteName>,
    /// The server's TCP address, `host:port`, to ask both sides again where they
    /// differ; `None` asks once.
    pub upstream: Option<String>,
    /// TLS with it there.
    pub upstream_tls: Option<Arc<UpstreamTls>>,
    /// What is put to HTTP besides polls of First and Next.
    pub also: Vec<MirrorAlso>,
    /// Whom to ask as; `None` asks as the user of the connection that is
    /// mirrored.
    pub credentials: Option<Credentials>,
    /// Most requests a second.
    pub requests_per_second: u32,
    /// Most polls mirrored at once.
    pub in_flight: usize,
    /// How long a request may take, connecting included.
    pub timeout: Duration,
    /// First and longest wait after HTTP failed or refused a user.
    pub backoff: (Duration, Duration),
}

impl MirrorConfig {
    /// A mirror that asks the server at `http`, like `http://127.0.0.1:3000`,
    /// within the default limits.
    ///
    /// # Errors
    /// The address is of no HTTP server, or the client cannot be set up.
    pub fn new(http: &str, credentials: Option<Credentials>) -> Result<Self, MirrorError> {
        Self::with_tls(http, credentials, None)
    }

    /// The same, with TLS of its own for an `https://` address; `None` goes by the system's
    /// authorities.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_tls(
        http: &str,
        credentials: Option<Credentials>,
        tls: Option<&UpstreamTls>,
    ) -> Result<Self, MirrorError> {
        Ok(Self {
            client: Client::new(http, tls)?,
            route: None,
            upstream: None,
            upstream_tls: None,
            also: Vec::new(),
            credentials,
            requests_per_second: MIRROR_REQUESTS_PER_SECOND,
            in_flight: MIRROR_IN_FLIGHT,
            timeout: MIRROR_TIMEOUT,
            backoff: MIRROR_BACKOFF,
        })
    }
}

/// What can be put to HTTP besides polls of First and Next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum MirrorAlso {
    /// Polls of an offset.
    Offset,
    /// Polls of the last messages.
    Last,
    /// Polls of a time.
    Timestamp,
    /// Questions for a consumer's stored offset.
    GetOffset,
}

/// Why a mirror cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// The address is not one of an HTTP server.
    #[error(
        "{address:?} is no address of an HTTP server ({why}); give one like http://127.0.0.1:3000"
    )]
    Address {
        /// As given, without user name and password.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// The HTTP client could not be made.
    #[error("the HTTP client could not be set up: {0}")]
    Client(String),
}

/// The mirror. It works until the last handle is dropped.
#[derive(Debug)]
pub struct Mirror;

/// Feeds the mirror. Cheap to clone; nothing in it blocks.
#[derive(Debug, Clone)]
pub struct MirrorHandle {
    jobs: Sender<Job>,
    logins: Arc<Mutex<HashMap<ConnectionId, Credentials>>>,
    fixed: Option<Credentials>,
    /// Strategies of the polls that are mirrored.
    polls: Vec<PollingKind>,
    offsets: bool,
    analyst: Arc<Analyst>,
}

/// Something to ask, and whom to ask as.
#[derive(Debug)]
struct Job {
    task: Task,
    credentials: Option<Credentials>,
}

/// What to ask.
#[derive(Debug)]
enum Task {
    /// A poll to mirror. Only its number: the journal alone decides how long an
    /// exchange is kept. And where a Next was to begin.
    Poll(u64, Option<ExpectedStart>),
    /// A question that decides a finding.
    Probe(Box<Probe>),
}

impl Mirror {
    /// Starts the mirror on the current tokio runtime. Verdicts go to `analyst`.
    pub fn spawn(config: MirrorConfig, analyst: Arc<Analyst>) -> MirrorHandle {
        let mut client = config.client;
        client.timeout = config.timeout;
        let figures = Figures::new(Arc::clone(analyst.journal()), config.route);
        figures.update(|status| {
            client.server().clone_into(&mut status.server);
            status.is_whom_given = config.credentials.is_some();
            status.limit_per_second = Some(config.requests_per_second);
        });
        let (jobs, queue) = mpsc::channel(MIRROR_QUEUE);
        let tcp = Tcp::new(
            config.upstream,
            config.upstream_tls,
            config.timeout,
            config.backoff,
            figures.clone(),
        );
        let asker = Asker::new(
            client,
            tcp,
            config.requests_per_second,
            config.backoff,
            figures,
            Arc::clone(&analyst),
        );
        tokio::spawn(work(queue, Arc::new(asker), config.in_flight.max(1)));
        MirrorHandle {
            jobs,
            logins: Arc::default(),
            fixed: config.credentials,
            polls: polls(&config.also),
            offsets: config.also.contains(&MirrorAlso::GetOffset),
            analyst,
        }
    }
}

impl MirrorHandle {
    /// A login on this connection succeeded.
    pub fn login(&self, connection: ConnectionId, credentials: Credentials) {
        let mut logins = self.logins();
        if logins.len() < MIRROR_LOGINS || logins.contains_key(&connection) {
            logins.insert(connection, credentials);
        } else {
            tracing::warn!(%connection, "too many logins to remember; its polls are not mirrored");
        }
    }

    /// The user of this connection logged out.
    pub fn logout(&self, connection: ConnectionId) {
        self.logins().remove(&connection);
    }

    /// Polls and other questions that wait to be put to HTTP.
    pub fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    /// This connection ended.
    pub fn closed(&self, connection: ConnectionId) {
        self.logout(connection);
    }

    /// Mirrors a recorded exchange, if it is one that is compared; `expected` is
    /// where a Next was to begin, as far as it is known. Never waits: while the
    /// mirror is busy the poll is counted and not mirrored.
    pub fn poll(&self, exchange: &Exchange, expected: Option<ExpectedStart>) {
        let is_wanted = is_comparable_poll(exchange, &self.polls)
            || self.offsets && offset_question(exchange).is_some();
        if is_wanted && !self.queue(exchange, expected) {
            let journal = self.analyst.journal();
            journal.update_totals(|totals| totals.polls_not_mirrored += 1);
        }
    }

    /// False where as many wait as may: then nothing was done for it.
    fn queue(&self, exchange: &Exchange, expected: Option<ExpectedStart>) -> bool {
        self.jobs.try_reserve().is_ok_and(|place| {
            place.send(self.job(Task::Poll(exchange.n, expected), exchange.conn));
            true
        })
    }

    /// Asks what decides a finding. Where that cannot be, the finding says so.
    pub fn probe(&self, probe: Probe) {
        let conn = probe.conn;
        let job = self.job(Task::Probe(Box::new(probe)), conn);
        if let Err(refused) = self.jobs.try_send(job)
            && let Task::Probe(probe) = refused.into_inner().task
        {
            self.analyst.probed(*probe, None);
        }
    }

    fn job(&self, task: Task, conn: ConnectionId) -> Job {
        let seen = || self.logins().get(&conn).cloned();
        let credentials = self.fixed.clone().or_else(seen);
        Job { task, credentials }
    }

    fn logins(&self) -> MutexGuard<'_, HashMap<ConnectionId, Credentials>> {
        self.logins.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn polls(also: &[MirrorAlso]) -> Vec<PollingKind> {
    let more = also.iter().filter_map(|also| match also {
        MirrorAlso::Offset => Some(PollingKind::Offset),
        MirrorAlso::Last => Some(PollingKind::Last),
        MirrorAlso::Timestamp => Some(PollingKind::Timestamp),
        MirrorAlso::GetOffset => None,
    });
    COMPARED.into_iter().chain(more).collect()
}

async fn work(mut queue: Receiver<Job>, asker: Arc<Asker>, in_flight: usize) {
    let slots = Arc::new(Semaphore::new(in_flight));
    while let Some(job) = queue.recv().await {
        // The semaphore is never closed.
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else {
            break;
        };
        let asker = Arc::clone(&asker);
        tokio::spawn(async move {
            asker.work(job).await;
            drop(slot);
        });
    }
}
