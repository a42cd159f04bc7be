//! Numbers for streams, topics, groups and members.

use parallax_codec::primitives::Identifier;

/// A thing that can be asked for by name.
pub(super) trait Named {
    /// Its name.
    fn name(&self) -> &str;
}

/// Values by number. A number that was freed is given out again, the latest
/// first: so does the slab in which servers 0.8.0 and 0.9.0 keep their metadata.
#[derive(Debug)]
pub(super) struct Slots<T> {
    values: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slots<T> {
    /// Stores a value and returns its number.
    pub(super) fn insert(&mut self, value: T) -> u32 {
        if let Some(number) = self.free.pop()
            && let Some(place) = self.values.get_mut(number as usize)
        {
            *place = Some(value);
            return number;
        }
        self.values.push(Some(value));
        u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX)
    }

    /// Takes a value out.
    pub(super) fn remove(&mut self, number: u32) -> Option<T> {
        let value = self.values.get_mut(number as usize)?.take()?;
        self.free.push(number);
        Some(value)
    }

    /// Takes a value out, whose number is never given out again: so are those of
    /// consumer groups on server 0.9.0-edge.5 (recordings `group`, `consumer`).
    pub(super) fn retire(&mut self, number: u32) -> Option<T> {
        self.values.get_mut(number as usize)?.take()
    }

    /// The value with this number.
    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.values.get(number as usize)?.as_ref()
    }

    /// The value with this number, to change it.
    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.values.get_mut(number as usize)?.as_mut()
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// Every value and its number, in the order of the numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..)
            .zip(&self.values)
            .filter_map(|(number, value)| Some((number, value.as_ref()?)))
    }

    /// Every value and its number, to change them.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        (0..)
            .zip(&mut self.values)
            .filter_map(|(number, value)| Some((number, value.as_mut()?)))
    }
}

impl<T: Named> Slots<T> {
    /// The number of what `id` stands for.
    pub(super) fn find(&self, id: &Identifier) -> Option<u32> {
        match id {
            Identifier::Numeric(number) => self.get(*number).map(|_| *number),
            Identifier::Named(name) => self.find_name(name),
        }
    }

    /// The number of what is called `name`.
    pub(super) fn find_name(&self, name: &str) -> Option<u32> {
        self.iter()
            .find(|(_, value)| value.name() == name)
            .map(|(number, _)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::Slots;

    #[test]
    fn a_freed_number_is_given_out_again_the_latest_first() {
        let mut slots = Slots::default();
        for letter in ['a', 'b', 'c'] {
            slots.insert(letter);
        }
        slots.remove(0);
        slots.remove(1);
        assert_eq!(slots.len(), 1);
        assert_eq!(slots.insert('d'), 1);
        assert_eq!(slots.insert('e'), 0);
        assert_eq!(slots.insert('f'), 3);
    }

    #[test]
    fn a_retired_number_is_gone_for_ever() {
        let mut slots = Slots::default();
        slots.insert('a');
        slots.retire(0);
        assert_eq!(slots.len(), 0);
        assert_eq!(slots.insert('b'), 1);
    }
}
