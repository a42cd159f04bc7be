//! Where in a list things are, by their hash.

/// An open-addressed table: what follows a hash's own slot is searched up to the first
/// that is free.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// A power of two of them, or none; at most half are not free.
    slots: Vec<Slot>,
    taken: usize,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    place: u32,
}

impl Slot {
    const FREE: Self = Self {
        hash: 0,
        place: u32::MAX,
    };

    const fn is_free(self) -> bool {
        self.place == u32::MAX
    }
}

impl Places {
    /// The place with this hash that is the one.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        loop {
            let slot = *self.slots.get(at)?;
            if slot.is_free() {
                return None;
            }
            if slot.hash == hash && is_it(slot.place as usize) {
                return Some(slot.place as usize);
            }
            at = (at + 1) & mask;
        }
    }

    /// Takes note of a place that is not there yet. Places are below 2^32 - 1.
    pub(super) fn add(&mut self, hash: u32, place: usize) {
        if (self.taken + 1) * 2 > self.slots.len() {
            let length = (self.slots.len() * 2).max(4);
            let smaller = std::mem::replace(&mut self.slots, vec![Slot::FREE; length]);
            let taken = smaller.into_iter().filter(|slot| !slot.is_free());
            taken.for_each(|slot| self.put(slot));
        }
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        self.put(Slot { hash, place });
        self.taken += 1;
    }

    /// Forgets a place, if it is there.
    pub(super) fn remove(&mut self, hash: u32, place: usize) {
        let Some(mut free) = self.slot_of(hash, place) else {
            return;
        };
        self.slots[free] = Slot::FREE;
        self.taken -= 1;
        // What was put behind it for want of a free slot moves up.
        let mask = self.slots.len() - 1;
        let mut at = (free + 1) & mask;
        while !self.slots[at].is_free() {
            let from_its_own = at.wrapping_sub(self.slots[at].hash as usize) & mask;
            if from_its_own >= at.wrapping_sub(free) & mask {
                self.slots.swap(at, free);
                free = at;
            }
            at = (at + 1) & mask;
        }
    }

    /// What was in one place, if it is there, is in another now.
    pub(super) fn moved(&mut self, hash: u32, from: usize, to: usize) {
        if let Some(at) = self.slot_of(hash, from) {
            self.slots[at].place = u32::try_from(to).unwrap_or(u32::MAX);
        }
    }

    /// Bytes of memory beside its own.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    fn slot_of(&self, hash: u32, place: usize) -> Option<usize> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while !self.slots.get(at)?.is_free() {
            if self.slots[at].place as usize == place {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
        None
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = slot.hash as usize & mask;
        while !self.slots[at].is_free() {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_list_from_which_the_last_fills_gaps_is_found_as_it_is(
            steps in proptest::collection::vec((any::<bool>(), 0..12_u32), 0..300),
        ) {
            // Of few hashes, so that many stand behind each other. The same twice is two.
            let (mut list, mut places): (Vec<u32>, _) = (Vec::new(), Places::default());
            for (adds, hash) in steps {
                if adds {
                    places.add(hash, list.len());
                    list.push(hash);
                } else if let Some(place) = list.iter().rposition(|other| *other == hash) {
                    places.remove(hash, place);
                    list.swap_remove(place);
                    if let Some(moved) = list.get(place) {
                        places.moved(*moved, list.len(), place);
                    }
                }
                for (place, hash) in list.iter().enumerate() {
                    prop_assert_eq!(places.find(*hash, |found| found == place), Some(place));
                }
                prop_assert_eq!(places.find(12, |_| true), None);
                prop_assert!(places.taken == list.len() && list.len() * 2 <= places.slots.len());
            }
        }
    }
}
