//! What was not looked at, in a journal.

use parallax_codec::Direction;

use super::{Change, Journal};
use crate::connection::ConnectionId;
use crate::gap::{Gap, Unseen};

impl Journal {
    /// Takes note of what was not looked at on a connection: after the bytes that are
    /// counted of it, and the exchange that was recorded last.
    pub fn note_gap(&self, id: ConnectionId, unseen: &Unseen) {
        let mut state = self.lock();
        let after = state.totals.exchanges;
        if let Some(connection) = state.connections.get_mut(&id) {
            let at = match unseen.direction {
                Direction::ToServer => connection.bytes_to_server,
                Direction::ToClient => connection.bytes_to_client,
            };
            connection.gaps.note(Gap {
                direction: unseen.direction,
                at,
                bytes: unseen.bytes,
                observations: unseen.observations,
                since: unseen.since,
                until: unseen.until,
                after,
            });
            state.connection_changed(id);
        }
        drop(state);
        self.announce(Change::Connection(id));
    }

    /// The gaps after the exchange `first`, or a later one, and before the exchange
    /// `before`, in this order.
    pub fn gaps(&self, first: u64, before: u64) -> Vec<(ConnectionId, Gap)> {
        let state = self.lock();
        let mut found: Vec<_> = state
            .connections
            .values()
            .flat_map(|connection| connection.gaps.iter().map(move |gap| (connection.id, gap)))
            .filter(|(_, gap)| (first..before).contains(&gap.after))
            .map(|(id, gap)| (id, gap.clone()))
            .collect();
        drop(state);
        found.sort_by_key(|(_, gap)| (gap.after, gap.since));
        found
    }
}
