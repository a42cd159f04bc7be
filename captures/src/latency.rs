//! How long exchanges took, as histograms.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;

use crate::limits::{LATENCY_MAX_US, LATENCY_SERIES};

/// Whose answer was timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The client's own exchange over TCP.
    Tcp,
    /// The mirror's question over HTTP: parallax's own traffic, never mixed with
    /// the client's.
    Http,
}

impl Side {
    /// `tcp` or `http`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tcp => "tcp",
            Self::Http => "http",
        }
    }
}

/// One histogram for each side and command.
///
/// These are service times as the proxy saw them. A client that waits for each
/// answer before it asks again asks less while the server is slow, so the slow
/// times are under-represented ("coordinated omission").
#[derive(Debug, Default, Clone)]
pub struct Latencies {
    /// By command, then side: found without a key that is made for it.
    series: BTreeMap<String, BTreeMap<Side, Histogram<u64>>>,
    unrecorded: u64,
}

impl Latencies {
    /// Records one latency, to the microsecond.
    pub fn record(&mut self, side: Side, command: &str, latency: Duration) {
        let Some(histogram) = self.series_of(side, command) else {
            self.unrecorded += 1;
            return;
        };
        let micros = u64::try_from(latency.as_micros()).unwrap_or(LATENCY_MAX_US);
        histogram.saturating_record(micros.clamp(1, LATENCY_MAX_US));
    }

    /// Adds so many latencies of about `micros`: what [`recorded`](Self::recorded)
    /// gave.
    pub fn add(&mut self, side: Side, command: &str, micros: u64, count: u64) {
        match self.series_of(side, command) {
            Some(histogram) => {
                histogram.saturating_record_n(micros.clamp(1, LATENCY_MAX_US), count);
            }
            None => self.unrecorded += count,
        }
    }

    /// Adds all that others recorded.
    pub fn add_all(&mut self, others: &Self) {
        for (side, command, micros, count) in others.recorded() {
            self.add(side, command, micros, count);
        }
        self.unrecorded += others.unrecorded;
    }

    /// Every latency that was recorded, in microseconds and to the precision of the
    /// histograms, and how often.
    pub fn recorded(&self) -> impl Iterator<Item = (Side, &str, u64, u64)> {
        self.series().flat_map(|(command, side, histogram)| {
            histogram.iter_recorded().map(move |value| {
                let micros = histogram.lowest_equivalent(value.value_iterated_to());
                (side, command, micros, value.count_at_value())
            })
        })
    }

    /// The series, by command and side.
    pub fn series(&self) -> impl Iterator<Item = (&str, Side, &Histogram<u64>)> {
        self.series.iter().flat_map(|(command, sides)| {
            sides
                .iter()
                .map(|(side, histogram)| (command.as_str(), *side, histogram))
        })
    }

    /// Latencies that were not recorded, because there were too many series or
    /// no memory for another.
    pub const fn unrecorded(&self) -> u64 {
        self.unrecorded
    }

    fn series_of(&mut self, side: Side, command: &str) -> Option<&mut Histogram<u64>> {
        let known = self.series.get(command);
        if !known.is_some_and(|sides| sides.contains_key(&side)) {
            if self.series().count() >= LATENCY_SERIES {
                return None;
            }
            // Two significant digits: within 1 %, in a few KiB a series.
            let histogram = Histogram::new_with_bounds(1, LATENCY_MAX_US, 2).ok()?;
            let sides = self.series.entry(command.to_owned()).or_default();
            sides.insert(side, histogram);
        }
        self.series.get_mut(command)?.get_mut(&side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirrors_time_is_not_the_clients() {
        let mut latencies = Latencies::default();
        latencies.record(Side::Tcp, "poll_messages", Duration::from_micros(100));
        latencies.record(Side::Http, "poll_messages", Duration::from_millis(9));
        let counts: Vec<_> = latencies
            .series()
            .map(|(_, side, h)| (side, h.len(), h.max()))
            .collect();
        assert_eq!(counts[0].0, Side::Tcp);
        assert_eq!((counts[0].1, counts[1].1), (1, 1));
        assert!(counts[0].2 < 102 && counts[1].2 >= 9_000);
    }

    #[test]
    fn more_series_than_the_limit_are_counted_not_kept() {
        let mut latencies = Latencies::default();
        for n in 0..LATENCY_SERIES + 3 {
            latencies.record(Side::Tcp, &format!("unknown_{n}"), Duration::from_micros(5));
        }
        assert_eq!(latencies.series().count(), LATENCY_SERIES);
        assert_eq!(latencies.unrecorded(), 3);
    }

    #[test]
    fn a_latency_beyond_the_longest_is_recorded_as_the_longest() {
        let mut latencies = Latencies::default();
        latencies.record(Side::Tcp, "ping", Duration::from_secs(1_000_000));
        let (_, _, histogram) = latencies.series().next().unwrap();
        assert!(histogram.max() >= LATENCY_MAX_US);
    }
}
