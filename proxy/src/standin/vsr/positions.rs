use std::sync::atomic::{AtomicU64, Ordering};

/// How far the server's logs have come. A session is called by the place of its
/// login.
#[derive(Debug, Default)]
pub(in crate::standin) struct Positions {
    metadata: AtomicU64,
    partitions: AtomicU64,
}

impl Positions {
    /// The last place of the log of streams, topics, groups, users and sessions.
    pub(super) fn metadata(&self) -> u64 {
        self.metadata.load(Ordering::Relaxed)
    }

    /// The next one, which is the last from now on.
    pub(super) fn next_metadata(&self) -> u64 {
        self.metadata.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The next place in a partition's log. On a real server each partition has
    /// its own; here all share one.
    pub(super) fn next_partitions(&self) -> u64 {
        self.partitions.fetch_add(1, Ordering::Relaxed) + 1
    }
}
