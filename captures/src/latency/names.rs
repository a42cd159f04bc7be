//! The names of the commands whose latencies there are.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::limits::LATENCY_COMMANDS;

/// Gives each command a number, so that its name is looked for once and not once for each
/// dimension.
#[derive(Debug, Clone)]
pub(super) struct CommandNames {
    numbers: FxHashMap<Arc<str>, u32>,
    /// By number.
    names: Vec<Arc<str>>,
    /// Numbers that no command has.
    free: Vec<u32>,
    /// By length and first letter the numbers that were looked for last: most traffic is
    /// of few commands.
    recent: [u32; RECENT],
}

/// A power of two.
const RECENT: usize = 32;

/// No command's number.
const NONE: u32 = u32::MAX;

impl Default for CommandNames {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            names: Vec::new(),
            free: Vec::new(),
            recent: [NONE; RECENT],
        }
    }
}

impl CommandNames {
    /// The command's number, if it has one.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The same, sooner where it is the one that was looked for last of those like it.
    pub(super) fn number_again(&mut self, name: &str) -> Option<u32> {
        let first = name.as_bytes().first().copied();
        let slot = (name.len() ^ usize::from(first.unwrap_or_default())) % RECENT;
        let recent = self.recent[slot];
        if self
            .names
            .get(recent as usize)
            .is_some_and(|known| **known == *name)
        {
            return Some(recent);
        }
        let number = self.number(name)?;
        self.recent[slot] = number;
        Some(number)
    }

    /// The command with a number that was given.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", |name| name)
    }

    /// How many have one.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether some have to be forgotten before another is given a number.
    pub(super) fn is_full(&self) -> bool {
        self.numbers.len() >= LATENCY_COMMANDS
    }

    /// Gives a number to a command that has none.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        let name: Arc<str> = name.into();
        let number = self.free.pop().unwrap_or_else(|| {
            self.names.push(Arc::clone(&name));
            u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX)
        });
        if let Some(named) = self.names.get_mut(number as usize) {
            *named = Arc::clone(&name);
        }
        self.numbers.insert(name, number);
        number
    }

    /// Forgets all but these.
    pub(super) fn retain(&mut self, is_used: impl Fn(u32) -> bool) {
        self.recent = [NONE; RECENT];
        let free = &mut self.free;
        self.numbers.retain(|_, number| {
            let used = is_used(*number);
            if !used {
                free.push(*number);
            }
            used
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_was_forgotten_has_no_number_however_lately_it_was_looked_for() {
        let mut names = CommandNames::default();
        let [ping, poll] = ["ping", "poll_messages"].map(|name| names.add(name));
        for _ in 0..2 {
            assert_eq!(names.number_again("ping"), Some(ping));
            assert_eq!(names.number_again("poll_messages"), Some(poll));
        }
        names.retain(|number| number == poll);
        assert_eq!(names.number_again("ping"), None);
        assert_eq!(names.number_again("poll_messages"), Some(poll));
        assert_eq!(names.add("pong"), ping, "its number is another's");
        assert_eq!(names.number_again("ping"), None);
        assert_eq!(names.number_again("pong"), Some(ping));
        assert_eq!(names.name(ping), "pong");
    }
}
