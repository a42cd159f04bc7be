//! Rounds of figures, and their table.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use parallax_tests::load::{Kind, Measured};

/// Of one relay in one round, at one pace.
#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) measured: Measured,
    /// The relay's own, until it has come to rest.
    pub(crate) processor_time: Duration,
}

impl Figures {
    /// Microseconds of processor time for each poll.
    #[allow(clippy::cast_precision_loss)]
    fn processor(&self) -> f64 {
        self.processor_time.as_secs_f64() * 1e6 / self.measured.polls as f64
    }
}

/// Of every relay: at the highest rate, and at an even one.
#[derive(Debug)]
pub(crate) struct Round(pub(crate) Vec<(Kind, Figures, Option<Figures>)>);

/// A figure of one relay in one round; `None` where it was not measured.
type Of = fn(&Figures, &Figures) -> f64;

impl Round {
    fn get(&self, kind: Kind, of: Of) -> Option<f64> {
        let (_, highest, even) = self.0.iter().find(|(one, ..)| *one == kind)?;
        Some(of(highest, even.as_ref()?))
    }
}

/// All rounds of one load.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) load: &'static str,
    reply_bytes: usize,
    /// Polls a second of the even pace.
    pub(crate) rate: f64,
    pub(crate) rounds: Vec<Round>,
    /// Bytes, at the end.
    pub(crate) resident: Vec<(Kind, u64)>,
    /// What parallax said at its end.
    pub(crate) summaries: Vec<(Kind, String)>,
}

/// Polls a second at the highest rate.
pub(crate) const RATE: Of = |highest, _| highest.measured.rate();
/// Microseconds at the even rate.
pub(crate) const P50: Of = |_, even| even.measured.micros(0.5);
/// Microseconds at the even rate.
pub(crate) const P99: Of = |_, even| even.measured.micros(0.99);
const P999: Of = |_, even| even.measured.micros(0.999);
/// Microseconds of processor time a poll, at the highest rate.
pub(crate) const PROCESSOR: Of = |highest, _| highest.processor();
const PROCESSOR_EVEN: Of = |_, even| even.processor();

impl Table {
    pub(crate) const fn new(load: &'static str, reply_bytes: usize) -> Self {
        Self {
            load,
            reply_bytes,
            rate: 0.0,
            rounds: Vec::new(),
            resident: Vec::new(),
            summaries: Vec::new(),
        }
    }

    /// Whether it is throughput that counts.
    pub(crate) const fn is_bulk(&self) -> bool {
        self.reply_bytes > 64 * 1024
    }

    pub(crate) fn median(&self, kind: Kind, of: Of) -> Option<f64> {
        self.median_of(|round| round.get(kind, of))
    }

    /// The median of a ratio that is taken in each round.
    pub(crate) fn ratio(&self, kind: Kind, to: Kind, of: Of) -> Option<f64> {
        self.median_of(|round| Some(round.get(kind, of)? / round.get(to, of)?))
    }

    /// The median of what a relay adds to the direct figure.
    pub(crate) fn added(&self, kind: Kind, of: Of) -> Option<f64> {
        self.median_of(|round| Some(round.get(kind, of)? - round.get(Kind::Direct, of)?))
    }

    /// The lowest and highest of a figure, as parts of its median: how far to trust it.
    fn spread(&self, kind: Kind, of: Of) -> Option<(f64, f64)> {
        let all = self.values(|round| round.get(kind, of));
        let median = self.median(kind, of)?;
        Some((all.first()? / median, all.last()? / median))
    }

    fn median_of(&self, of: impl Fn(&Round) -> Option<f64>) -> Option<f64> {
        let values = self.values(of);
        values.get(values.len() / 2).copied()
    }

    fn values(&self, of: impl Fn(&Round) -> Option<f64>) -> Vec<f64> {
        let mut values: Vec<f64> = self.rounds.iter().filter_map(of).collect();
        values.sort_by(f64::total_cmp);
        values
    }
}

impl Display for Table {
    #[allow(clippy::cast_precision_loss)]
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "## {}, lockstep polls of First, replies of {} bytes",
            self.load, self.reply_bytes
        )?;
        writeln!(f, "latency at {:.0} polls a second\n", self.rate)?;
        writeln!(
            f,
            "| relay | highest polls/s | of direct | MiB/s | p50 us | p99 us | p99.9 us | added p50 | added p99 | CPU us/poll (highest, even) | RSS MiB |"
        )?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
        for (kind, ..) in self.rounds.first().map_or(&[][..], |round| &round.0[..]) {
            let kind = *kind;
            let of = |of: Of| self.median(kind, of).unwrap_or(f64::NAN);
            let resident = self.resident.iter().find(|(one, _)| *one == kind);
            writeln!(
                f,
                "| {} | {:.0} | {:.2} | {:.0} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {:.2}, {:.2} | {:.0} |",
                kind.name(),
                of(RATE),
                self.ratio(kind, Kind::Direct, RATE).unwrap_or(f64::NAN),
                of(RATE) * self.reply_bytes as f64 / 1_048_576.0,
                of(P50),
                of(P99),
                of(P999),
                self.added(kind, P50).unwrap_or(f64::NAN),
                self.added(kind, P99).unwrap_or(f64::NAN),
                of(PROCESSOR),
                of(PROCESSOR_EVEN),
                resident.map_or(0.0, |(_, bytes)| *bytes as f64 / 1_048_576.0),
            )?;
        }
        if let Some((low, high)) = self.spread(Kind::Direct, RATE) {
            writeln!(
                f,
                "\ndirect's own spread over rounds: highest {low:.2} to {high:.2} of its median"
            )?;
        }
        for (kind, summary) in &self.summaries {
            let polls: u64 = self
                .rounds
                .iter()
                .flat_map(|round| &round.0)
                .filter(|(one, ..)| one == kind)
                .flat_map(|(_, highest, even)| [Some(highest), even.as_ref()])
                .flatten()
                .map(|figures| figures.measured.polls)
                .sum();
            writeln!(f, "{}: {polls} polls made; it says: {summary}", kind.name())?;
        }
        Ok(())
    }
}
