//! What was met when for the last time, and what was silent for longest.

use std::collections::BTreeSet;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// The last slice of time of each key.
#[derive(Debug, Clone)]
pub(super) struct Silence<K> {
    last: FxHashMap<K, i64>,
    /// The same, the longest silent first.
    order: BTreeSet<(i64, K)>,
}

impl<K> Default for Silence<K> {
    fn default() -> Self {
        Self {
            last: FxHashMap::default(),
            order: BTreeSet::new(),
        }
    }
}

impl<K: Ord + Hash + Clone> Silence<K> {
    /// It was met in a slice.
    pub(super) fn met(&mut self, key: &K, slice: i64) {
        if let Some(last) = self.last.get_mut(key) {
            if *last >= slice {
                return;
            }
            self.order.remove(&(*last, key.clone()));
            *last = slice;
        } else {
            self.last.insert(key.clone(), slice);
        }
        self.order.insert((slice, key.clone()));
    }

    /// Forgets what was silent for longest; of several the least.
    pub(super) fn forget_longest(&mut self, but: &K) -> Option<K> {
        let mut order = self.order.iter();
        let longest = order.find(|(_, key)| key != but)?.clone();
        self.order.remove(&longest);
        self.last.remove(&longest.1);
        Some(longest.1)
    }

    /// Each two slices are one now.
    pub(super) fn halve(&mut self) {
        self.last.values_mut().for_each(|slice| *slice >>= 1);
        let order = std::mem::take(&mut self.order).into_iter();
        self.order = order.map(|(slice, key)| (slice >> 1, key)).collect();
    }
}
