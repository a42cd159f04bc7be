//! How a capture is to be read.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parallax_captures::limits::{JOURNAL_BYTES, JOURNAL_EXCHANGES};
use parallax_captures::{Journal, Mutes};

use crate::limits::{SETTLING_BYTES, SETTLING_EXCHANGES, WINDOW_BYTES, WINDOW_EXCHANGES};

/// How a capture is to be read.
#[derive(Debug, Clone)]
pub struct ImportOptions {
    /// What is muted.
    pub mutes: Mutes,
    /// Whether it may still be being made (`tcpdump -w - |`): exchanges are handed on
    /// within some seconds, by the clock, with what is known of them then. A poll is
    /// compared with the HTTP polls before it, and few after it.
    pub live: bool,
    /// Set from elsewhere, ends a live capture as if nothing more came, as soon as
    /// what is on its way was read.
    pub stop: Arc<AtomicBool>,
    /// How much is kept at once.
    pub limits: ImportLimits,
    /// The journal that it is analysed in, for who asks it about connections meanwhile;
    /// one of its own where there is none.
    pub journal: Option<Arc<Journal>>,
}

/// How much of a capture is kept in memory at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportLimits {
    /// Exchanges that wait for one that was asked earlier.
    pub window_exchanges: usize,
    /// Bytes of these.
    pub window_bytes: usize,
    /// Exchanges that wait for what may still be learned of them.
    pub settling_exchanges: usize,
    /// Bytes of these.
    pub settling_bytes: usize,
    /// Exchanges in the journal, those that wait among them.
    pub journal_exchanges: usize,
    /// Bytes of these.
    pub journal_bytes: usize,
}

impl ImportLimits {
    /// A journal that keeps as much.
    pub fn journal(&self) -> Journal {
        Journal::with_limits(self.journal_exchanges, self.journal_bytes)
    }
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            mutes: Mutes::none(),
            live: false,
            stop: Arc::default(),
            limits: ImportLimits::default(),
            journal: None,
        }
    }
}

impl Default for ImportLimits {
    fn default() -> Self {
        Self {
            window_exchanges: WINDOW_EXCHANGES,
            window_bytes: WINDOW_BYTES,
            settling_exchanges: SETTLING_EXCHANGES,
            settling_bytes: SETTLING_BYTES,
            journal_exchanges: JOURNAL_EXCHANGES,
            journal_bytes: JOURNAL_BYTES,
        }
    }
}
