//! Numbers that nobody has to guess wrong: ids and tokens of a server for tests.

use std::hash::{BuildHasher as _, RandomState};

/// A source of numbers, keyed by the operating system's randomness.
pub(super) struct Entropy {
    key: RandomState,
    count: u64,
}

impl Entropy {
    pub(super) fn new() -> Self {
        Self {
            key: RandomState::new(),
            count: 0,
        }
    }

    pub(super) fn next_u128(&mut self) -> u128 {
        u128::from(self.next_u64()) << 64 | u128::from(self.next_u64())
    }

    fn next_u64(&mut self) -> u64 {
        self.count += 1;
        self.key.hash_one(self.count)
    }
}
