//! Stretches of a connection that passed and were not looked at.

use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};

use jiff::Timestamp;
use parallax_codec::Direction;

use crate::limits::CONNECTION_GAPS;

/// What passed in one direction, while more came than could be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Which way it went.
    pub direction: Direction,
    /// Where it begins in the direction's stream, in bytes from its start.
    pub at: u64,
    /// Bytes in it.
    pub bytes: u64,
    /// Pieces in which they were read.
    pub observations: u64,
    /// When the first of them was read.
    pub since: Timestamp,
    /// When the last of them was read.
    pub until: Timestamp,
    /// The number of the exchange, of whichever connection, that was told last before it:
    /// the next one has this and one.
    pub after: u64,
}

/// A gap before it has its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unseen {
    /// Which way it went.
    pub direction: Direction,
    /// Bytes in it.
    pub bytes: u64,
    /// Pieces in which they were read.
    pub observations: u64,
    /// When the first of them was read.
    pub since: Timestamp,
    /// When the last of them was read.
    pub until: Timestamp,
}

impl Gap {
    /// One direction's gaps between the same two exchanges are one; bytes that were looked
    /// at may lie in it.
    fn takes_in(&mut self, later: &Self) -> bool {
        let is_same = (self.direction, self.after) == (later.direction, later.after);
        if is_same {
            self.bytes += later.bytes;
            self.observations += later.observations;
            self.until = later.until;
        }
        is_same
    }
}

impl Display for Gap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let whither = match self.direction {
            Direction::ToServer => "server",
            Direction::ToClient => "client",
        };
        write!(
            f,
            "{} bytes to the {whither}, in {} pieces from byte {} on, were not looked at \
             ({} to {}, after exchange {})",
            self.bytes, self.observations, self.at, self.since, self.until, self.after
        )
    }
}

/// The gaps of one connection, the latest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gaps {
    kept: VecDeque<Gap>,
    dropped: u64,
}

impl Gaps {
    /// Those that were kept, and how many were not.
    pub(crate) fn restored(kept: impl IntoIterator<Item = Gap>, dropped: u64) -> Self {
        let mut gaps = Self {
            kept: VecDeque::new(),
            dropped,
        };
        for gap in kept {
            gaps.note(gap);
        }
        gaps
    }

    /// Takes a gap. The oldest makes room where there are [`CONNECTION_GAPS`], and is
    /// counted.
    pub fn note(&mut self, gap: Gap) {
        let taken = self.kept.iter_mut().rev().any(|kept| kept.takes_in(&gap));
        if taken {
            return;
        }
        if self.kept.len() >= CONNECTION_GAPS {
            self.kept.pop_front();
            self.dropped += 1;
        }
        self.kept.push_back(gap);
    }

    /// Those that are kept, the oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Gap> {
        self.kept.iter()
    }

    /// How many are not kept.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(direction: Direction, after: u64, second: i64) -> Gap {
        let time = Timestamp::from_second(second).unwrap();
        Gap {
            direction,
            at: 100,
            bytes: 10,
            observations: 1,
            since: time,
            until: time,
            after,
        }
    }

    #[test]
    fn gaps_between_the_same_exchanges_are_one_for_each_direction() {
        let mut gaps = Gaps::default();
        gaps.note(gap(Direction::ToClient, 7, 1));
        gaps.note(gap(Direction::ToServer, 7, 2));
        gaps.note(gap(Direction::ToClient, 7, 3));
        gaps.note(gap(Direction::ToClient, 8, 4));
        let told: Vec<_> = gaps.iter().map(|one| (one.after, one.bytes)).collect();
        assert_eq!(told, [(7, 20), (7, 10), (8, 10)]);
        let first = gaps.iter().next().unwrap();
        let (since, until) = (first.since.as_second(), first.until.as_second());
        assert_eq!((first.observations, since, until), (2, 1, 3));
    }

    #[test]
    fn beyond_the_limit_the_oldest_is_dropped_and_counted() {
        let mut gaps = Gaps::default();
        for after in 0..CONNECTION_GAPS as u64 + 3 {
            gaps.note(gap(Direction::ToClient, after, 1));
        }
        assert_eq!((gaps.iter().count(), gaps.dropped()), (CONNECTION_GAPS, 3));
        assert_eq!(gaps.iter().next().unwrap().after, 3);
    }
}
