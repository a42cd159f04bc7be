//! The one checksum that Iggy computes: XXH3, 64 bits, no seed.
//!
//! From `iggy_common` 0.10.0 and 0.11.0, `utils/checksum.rs`, and held against
//! every message of the recordings.

use twox_hash::XxHash3_64;

/// XXH3-64 of `bytes`.
pub(crate) fn xxh3(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// Whether bytes are what their checksum says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checksum {
    /// None was given: the field is 0.
    Absent,
    /// The bytes are those that were summed.
    Right,
    /// They are not.
    Wrong {
        /// What stands on the wire.
        stored: u64,
        /// What the bytes give.
        computed: u64,
    },
}

impl Checksum {
    /// Compares what stands on the wire, 0 for none, with what the bytes give.
    pub(crate) fn of(stored: u64, computed: impl FnOnce() -> u64) -> Self {
        if stored == 0 {
            return Self::Absent;
        }
        match computed() {
            computed if computed == stored => Self::Right,
            computed => Self::Wrong { stored, computed },
        }
    }
}
