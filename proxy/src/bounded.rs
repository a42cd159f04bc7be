//! A map that holds so many entries and no more.

use std::hash::{BuildHasher as _, Hash};

use hashbrown::{DefaultHashBuilder, HashTable};

/// Entries by key. When it is full, the half that was not touched for longest is
/// forgotten, and counted. Every exchange looks into a dozen of these, mostly for what
/// is there: a key is made only where it is new.
#[derive(Debug)]
pub(crate) struct Bounded<K, V> {
    entries: HashTable<Entry<K, V>>,
    hashing: DefaultHashBuilder,
    limit: usize,
    clock: u64,
    forgotten: u64,
}

#[derive(Debug)]
struct Entry<K, V> {
    key: K,
    touched: u64,
    value: V,
}

/// A key, or what it is made of. Both have one hash.
pub(crate) trait KeyOf<K>: Hash {
    /// Whether it is this key.
    fn is(&self, key: &K) -> bool;

    /// The key.
    fn key(&self) -> K;
}

impl<K: Eq + Hash + Clone> KeyOf<K> for K {
    fn is(&self, key: &K) -> bool {
        self == key
    }

    fn key(&self) -> K {
        self.clone()
    }
}

impl<A: Eq + Hash + Clone, B: Eq + Hash + Clone> KeyOf<(A, B)> for (&A, &B) {
    fn is(&self, key: &(A, B)) -> bool {
        *self == (&key.0, &key.1)
    }

    fn key(&self) -> (A, B) {
        (self.0.clone(), self.1.clone())
    }
}

impl<A, B, C> KeyOf<(A, B, C)> for (&A, &B, &C)
where
    A: Eq + Hash + Clone,
    B: Eq + Hash + Clone,
    C: Eq + Hash + Clone,
{
    fn is(&self, key: &(A, B, C)) -> bool {
        *self == (&key.0, &key.1, &key.2)
    }

    fn key(&self) -> (A, B, C) {
        (self.0.clone(), self.1.clone(), self.2.clone())
    }
}

impl<K: Eq + Hash + Clone, V: Default> Bounded<K, V> {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            entries: HashTable::new(),
            hashing: DefaultHashBuilder::default(),
            limit,
            clock: 0,
            forgotten: 0,
        }
    }

    pub(crate) fn get(&self, key: &impl KeyOf<K>) -> Option<&V> {
        if self.entries.is_empty() {
            return None;
        }
        let hash = self.hashing.hash_one(key);
        let found = self.entries.find(hash, |entry| key.is(&entry.key));
        found.map(|entry| &entry.value)
    }

    /// The entry of this key, if there is one, which is touched.
    pub(crate) fn get_mut(&mut self, key: &impl KeyOf<K>) -> Option<&mut V> {
        if self.entries.is_empty() {
            return None;
        }
        self.clock += 1;
        let hash = self.hashing.hash_one(key);
        let entry = self.entries.find_mut(hash, |entry| key.is(&entry.key))?;
        entry.touched = self.clock;
        Some(&mut entry.value)
    }

    /// The entry of this key, made now if there is none.
    pub(crate) fn entry(&mut self, key: &impl KeyOf<K>) -> &mut V {
        self.clock += 1;
        let touched = self.clock;
        let hash = self.hashing.hash_one(key);
        let is_it = |entry: &Entry<K, V>| key.is(&entry.key);
        if self.entries.len() >= self.limit && self.entries.find(hash, is_it).is_none() {
            self.forget_half();
        }
        let rehash = |entry: &Entry<K, V>| self.hashing.hash_one(&entry.key);
        let entry = self
            .entries
            .entry(hash, is_it, rehash)
            .or_insert_with(|| Entry {
                key: key.key(),
                touched,
                value: V::default(),
            })
            .into_mut();
        entry.touched = touched;
        &mut entry.value
    }

    /// The entry of this key, taken out.
    pub(crate) fn remove(&mut self, key: &impl KeyOf<K>) -> Option<V> {
        self.take_entry(key).map(|entry| entry.value)
    }

    /// Every entry.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|entry| &mut entry.value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Keeps the entries that are wanted, and forgets the others without counting.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&K, &mut V) -> bool) {
        self.entries
            .retain(|entry| wanted(&entry.key, &mut entry.value));
    }

    /// Takes out the entries that are meant, and gives their keys.
    pub(crate) fn take(&mut self, meant: impl Fn(&K, &V) -> bool) -> impl Iterator<Item = K> {
        let taken = self
            .entries
            .extract_if(move |entry| meant(&entry.key, &entry.value));
        taken.map(|entry| entry.key)
    }

    /// Changes every value whose key is wanted.
    pub(crate) fn change(&mut self, wanted: impl Fn(&K) -> bool, change: impl Fn(&mut V)) {
        let wanted = self.entries.iter_mut().filter(|entry| wanted(&entry.key));
        wanted.for_each(|entry| change(&mut entry.value));
    }

    /// Gives entries new keys. Of two that come to one key, the one that was
    /// touched last is kept.
    pub(crate) fn rename(&mut self, renamed: impl Fn(&K) -> Option<K>) {
        let names: Vec<(K, K)> = self
            .entries
            .iter()
            .filter_map(|entry| Some((entry.key.clone(), renamed(&entry.key)?)))
            .collect();
        for (old, new) in names {
            let Some(moved) = self.take_entry(&old) else {
                continue;
            };
            let there = self.take_entry(&new);
            let kept = there.filter(|there| there.touched > moved.touched);
            let kept = kept.unwrap_or(Entry { key: new, ..moved });
            let rehash = |entry: &Entry<K, V>| self.hashing.hash_one(&entry.key);
            self.entries.insert_unique(rehash(&kept), kept, rehash);
        }
    }

    pub(crate) const fn forgotten(&self) -> u64 {
        self.forgotten
    }

    fn take_entry(&mut self, key: &impl KeyOf<K>) -> Option<Entry<K, V>> {
        if self.entries.is_empty() {
            return None;
        }
        let hash = self.hashing.hash_one(key);
        let found = self.entries.find_entry(hash, |entry| key.is(&entry.key));
        found.ok().map(|found| found.remove().0)
    }

    fn forget_half(&mut self) {
        let mut touched: Vec<u64> = self.entries.iter().map(|entry| entry.touched).collect();
        touched.sort_unstable();
        let Some(middle) = touched.get(touched.len() / 2).copied() else {
            return;
        };
        let before = self.entries.len();
        self.entries.retain(|entry| entry.touched > middle);
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
