use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Way;
use crate::gap::Gap;

/// What was not looked at.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct GapRecord {
    direction: Way,
    at: u64,
    bytes: u64,
    observations: u64,
    since: Timestamp,
    until: Timestamp,
    after: u64,
}

impl From<&Gap> for GapRecord {
    fn from(gap: &Gap) -> Self {
        Self {
            direction: gap.direction.into(),
            at: gap.at,
            bytes: gap.bytes,
            observations: gap.observations,
            since: gap.since,
            until: gap.until,
            after: gap.after,
        }
    }
}

impl From<GapRecord> for Gap {
    fn from(record: GapRecord) -> Self {
        Self {
            direction: record.direction.into(),
            at: record.at,
            bytes: record.bytes,
            observations: record.observations,
            since: record.since,
            until: record.until,
            after: record.after,
        }
    }
}
