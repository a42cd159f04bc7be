//! What the relay counts.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Statistics;

/// Counts since the relay began. All may be read at any time, from any thread.
#[derive(Debug, Default)]
pub struct Counters {
    pub(super) accepted: Count,
    pub(super) accept_errors: Count,
    pub(super) closed: Count,
    pub(super) client_handshake_failures: Count,
    pub(super) refused: Count,
    pub(super) server_handshake_failures: Count,
    pub(super) to_client: Count,
    pub(super) to_server: Count,
    pub(super) upstream_failures: Count,
    pub(super) in_path_too_long: Count,
    pub(super) in_path_unread: Count,
}

impl Counters {
    /// Frames that were to be changed in the path and were too long for it.
    pub fn in_path_too_long(&self) -> u64 {
        self.in_path_too_long.value()
    }

    /// Connections whose frames were to be looked at in the path and were not, or no more.
    pub fn in_path_unread(&self) -> u64 {
        self.in_path_unread.value()
    }

    /// The counts as they stand.
    pub fn snapshot(&self) -> Statistics {
        Statistics {
            accepted: self.accepted.value(),
            accept_errors: self.accept_errors.value(),
            closed: self.closed.value(),
            client_handshake_failures: self.client_handshake_failures.value(),
            refused: self.refused.value(),
            server_handshake_failures: self.server_handshake_failures.value(),
            to_client: self.to_client.value(),
            to_server: self.to_server.value(),
            upstream_failures: self.upstream_failures.value(),
        }
    }
}

/// A number that only grows.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicU64);

impl Count {
    pub(super) fn add(&self, by: u64) {
        self.0.fetch_add(by, Ordering::Relaxed);
    }

    pub(super) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
