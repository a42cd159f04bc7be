//! Whether a connection's client gets on: by what was found, never by a guess.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use jiff::{SignedDuration, Timestamp};

use crate::catalog;
use crate::connection::{Connection, ConnectionId, Dialect};
use crate::finding::{Finding, FindingCode};
use crate::journal::Journal;
use crate::limits::{REQUEST_WAITS_LONG, STANDING_EXCHANGES, STANDING_FINDINGS, STILL_STUCK};

/// What is known of a connection by what was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standing {
    /// Whether its client gets on.
    pub progress: Progress,
    /// The gravest finding that names one of its exchanges, of these what explains the most.
    pub worst: Option<FindingCode>,
    /// What the server says its version is on another connection to it, the latest, where
    /// it says nothing on this one.
    pub server_elsewhere: Option<(String, ConnectionId)>,
}

/// Whether a client gets on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Progress {
    /// Nothing that was found says that it does not.
    #[default]
    NothingFound,
    /// It does not, as far as was seen.
    Stuck(Hindrance),
    /// It did not; since then this was not seen again.
    WasStuck(Hindrance),
    /// So many requests have no reply, the oldest for long: whether that is a fault is
    /// not known, for some wait until there is something to tell.
    NotKnown(u64, Timestamp),
}

/// What a client does not get past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hindrance {
    /// The finding that says so.
    pub code: FindingCode,
    /// Its place.
    pub place: String,
    /// What happens to the client, in a few words.
    pub what: &'static str,
    /// How often it was seen, on whichever connection.
    pub count: u64,
    /// When it was first seen.
    pub first: Timestamp,
    /// When it was last seen.
    pub last: Timestamp,
    /// The latest exchange on this connection that shows it.
    pub exchange: u64,
}

impl Progress {
    /// The name in JSON: `nothing_found`, `stuck`, `was_stuck` or `not_known`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NothingFound => "nothing_found",
            Self::Stuck(_) => "stuck",
            Self::WasStuck(_) => "was_stuck",
            Self::NotKnown(..) => "not_known",
        }
    }
}

/// What a finding says of a client that shows it: that it does not get on. `None` where it says no such thing.
pub const fn what_hinders(code: FindingCode) -> Option<&'static str> {
    Some(match code {
        catalog::FRAMING_MISMATCH => "it and the server do not understand each other",
        catalog::SAME_FAILURE_AGAIN => "the same request is refused again and again",
        catalog::SAME_BATCH_AGAIN => "it is given the same batch again and again",
        catalog::EMPTY_BELOW_THE_END => "First brings nothing, though there are messages",
        catalog::STORED_AHEAD => "its stored offset is beyond the end, so Next brings nothing",
        catalog::STALLED => "it is owed messages and gets none",
        catalog::FENCED => "it is told to ask for its assignment anew, and does not",
        catalog::NOT_A_MEMBER => "it polls as a member of a group that it is not in",
        _ => return None,
    })
}

/// What is known of each connection, of the gravest findings that `journal` has. `now` is
/// the time to judge by: of a recording, its end.
pub fn standings(journal: &Journal, now: Timestamp) -> BTreeMap<ConnectionId, Standing> {
    let connections = journal.connections();
    let mut standings: BTreeMap<ConnectionId, Standing> = connections
        .iter()
        .map(|connection| (connection.id, Standing::default()))
        .collect();
    let known: BTreeMap<_, _> = connections.iter().map(|one| (one.id, one)).collect();
    for finding in journal.findings().iter().take(STANDING_FINDINGS) {
        for (id, exchange) in latest_on_each(journal, finding) {
            let (Some(standing), Some(connection)) = (standings.get_mut(&id), known.get(&id))
            else {
                continue;
            };
            let worst = standing.worst.unwrap_or(finding.code);
            standing.worst = Some(graver(worst, finding.code));
            let progress = hindered(finding, exchange, connection, now);
            let is_graver = match (&standing.progress, &progress) {
                (_, None) | (Progress::Stuck(_), _) => false,
                (Progress::WasStuck(_), Some(progress)) => matches!(progress, Progress::Stuck(_)),
                (_, Some(_)) => true,
            };
            if let Some(progress) = progress.filter(|_| is_graver) {
                standing.progress = progress;
            }
        }
    }
    let versions = Versions::of(&connections);
    for connection in &connections {
        if connection.server_version.is_none()
            && let Some(standing) = standings.get_mut(&connection.id)
        {
            standing.server_elsewhere = versions.of_server(connection.server);
        }
        if let Some((requests, since)) = connection.waiting.filter(|_| connection.closed.is_none())
            && now.duration_since(since) >= signed(REQUEST_WAITS_LONG)
            && let Some(standing) = standings.get_mut(&connection.id)
            && !matches!(standing.progress, Progress::Stuck(_))
        {
            standing.progress = Progress::NotKnown(requests, since);
        }
    }
    standings
}

/// The graver of two findings; of equal ones the one that explains more.
fn graver(one: FindingCode, other: FindingCode) -> FindingCode {
    let gravity = |code| (catalog::describe(code).severity, catalog::rank(code));
    if gravity(other) < gravity(one) {
        other
    } else {
        one
    }
}

/// What servers say their versions are, each with the latest connection on which it does.
#[derive(Default)]
struct Versions {
    at: BTreeMap<SocketAddr, (String, ConnectionId)>,
    /// Over HTTP, which has a port of its own.
    over_http: BTreeMap<IpAddr, (String, ConnectionId)>,
}

impl Versions {
    fn of(connections: &[Connection]) -> Self {
        let mut versions = Self::default();
        for one in connections {
            if let Some(version) = &one.server_version {
                let said = (version.clone(), one.id);
                if one.dialect == Some(Dialect::Http) {
                    versions.over_http.insert(one.server.ip(), said.clone());
                }
                versions.at.insert(one.server, said);
            }
        }
        versions
    }

    fn of_server(&self, server: SocketAddr) -> Option<(String, ConnectionId)> {
        let same = self.at.get(&server);
        same.or_else(|| self.over_http.get(&server.ip())).cloned()
    }
}

/// The connections of the latest exchanges that a finding names, each with its latest.
fn latest_on_each(journal: &Journal, finding: &Finding) -> BTreeMap<ConnectionId, u64> {
    let mut latest = BTreeMap::new();
    let named = finding.exchanges.iter().rev().take(STANDING_EXCHANGES);
    for exchange in named.filter_map(|n| journal.exchange(*n)) {
        let n: &mut u64 = latest.entry(exchange.conn).or_default();
        *n = exchange.n.max(*n);
    }
    latest
}

fn hindered(
    finding: &Finding,
    exchange: u64,
    connection: &Connection,
    now: Timestamp,
) -> Option<Progress> {
    let hindrance = Hindrance {
        code: finding.code,
        place: finding.place.clone(),
        what: what_hinders(finding.code)?,
        count: finding.count,
        first: finding.first,
        last: finding.last,
        exchange,
    };
    let end = connection
        .closed
        .as_ref()
        .map_or(now, |(closed, _)| *closed);
    // Whoever is not understood is not understood as long as the connection is open.
    let is_for_good = finding.code == catalog::FRAMING_MISMATCH;
    Some(if is_for_good || is_still_seen(finding, end) {
        Progress::Stuck(hindrance)
    } else {
        Progress::WasStuck(hindrance)
    })
}

/// Whether what was found goes on at this time, as far as can be told by how often it
/// was seen before.
pub fn is_still_seen(finding: &Finding, now: Timestamp) -> bool {
    let lasts = finding.last.duration_since(finding.first);
    let times = i32::try_from(finding.count.saturating_sub(1).max(1)).unwrap_or(i32::MAX);
    // Whoever tries every five minutes has not got on after four.
    let patience = (lasts / times).saturating_mul(3).max(signed(STILL_STUCK));
    now.duration_since(finding.last) <= patience
}

fn signed(duration: std::time::Duration) -> SignedDuration {
    duration.try_into().unwrap_or(SignedDuration::MAX)
}
