//! What a reader missed, was given again, or waited for.

use super::life::Moment;

/// Offsets that a reader was not given: what came next lies beyond them.
#[derive(Debug, Clone)]
pub struct Gap {
    /// The first one.
    pub from: u64,
    /// The last one.
    pub to: u64,
    /// When the reader was last given something before it; `None`: nothing was seen.
    pub since: Option<Moment>,
    /// When what lies beyond came.
    pub moment: Moment,
    /// Who passed over them.
    pub cause: GapCause,
}

/// Who passed over offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapCause {
    /// The server: nothing that was seen explains it.
    Served,
    /// Nobody: the log began beyond them, by a reply to First, or segments had been
    /// deleted.
    Gone,
    /// What was stored as consumed had been moved beyond them.
    Stored,
    /// The request: it names another place.
    Asked,
}

impl GapCause {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Gone => "gone",
            Self::Stored => "stored",
            Self::Asked => "asked",
        }
    }

    /// Whether the reader wanted to go there.
    pub const fn is_wanted(self) -> bool {
        matches!(self, Self::Asked | Self::Stored)
    }
}

impl Gap {
    /// Offsets in it.
    pub const fn offsets(&self) -> u64 {
        (self.to - self.from).saturating_add(1)
    }
}

/// Offsets that a reader was given again.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The first one.
    pub first: u64,
    /// The last one that it had been given before, or where that poll's reply ended.
    pub last: u64,
    /// The delivery before.
    pub before: Moment,
    /// When they came again.
    pub moment: Moment,
    /// When they last did.
    pub until: Moment,
    /// How many times in a row.
    pub times: u64,
    /// Why.
    pub cause: ReplayCause,
}

/// Why offsets came again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayCause {
    /// The server went back: nothing that was seen explains it.
    Served,
    /// What was stored as consumed had been moved back, or deleted.
    Stored,
    /// Nothing had been stored since they came first.
    NotStored,
    /// The request names that place.
    Asked,
}

impl ReplayCause {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Stored => "stored",
            Self::NotStored => "not_stored",
            Self::Asked => "asked",
        }
    }
}

/// Polls in a row that brought nothing though there was something to bring.
#[derive(Debug, Clone)]
pub struct Stall {
    /// The offset that was to come.
    pub at: u64,
    /// The last offset of the log, as it was known before the latest of these polls.
    pub end: u64,
    /// The first of these polls.
    pub moment: Moment,
    /// The last of them.
    pub until: Moment,
    /// How many.
    pub polls: u64,
}
