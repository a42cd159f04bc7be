//! What the relay counts.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{CloseReason, Side, Statistics};

/// Counts since the relay began. All may be read at any time, from any thread.
#[derive(Debug, Default)]
pub struct Counters {
    pub(super) accepted: Count,
    pub(super) accept_errors: Count,
    pub(super) client_handshake_failures: Count,
    /// By [`CloseReason::name`], in the order of [`Counters::REASONS`].
    closed: [Count; Counters::REASONS.len()],
    pub(super) refused: Count,
    pub(super) server_handshake_failures: Count,
    pub(super) to_client: Count,
    pub(super) to_server: Count,
    pub(super) upstream_failures: Count,
    pub(super) in_path_too_long: Count,
    pub(super) in_path_unread: Count,
}

impl Counters {
    /// Why connections end.
    pub const REASONS: [&str; 15] = [
        "client_closed",
        "server_closed",
        "client_reset",
        "server_reset",
        "client_failed",
        "server_failed",
        "client_cut_off",
        "server_cut_off",
        "client_tls",
        "server_tls",
        "upstream_unavailable",
        "drained",
        "halted",
        "reaped",
        "cut_on_purpose",
    ];

    /// Clients whose connection has ended for one of the [`REASONS`](Self::REASONS).
    pub fn closed_for(&self, reason: &str) -> u64 {
        let mut all = Self::REASONS.iter().zip(&self.closed);
        all.find(|(name, _)| **name == reason)
            .map_or(0, |(_, count)| count.value())
    }

    /// A connection is over on which so many bytes were passed on to the client. That TLS
    /// failed counts as its handshake's failure where that is none: a server that does not take
    /// a certificate says so after the handshake (TLS 1.3).
    pub(super) fn ended(&self, reason: &CloseReason, to_client: u64) {
        if let CloseReason::Tls { by, .. } = reason
            && to_client == 0
        {
            match by {
                Side::Client => &self.client_handshake_failures,
                Side::Server => &self.server_handshake_failures,
            }
            .add(1);
        }
        let name = reason.name();
        let mut all = Self::REASONS.iter().zip(&self.closed);
        if let Some((_, count)) = all.find(|(known, _)| **known == name) {
            count.add(1);
        }
    }

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
            client_handshake_failures: self.client_handshake_failures.value(),
            closed: self.closed.iter().map(Count::value).sum(),
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

#[cfg(test)]
mod tests {
    use super::super::{DialFault, Side};
    use super::*;
    use crate::tls::TlsFault;

    #[test]
    fn each_reason_is_counted_by_its_name() {
        let failed = |by| CloseReason::Failed {
            by,
            error: String::new(),
        };
        let cut_off = |by| CloseReason::CutOff { by };
        let tls = |by| CloseReason::Tls {
            by,
            fault: TlsFault::Other,
            message: String::new(),
        };
        let reasons = [
            cut_off(Side::Client),
            cut_off(Side::Server),
            tls(Side::Client),
            tls(Side::Server),
            CloseReason::ClientClosed,
            CloseReason::ServerClosed,
            CloseReason::Reset { by: Side::Client },
            CloseReason::Reset { by: Side::Server },
            failed(Side::Client),
            failed(Side::Server),
            CloseReason::UpstreamUnavailable {
                fault: DialFault::TimedOut,
                message: String::new(),
            },
            CloseReason::Drained,
            CloseReason::Halted,
            CloseReason::Reaped,
            CloseReason::CutOnPurpose,
        ];
        let counters = Counters::default();
        for reason in &reasons {
            counters.ended(reason, 1);
        }
        for name in Counters::REASONS {
            assert_eq!(counters.closed_for(name), 1, "{name}");
        }
        assert_eq!(counters.snapshot().closed, reasons.len() as u64);
    }
}
