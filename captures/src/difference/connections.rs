//! Which connection of one capture is which of the other.

use std::collections::HashMap;
use std::sync::Arc;

use crate::connection::{Connection, ConnectionId, Dialect};
use crate::exchange::Exchange;

/// A connection of each capture that stand side by side, or one without a
/// counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionPair {
    /// That of the first capture.
    pub a: Option<ConnectionId>,
    /// That of the second.
    pub b: Option<ConnectionId>,
    /// By what they were found, for a person to read.
    pub how: &'static str,
}

/// A connection that was used, and its exchanges in their order.
pub(super) struct Used<'a> {
    pub(super) id: ConnectionId,
    pub(super) exchanges: Vec<&'a Arc<Exchange>>,
    is_http: bool,
    user: Option<&'a str>,
    sdk: Option<&'a str>,
}

/// The connections that have exchanges, in the order of their first.
pub(super) fn used<'a>(
    exchanges: &'a [Arc<Exchange>],
    connections: &'a [Connection],
) -> Vec<Used<'a>> {
    let known: HashMap<ConnectionId, &Connection> =
        connections.iter().map(|one| (one.id, one)).collect();
    let mut places: HashMap<ConnectionId, usize> = HashMap::new();
    let mut used: Vec<Used<'a>> = Vec::new();
    for exchange in exchanges {
        let place = *places.entry(exchange.conn).or_insert_with(|| {
            let connection = known.get(&exchange.conn);
            used.push(Used {
                id: exchange.conn,
                exchanges: Vec::new(),
                is_http: exchange.dialect == Dialect::Http,
                user: connection.and_then(|one| one.user.as_deref()),
                sdk: connection.and_then(|one| one.client_version.as_deref()),
            });
            used.len() - 1
        });
        used[place].exchanges.push(exchange);
    }
    used
}

/// Whether two connections may be the same one.
type Same = fn(&Used<'_>, &Used<'_>) -> bool;

/// Pairs connections in the order of their first use: those of the same user and
/// SDK, then of the same user, then whatever is left of the same protocol.
pub(super) fn pairs(
    a: &[Used<'_>],
    b: &[Used<'_>],
) -> Vec<(Option<usize>, Option<usize>, &'static str)> {
    let mut partner: Vec<Option<(usize, &str)>> = vec![None; a.len()];
    let mut taken = vec![false; b.len()];
    let rounds: [(Same, &str); 3] = [
        (
            |a, b| a.user == b.user && a.sdk == b.sdk,
            "the same user and SDK, in the order of first use",
        ),
        (
            |a, b| a.user == b.user,
            "the same user, in the order of first use",
        ),
        (|_, _| true, "the order of first use alone"),
    ];
    for (is_same, how) in rounds {
        for (i, one) in a
            .iter()
            .enumerate()
            .filter(|(i, _)| partner[*i].is_none())
            .collect::<Vec<_>>()
        {
            let fits =
                |j: &usize| !taken[*j] && one.is_http == b[*j].is_http && is_same(one, &b[*j]);
            if let Some(j) = (0..b.len()).find(fits) {
                partner[i] = Some((j, how));
                taken[j] = true;
            }
        }
    }
    let paired = partner
        .iter()
        .enumerate()
        .map(|(i, partner)| match partner {
            Some((j, how)) => (Some(i), Some(*j), *how),
            None => (Some(i), None, ALONE),
        });
    let alone = (0..b.len())
        .filter(|j| !taken[*j])
        .map(|j| (None, Some(j), ALONE));
    paired.chain(alone).collect()
}

const ALONE: &str = "no counterpart";
