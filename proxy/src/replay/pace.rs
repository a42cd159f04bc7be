use std::time::Duration;

/// How fast a capture is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    /// One request after the other, over all connections in the captured order: each
    /// is sent once the one before is answered.
    Flat,
    /// As captured, so many times as fast: each connection for itself, a request not
    /// before its time and not before the reply to the one before.
    Timed(f64),
}

impl Pace {
    /// When to send what was captured so long after the beginning.
    pub fn due(self, captured: Duration) -> Duration {
        match self {
            Self::Flat => Duration::ZERO,
            Self::Timed(factor) => captured.div_f64(factor),
        }
    }
}

impl std::str::FromStr for Pace {
    type Err = String;

    /// `flat`, `captured`, or a factor: `2x`, `0.5x`.
    fn from_str(text: &str) -> Result<Self, String> {
        let factor = || text.strip_suffix('x')?.parse::<f64>().ok();
        match (text, factor()) {
            ("flat", _) => Ok(Self::Flat),
            ("captured", _) => Ok(Self::Timed(1.0)),
            (_, Some(factor)) if FACTORS.contains(&factor) => Ok(Self::Timed(factor)),
            _ => Err(
                "a pace is flat, captured, or a factor from 0.001x to 1000x, like 2x".to_owned(),
            ),
        }
    }
}

const FACTORS: std::ops::RangeInclusive<f64> = 0.001..=1000.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_a_word_or_a_factor() {
        assert_eq!("flat".parse(), Ok(Pace::Flat));
        assert_eq!("captured".parse(), Ok(Pace::Timed(1.0)));
        assert_eq!("2x".parse(), Ok(Pace::Timed(2.0)));
        for wrong in ["", "x", "0x", "-1x", "2", "NaNx", "infx", "fast"] {
            let error = wrong.parse::<Pace>().unwrap_err();
            assert!(error.contains("flat, captured"), "{wrong}");
        }
    }

    #[test]
    fn twice_as_fast_is_half_the_time() {
        let captured = Duration::from_secs(3);
        assert_eq!(Pace::Timed(2.0).due(captured), Duration::from_millis(1500));
        assert_eq!(Pace::Flat.due(captured), Duration::ZERO);
    }
}
