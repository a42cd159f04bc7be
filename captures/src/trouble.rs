//! What keeps a person from seeing, or a client from being served, and is no
//! finding: the page and the terminal name it first.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::catalog::FRAMING_MISMATCH;
use crate::connection::{Connection, ConnectionId};
use crate::exchange::Exchange;
use crate::journal::{Column, Comparison, Condition, Journal, Totals, Wanted};
use crate::mirror_status::{MirrorState, MirrorStatus, MirrorTrouble};
use crate::recording::{RecordingState, RecordingStatus};

/// One trouble. What is the same twice is counted, not repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What kind.
    pub kind: TroubleKind,
    /// A sentence: what happened, and what to do where that is known.
    pub sentence: String,
    /// How often, as far as it is remembered.
    pub count: u64,
    /// The latest connection that it happened to.
    pub connection: Option<ConnectionId>,
    /// When it began: of one of connections with the first of those that are remembered. `None`
    /// where that is not recorded.
    pub since: Option<Timestamp>,
}

/// A kind of trouble, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TroubleKind {
    /// A client was accepted and never reached the server.
    Unserved,
    /// A connection's bytes cannot be decoded.
    Undecoded,
    /// Verdicts of `diverge` that no finding explains.
    Unexplained,
    /// The mirror cannot ask.
    Mirror,
    /// What is seen cannot be recorded.
    Recording,
    /// Something passed that was not looked at.
    Dropped,
    /// Clients were slowed down, so that all is looked at.
    Slowed,
}

impl TroubleKind {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unserved => "unserved",
            Self::Undecoded => "undecoded",
            Self::Unexplained => "unexplained",
            Self::Mirror => "mirror",
            Self::Recording => "recording",
            Self::Dropped => "dropped",
            Self::Slowed => "slowed",
        }
    }
}

/// Every trouble that `journal` knows of now, the gravest first, of those of one
/// kind the latest connection's first.
pub fn troubles(journal: &Journal) -> Vec<Trouble> {
    let mut troubles = of_connections(&journal.connections());
    let told = told_by_findings(journal);
    troubles.retain(|one| !told.iter().any(|told| one.sentence.starts_with(told)));
    let totals = journal.totals();
    troubles.extend(unexplained(journal));
    troubles.extend(journal.mirrors().iter().filter_map(of_mirror));
    troubles.extend(journal.recording().and_then(of_recording));
    troubles.extend(dropped(&totals));
    troubles
}

fn of_connections(connections: &[Connection]) -> Vec<Trouble> {
    let mut found = BTreeMap::<(TroubleKind, String), Trouble>::new();
    let mut add = |kind, sentence: String, connection: &Connection, since| {
        let key = (kind, sentence.clone());
        let trouble = found.entry(key).or_insert(Trouble {
            kind,
            sentence,
            count: 0,
            connection: None,
            // They come in their order.
            since: Some(since),
        });
        trouble.count += 1;
        trouble.connection = Some(connection.id);
    };
    for connection in connections {
        if let (true, Some((time, why))) = (connection.unserved, &connection.closed) {
            add(TroubleKind::Unserved, why.clone(), connection, *time);
        }
        if let Some(undecoded) = &connection.undecoded {
            let (kind, since) = (TroubleKind::Undecoded, connection.opened);
            add(kind, undecoded.to_string(), connection, since);
        }
    }
    let mut troubles: Vec<_> = found.into_values().collect();
    troubles.sort_by_key(|one| (one.kind, std::cmp::Reverse(one.connection)));
    troubles
}

/// Why connections cannot be decoded, where a finding says it already: that is one
/// fact, and the finding has what to do.
fn told_by_findings(journal: &Journal) -> Vec<String> {
    let findings = journal.findings().into_iter();
    let skewed = findings.filter(|one| one.code == FRAMING_MISMATCH);
    skewed
        .filter_map(|one| one.evidence.into_iter().next())
        .collect()
}

fn unexplained(journal: &Journal) -> Option<Trouble> {
    let count = journal.counts().unexplained;
    if count == 0 {
        return None;
    }
    let latest = journal.latest(None, 1, &Unexplained).pop()?;
    let reason = latest.verdict.as_ref().map(|verdict| &*verdict.reason);
    Some(Trouble {
        kind: TroubleKind::Unexplained,
        sentence: format!(
            "TCP and HTTP give different answers to the same poll, and no finding says why. \
             Latest, exchange {}: {}",
            latest.n,
            reason.unwrap_or_default()
        ),
        count,
        connection: Some(latest.conn),
        since: Some(latest.times.request_first),
    })
}

/// Diverged, and no finding says why.
struct Unexplained;

impl Wanted for Unexplained {
    fn accepts(&self, exchange: &Exchange) -> bool {
        exchange.is_unexplained()
    }

    fn condition(&self) -> Condition {
        Condition::Compare(Column::Unexplained, Comparison::Equal, vec![true.into()])
    }
}

fn of_mirror(status: &MirrorStatus) -> Option<Trouble> {
    let server = &status.server;
    let words = match status.state {
        MirrorState::Ok => return None,
        MirrorState::BackingOff { .. } => "does not answer",
        MirrorState::Unauthenticated { .. } => "does not let parallax in",
        MirrorState::Unusable { .. } => "answers polls with nothing that can be used",
    };
    let MirrorTrouble { since, reason, .. } = status.state.trouble()?;
    Some(Trouble {
        kind: TroubleKind::Mirror,
        sentence: format!("HTTP at {server} {words}, so there are no verdicts: {reason}"),
        count: 1,
        connection: None,
        since: Some(since),
    })
}

fn of_recording(status: RecordingStatus) -> Option<Trouble> {
    let RecordingState::Failing { since, reason } = status.state else {
        return None;
    };
    Some(Trouble {
        kind: TroubleKind::Recording,
        sentence: format!(
            "What is seen cannot be recorded, and is tried again; clients notice nothing: {reason}"
        ),
        count: 1,
        connection: None,
        since: Some(since),
    })
}

fn dropped(totals: &Totals) -> impl Iterator<Item = Trouble> {
    let counted = [
        (
            TroubleKind::Dropped,
            totals.observations_dropped,
            "Observations were dropped, so that no client had to wait: what passed then is not \
             shown",
        ),
        (
            TroubleKind::Dropped,
            totals.polls_not_mirrored,
            "Polls were not put to HTTP, because the mirror was busy",
        ),
        (
            TroubleKind::Dropped,
            totals.findings_dropped,
            "Findings were beyond the limit",
        ),
        (
            TroubleKind::Slowed,
            totals.clients_slowed,
            "Clients are slowed down, so that everything is looked at (--on-overload \
             slow-clients): their latencies are longer for it",
        ),
    ];
    let trouble = |(kind, count, sentence): (TroubleKind, u64, &str)| Trouble {
        kind,
        sentence: sentence.to_owned(),
        count,
        connection: None,
        since: None,
    };
    let happened = counted.into_iter().filter(|(_, count, _)| *count > 0);
    happened.map(trouble)
}

#[cfg(test)]
mod tests {
    use parallax_codec::Direction;

    use super::*;
    use crate::connection::Undecoded;
    use crate::finding::Finding;

    fn closed(journal: &Journal, id: u64, why: &str, unserved: bool) {
        let address = "127.0.0.1:8090".parse().unwrap();
        let time = Timestamp::from_second(i64::try_from(id).unwrap()).unwrap();
        let mut connection = Connection::opened(ConnectionId(id), address, address, time);
        connection.closed = Some((time, why.to_owned()));
        connection.unserved = unserved;
        journal.open_connection(connection);
    }

    #[test]
    fn clients_that_never_reached_the_server_are_counted_under_one_sentence() {
        let journal = Journal::new();
        closed(&journal, 1, "cannot reach the server", true);
        closed(&journal, 2, "the client closed the connection", false);
        closed(&journal, 3, "cannot reach the server", true);
        let found = troubles(&journal);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].count, found[0].connection),
            (2, Some(ConnectionId(3)))
        );
    }

    #[test]
    fn what_a_finding_says_of_undecoded_bytes_is_no_trouble_besides() {
        let journal = Journal::new();
        let undecoded = |id, why: &str| {
            closed(&journal, id, "the client closed the connection", false);
            journal.update_connection(ConnectionId(id), |connection| {
                connection.undecoded = Some(Undecoded {
                    why: why.to_owned(),
                    at: 0,
                    direction: Direction::ToServer,
                });
            });
        };
        undecoded(1, "the client speaks VSR, the server classic");
        undecoded(2, "these bytes are TLS");
        assert_eq!(troubles(&journal).len(), 2);
        let evidence = vec!["the client speaks VSR, the server classic".to_owned()];
        let place = "connection 1, login_register";
        let time = Timestamp::UNIX_EPOCH;
        journal.add_finding(Finding::new(FRAMING_MISMATCH, place, 1, time, evidence));
        let left = troubles(&journal);
        assert_eq!(left.len(), 1);
        assert!(left[0].sentence.starts_with("these bytes are TLS"));
    }

    #[test]
    fn a_mirror_in_trouble_and_dropped_observations_are_named_and_a_well_one_is_not() {
        let journal = Journal::new();
        journal.update_mirror(None, |mirror| {
            mirror.server = "http://127.0.0.1:3000".to_owned();
        });
        assert_eq!(troubles(&journal), []);
        journal.update_totals(|totals| {
            totals.observations_dropped = 7;
            totals.clients_slowed = 3;
        });
        journal.update_mirror(None, |mirror| {
            mirror.state = MirrorState::BackingOff {
                since: Timestamp::UNIX_EPOCH,
                until: None,
                reason: "connection refused".to_owned(),
            };
        });
        let found = troubles(&journal);
        let kinds: Vec<_> = found.iter().map(|trouble| trouble.kind).collect();
        let expected = [
            TroubleKind::Mirror,
            TroubleKind::Dropped,
            TroubleKind::Slowed,
        ];
        assert_eq!(kinds, expected);
        assert!(found[0].sentence.contains("connection refused"));
        assert_eq!((found[1].count, found[2].count), (7, 3));
    }
}
