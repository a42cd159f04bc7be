//! How the HTTP mirror is doing, for the page.

use jiff::Timestamp;

/// The mirror's state and figures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MirrorStatus {
    /// Where it asks: scheme, host and port.
    pub server: String,
    /// Whether it can ask.
    pub state: MirrorState,
    /// HTTP requests sent, logins included.
    pub requests: u64,
    /// Of those, how many brought no usable answer.
    pub failures: u64,
    /// Requests over parallax's own TCP connections, logins not counted.
    pub tcp_requests: u64,
}

/// Whether the mirror can ask.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MirrorState {
    /// As far as it knows.
    #[default]
    Ok,
    /// HTTP does not answer; it waits before it asks again.
    BackingOff {
        /// Since when nothing was answered.
        since: Timestamp,
        /// What happened at the latest attempt.
        reason: String,
    },
    /// HTTP answers, but not to the user whom the mirror asks as.
    Unauthenticated {
        /// Since when.
        since: Timestamp,
        /// What happened at the latest attempt.
        reason: String,
    },
}

impl MirrorState {
    /// The name in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::BackingOff { .. } => "backing_off",
            Self::Unauthenticated { .. } => "unauthenticated",
        }
    }
}
