//! What waits to be sent, bounded.

use std::collections::VecDeque;
use std::sync::Arc;

use super::counters::{OtlpCounters, Reason, Signal};

/// A queue of so many items. What it has no room for is counted and left out: what waits
/// is the beginning of what went wrong.
#[derive(Debug)]
pub(super) struct Queue<T> {
    signal: Signal,
    items: VecDeque<T>,
    room: usize,
    counters: Arc<OtlpCounters>,
}

impl<T> Queue<T> {
    pub(super) const fn new(signal: Signal, room: usize, counters: Arc<OtlpCounters>) -> Self {
        Self {
            signal,
            items: VecDeque::new(),
            room,
            counters,
        }
    }

    pub(super) fn push(&mut self, item: T) {
        if self.items.len() < self.room {
            self.items.push_back(item);
            self.counters.set_queued(self.signal, self.items.len());
        } else {
            self.counters.add_dropped(self.signal, Reason::Full, 1);
        }
    }

    /// How many more there is room for.
    pub(super) fn room(&self) -> usize {
        self.room - self.items.len()
    }

    /// The first ones, at most so many.
    pub(super) fn take(&mut self, most: usize) -> Vec<T> {
        let taken = self.items.drain(..most.min(self.items.len())).collect();
        self.counters.set_queued(self.signal, self.items.len());
        taken
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Counts what is left where the program ends.
    pub(super) fn end(&mut self) {
        let left = self.items.len() as u64;
        self.items.clear();
        self.counters.set_queued(self.signal, 0);
        self.counters.add_dropped(self.signal, Reason::Ended, left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_no_room_for_is_counted_and_left_out() {
        let counters = Arc::new(OtlpCounters::default());
        let mut queue = Queue::new(Signal::Traces, 3, Arc::clone(&counters));
        (1..=5).for_each(|item| queue.push(item));
        assert_eq!(counters.dropped(Signal::Traces, Reason::Full), 2);
        assert_eq!(counters.queued(Signal::Traces), 3);
        assert_eq!(queue.take(2), [1, 2]);
        assert_eq!(counters.queued(Signal::Traces), 1);
        queue.end();
        assert!(queue.is_empty());
        assert_eq!(counters.dropped(Signal::Traces, Reason::Ended), 1);
    }
}
