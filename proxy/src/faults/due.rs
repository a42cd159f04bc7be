//! Which of the requests that a fault is about it is injected into. Pure but for the count.

use std::fmt::{self, Display, Formatter};

use parallax_captures::FaultInForce;

/// Which of them. The default: all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Due {
    /// Every so manieth; at least 1.
    pub every: Option<u64>,
    /// The first so many.
    pub first: Option<u64>,
    /// At most so many times.
    pub times: Option<u64>,
    /// Each with this probability, above 0 and at most 1.
    pub chance: Option<f64>,
    /// What the probability is drawn with.
    pub seed: u64,
}

impl Due {
    /// Counts a request, and whether it is one.
    pub(super) fn next(&self, count: &FaultInForce) -> bool {
        let number = count.count_matched();
        self.falls_on(number) && count.count_injected(self.times.unwrap_or(u64::MAX))
    }

    /// Whether the request with this number, from 1, is one, `times` aside.
    pub(super) fn falls_on(&self, number: u64) -> bool {
        let is_turn = self.every.is_none_or(|every| number.is_multiple_of(every));
        let is_early = self.first.is_none_or(|first| number <= first);
        let is_drawn = self
            .chance
            .is_none_or(|chance| fraction(self.seed, number) < chance);
        is_turn && is_early && is_drawn
    }
}

/// From 0 up to 1, the same for the same numbers: splitmix64.
#[expect(clippy::cast_precision_loss, reason = "32 bits fit exactly")]
fn fraction(seed: u64, number: u64) -> f64 {
    let mut z = seed
        .wrapping_mul(0xD1B5_4A32_D192_ED03)
        .wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 32) as f64 / 4_294_967_296.0
}

impl Display for Due {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let counts = [
            ("every", self.every),
            ("first", self.first),
            ("times", self.times),
        ];
        for (name, count) in counts {
            if let Some(count) = count {
                write!(f, " {name}={count}")?;
            }
        }
        if let Some(chance) = self.chance {
            write!(f, " chance={chance}")?;
        }
        if self.seed != 0 {
            write!(f, " seed={}", self.seed)?;
        }
        Ok(())
    }
}
