//! Numbers that tell traces and spans apart, and which exchanges are sent.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use twox_hash::XxHash3_64;

/// Makes the numbers of exchanges into those of traces: a finding knows the trace of an
/// exchange that was sent long ago.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ids {
    /// Of this run, so that no two runs have a trace in common.
    seed: u64,
    /// Traces whose last 63 bits are below this are sent.
    below: u64,
}

/// Those of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Id {
    pub(super) trace: [u8; 16],
    pub(super) span: [u8; 8],
    pub(super) is_sampled: bool,
}

impl Ids {
    /// Of which the part `sample` is sent: decided by the trace's number, as the SDKs'
    /// `traceidratio` does.
    pub(super) fn new(sample: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "from 0 to 2^63"
        )]
        let below = (sample * (1_u64 << 63) as f64) as u64;
        Self {
            seed: random(),
            below,
        }
    }

    pub(super) fn of(&self, n: u64) -> Id {
        let part = |which: u64| {
            let hash =
                XxHash3_64::oneshot_with_seed(self.seed.wrapping_add(which), &n.to_le_bytes());
            // None of them may be 0.
            hash.max(1)
        };
        let low = part(1);
        let trace = (u128::from(part(0)) << 64) | u128::from(low);
        Id {
            trace: trace.to_be_bytes(),
            span: part(2).to_be_bytes(),
            is_sampled: low >> 1 < self.below,
        }
    }
}

/// Random as a table's hashes are: no two runs have the same.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A random UUID, for one run of the program.
pub(super) fn instance() -> String {
    let bits = (u128::from(random()) << 64) | u128::from(random());
    // Version 4, variant 1: random.
    let bits = bits & !(0xF << 76) | (0x4 << 76);
    let bits = bits & !(0x3 << 62) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_the_part_that_was_asked_for_is_sent() {
        for (sample, expected) in [(0.0, 0..=0), (0.1, 800..=1_200), (1.0, 10_000..=10_000)] {
            let ids = Ids::new(sample);
            let sent = (1..=10_000).filter(|n| ids.of(*n).is_sampled).count();
            assert!(expected.contains(&sent), "{sample}: {sent}");
        }
    }

    #[test]
    fn an_exchange_has_one_trace_in_a_run_and_another_in_the_next() {
        let ids = Ids::new(0.5);
        assert_eq!(ids.of(7), ids.of(7));
        assert_ne!(ids.of(7).trace, ids.of(8).trace);
        assert_ne!(ids.of(7).trace, Ids::new(0.5).of(7).trace);
    }

    #[test]
    fn an_instance_is_a_random_uuid() {
        let instance = instance();
        assert_eq!(instance.len(), 36);
        assert_eq!(&instance[14..15], "4");
        assert!(
            ["8", "9", "a", "b"].contains(&&instance[19..20]),
            "{instance}"
        );
        assert_ne!(instance, super::instance());
    }
}
