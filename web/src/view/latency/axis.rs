//! Axes of drawings: where a latency and a percentile stand, and what is written there.

/// A latency's place on an axis, from 0 at its begin to 1 at its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    least: f64,
    most: f64,
    linear: bool,
}

impl Scale {
    /// Over these latencies, in microseconds, with a little room.
    pub(super) fn over(least: u64, most: u64, linear: bool) -> Self {
        if linear {
            let most = float(most.max(1)) * 1.05;
            return Self {
                least: 0.0,
                most,
                linear,
            };
        }
        let (least, most) = (float(least.max(1)).log10(), float(most.max(1)).log10());
        // At least a decade: noise is not to look like a mountain.
        let missing = (1.0 - (most - least)).max(0.0) / 2.0;
        Self {
            least: (least - missing - 0.05).max(-0.05),
            most: most + missing + 0.08,
            linear,
        }
    }

    pub(super) fn place(&self, micros: u64) -> f64 {
        let value = if self.linear {
            float(micros)
        } else {
            float(micros.max(1)).log10()
        };
        ((value - self.least) / (self.most - self.least)).clamp(0.0, 1.0)
    }

    /// The latencies to be written there, and whether each can be left out where there
    /// is little room.
    pub(super) fn ticks(&self) -> Vec<(u64, bool)> {
        let all = (0..10).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
        if !self.linear {
            let within = |tick: &u64| {
                let place = float(*tick).log10();
                (self.least..self.most).contains(&place)
            };
            let few = self.most - self.least < 1.8;
            let wanted = move |tick: &u64| few || is_decade(*tick);
            return all
                .filter(within)
                .filter(wanted)
                .map(|tick| (tick, !is_decade(tick)))
                .collect();
        }
        // The least round step of which there are at most six.
        let steps = all.filter(|step| float(*step) * 6.0 >= self.most).take(1);
        steps
            .flat_map(|step| (1..=6).map(move |n| (n * step, n % 2 == 1)))
            .filter(|(tick, _)| float(*tick) < self.most)
            .collect()
    }
}

fn is_decade(tick: u64) -> bool {
    tick.to_string().starts_with('1')
}

/// A round latency in few characters: `500 µs`, `2 ms`, `15.625 ms`.
pub(super) fn short(micros: u64) -> String {
    let (unit, size, digits) = match micros {
        0..1_000 => ("\u{b5}s", 1, 0),
        1_000..1_000_000 => ("ms", 1_000, 3),
        _ => ("s", 1_000_000, 6),
    };
    let (whole, rest) = (micros / size, micros % size);
    if rest == 0 {
        return format!("{whole} {unit}");
    }
    let rest = format!("{rest:0digits$}");
    format!("{whole}.{} {unit}", rest.trim_end_matches('0'))
}

/// As a floating point number, which is only drawn: what is larger than 32 bits is
/// that.
pub(super) fn float(number: u64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_has_a_decade_at_least_and_round_ticks() {
        let scale = Scale::over(120, 140, false);
        assert!(scale.place(140) - scale.place(120) < 0.1);
        let ticks: Vec<_> = scale.ticks().iter().map(|(tick, _)| short(*tick)).collect();
        assert_eq!(ticks, ["50 \u{b5}s", "100 \u{b5}s", "200 \u{b5}s"]);
        let wide = Scale::over(90, 2_000_000, false).ticks();
        assert!(wide.iter().all(|(tick, _)| is_decade(*tick)), "{wide:?}");
    }

    #[test]
    fn a_linear_axis_begins_at_nothing() {
        let scale = Scale::over(3_000, 9_400, true);
        assert!(scale.place(0) < 0.001 && scale.place(9_400) < 1.0);
        let ticks: Vec<_> = scale.ticks().iter().map(|(tick, _)| short(*tick)).collect();
        assert_eq!(ticks, ["2 ms", "4 ms", "6 ms", "8 ms"]);
    }

    #[test]
    fn round_latencies_are_short() {
        assert_eq!(short(15_625), "15.625 ms");
        assert_eq!(short(250_000), "250 ms");
        assert_eq!(short(64_000_000), "64 s");
    }
}
