//! A map that holds so many entries and no more.

use std::collections::HashMap;
use std::hash::Hash;

/// Entries by key. When it is full, the half that was not touched for longest is
/// forgotten, and counted.
#[derive(Debug)]
pub(crate) struct Bounded<K, V> {
    entries: HashMap<K, (u64, V)>,
    limit: usize,
    clock: u64,
    forgotten: u64,
}

impl<K: Eq + Hash + Clone, V: Default> Bounded<K, V> {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            entries: HashMap::new(),
            limit,
            clock: 0,
            forgotten: 0,
        }
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|(_, value)| value)
    }

    /// The entry of this key, made now if there is none.
    pub(crate) fn entry(&mut self, key: &K) -> &mut V {
        self.clock += 1;
        if self.entries.len() >= self.limit && !self.entries.contains_key(key) {
            self.forget_half();
        }
        let (touched, value) = self.entries.entry(key.clone()).or_default();
        *touched = self.clock;
        value
    }

    /// The entry of this key, taken out.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        if self.entries.is_empty() {
            return None;
        }
        self.entries.remove(key).map(|(_, value)| value)
    }

    /// Every entry.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.values_mut().map(|(_, value)| value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Keeps the entries that are wanted, and forgets the others without counting.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&K, &mut V) -> bool) {
        self.entries.retain(|key, (_, value)| wanted(key, value));
    }

    /// Takes out the entries that are meant, and gives their keys.
    pub(crate) fn take(&mut self, meant: impl Fn(&K, &V) -> bool) -> impl Iterator<Item = K> {
        let taken = self
            .entries
            .extract_if(move |key, (_, value)| meant(key, value));
        taken.map(|(key, _)| key)
    }

    /// Changes every value whose key is wanted.
    pub(crate) fn change(&mut self, wanted: impl Fn(&K) -> bool, change: impl Fn(&mut V)) {
        let wanted = self.entries.iter_mut().filter(|(key, _)| wanted(key));
        wanted.for_each(|(_, (_, value))| change(value));
    }

    /// Gives entries new keys. Of two that come to one key, the one that was
    /// touched last is kept.
    pub(crate) fn rename(&mut self, renamed: impl Fn(&K) -> Option<K>) {
        let names: Vec<(K, K)> = self
            .entries
            .keys()
            .filter_map(|key| Some((key.clone(), renamed(key)?)))
            .collect();
        for (old, new) in names {
            let Some(moved) = self.entries.remove(&old) else {
                continue;
            };
            let newer = |(touched, _): &(u64, V)| *touched > moved.0;
            if !self.entries.get(&new).is_some_and(newer) {
                self.entries.insert(new, moved);
            }
        }
    }

    pub(crate) const fn forgotten(&self) -> u64 {
        self.forgotten
    }

    fn forget_half(&mut self) {
        let mut touched: Vec<u64> = self.entries.values().map(|(touched, _)| *touched).collect();
        touched.sort_unstable();
        let Some(middle) = touched.get(touched.len() / 2).copied() else {
            return;
        };
        let before = self.entries.len();
        self.entries.retain(|_, (touched, _)| *touched > middle);
        self.forgotten += (before - self.entries.len()) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::Bounded;

    #[test]
    fn what_was_not_touched_for_longest_is_forgotten_and_counted() {
        let mut map: Bounded<u32, u32> = Bounded::new(4);
        for key in 0..4 {
            *map.entry(&key) = key;
        }
        map.entry(&0);
        *map.entry(&9) = 9;
        assert_eq!((map.get(&0), map.get(&9)), (Some(&0), Some(&9)));
        assert_eq!((map.get(&1), map.forgotten()), (None, 3));
    }

    #[test]
    fn of_two_entries_that_come_to_one_key_the_later_is_kept() {
        let mut map: Bounded<u32, &str> = Bounded::new(4);
        *map.entry(&1) = "by name";
        *map.entry(&2) = "by number";
        map.rename(|key| (*key == 1).then_some(2));
        assert_eq!((map.get(&1), map.get(&2)), (None, Some(&"by number")));
    }
}
