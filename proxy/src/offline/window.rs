//! The order of what connections have told: by when it was asked, as far as that can
//! be waited for.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use parallax_captures::{Connection, ConnectionId, Exchange};

use super::ImportLimits;
use crate::findings::ConnectionEvent;
use crate::session::Skew;

/// Something that a connection has told.
#[derive(Debug)]
pub(super) enum Item {
    /// There is such a connection.
    Opened(Box<Connection>),
    /// Something happened to it.
    Happened(ConnectionEvent),
    /// An exchange.
    Exchange(Arc<Exchange>),
    /// Its ends frame differently.
    Skewed(ConnectionId, Box<Skew>),
    /// All that is known of it at its end.
    Known(Box<Connection>),
}

/// What waits for its turn.
#[derive(Debug, Default)]
pub(super) struct Window {
    waiting: BTreeMap<Place, Waiting>,
    /// Items so far.
    count: u64,
    bytes: usize,
    most_bytes: usize,
    /// Of the last that left.
    left: Option<Place>,
    late: u64,
    hurried: u64,
}

/// When it was, what comes first of what has one time, and which was told first.
type Place = (Timestamp, u8, u64);

#[derive(Debug)]
struct Waiting {
    item: Item,
    bytes: usize,
}

impl Window {
    /// Waits with an item of this time.
    pub(super) fn push(&mut self, time: Timestamp, item: Item) {
        let bytes = item.bytes();
        self.count += 1;
        let place = (time, item.rank(), self.count);
        let is_late = self.left.is_some_and(|left| place < left);
        if is_late && matches!(item, Item::Exchange(_)) {
            self.late += 1;
        }
        self.bytes += bytes;
        self.most_bytes = self.most_bytes.max(self.bytes);
        self.waiting.insert(place, Waiting { item, bytes });
    }

    /// The next item of before `until`, or the next at all where more wait than may.
    pub(super) fn pop(&mut self, until: Timestamp, limits: &ImportLimits) -> Option<Item> {
        let first = *self.waiting.first_key_value()?.0;
        let is_full =
            self.waiting.len() > limits.window_exchanges || self.bytes > limits.window_bytes;
        if first.0 >= until && !is_full {
            return None;
        }
        self.hurried += u64::from(first.0 >= until);
        self.pop_first()
    }

    /// The next item, for nothing more will come.
    pub(super) fn pop_first(&mut self) -> Option<Item> {
        let (place, waiting) = self.waiting.pop_first()?;
        self.left = self.left.max(Some(place));
        self.bytes -= waiting.bytes;
        Some(waiting.item)
    }

    /// Time of the last that left.
    pub(super) fn left(&self) -> Option<Timestamp> {
        self.left.map(|(time, ..)| time)
    }

    /// Exchanges that were told after one that was asked later.
    pub(super) const fn late(&self) -> u64 {
        self.late
    }

    /// Items that left before their time, for want of room.
    pub(super) const fn hurried(&self) -> u64 {
        self.hurried
    }

    /// Bytes that waited, at most at one time.
    pub(super) const fn most_bytes(&self) -> usize {
        self.most_bytes
    }
}

impl Item {
    fn bytes(&self) -> usize {
        match self {
            Self::Exchange(exchange) => exchange.held_bytes(),
            Self::Opened(_) | Self::Known(_) => size_of::<Connection>(),
            Self::Happened(_) | Self::Skewed(..) => size_of::<Self>(),
        }
    }

    /// Of what has one time an opening comes first, and what is known of a connection
    /// after all that passed on it.
    const fn rank(&self) -> u8 {
        match self {
            Self::Opened(_) => 0,
            Self::Happened(event) if event.what.is_opening() => 1,
            Self::Exchange(_) => 2,
            Self::Happened(_) => 3,
            Self::Skewed(..) => 4,
            Self::Known(_) => 5,
        }
    }
}
