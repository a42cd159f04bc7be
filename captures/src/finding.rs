//! A diagnosis with its evidence.

use jiff::Timestamp;

use crate::activity::Occurrences;
use crate::catalog::{Description, describe, rank};
use crate::mute::MutedBy;

/// A finding's number: `PX` and three digits. Stable for ever once released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FindingCode(pub u16);

impl std::fmt::Display for FindingCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PX{:03}", self.0)
    }
}

/// How much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Something is wrong.
    Error,
    /// Something may be wrong, or will be.
    Warning,
    /// Good to know.
    Info,
}

impl Severity {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// One diagnosis at one place. What is seen again at that place is counted, not
/// repeated.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Which diagnosis.
    pub code: FindingCode,
    /// Where: what it is about, e.g. `otel/metrics, group qw_sink_metrics`.
    /// Together with the code it tells one finding from another.
    pub place: String,
    /// The exchanges that show it, the latest last. The first ones and the
    /// latest ones are kept (see [`limits`](crate::limits)). None where it is about
    /// parallax itself.
    pub exchanges: Vec<u64>,
    /// Sentences that say what was seen, with numbers; those of the latest time.
    pub evidence: Vec<String>,
    /// How often it was seen.
    pub count: u64,
    /// When it was first seen.
    pub first: Timestamp,
    /// When it was last seen.
    pub last: Timestamp,
    /// When it was seen how often. Empty where that is not known: in files that were
    /// written before it was kept. A [`Journal`](crate::Journal) sees to it.
    pub occurrences: Occurrences,
    /// The rule that mutes it, if one does: it is counted apart then.
    pub muted: Option<MutedBy>,
}

impl Finding {
    /// A finding seen once, in one exchange.
    pub fn new(
        code: FindingCode,
        place: impl Into<String>,
        exchange: u64,
        time: Timestamp,
        evidence: Vec<String>,
    ) -> Self {
        Self {
            code,
            place: place.into(),
            exchanges: vec![exchange],
            evidence,
            count: 1,
            first: time,
            last: time,
            occurrences: Occurrences::default(),
            muted: None,
        }
    }

    /// A finding that no exchange shows: about parallax itself, or its machine.
    pub fn of_parallax(
        code: FindingCode,
        place: impl Into<String>,
        time: Timestamp,
        evidence: Vec<String>,
    ) -> Self {
        Self {
            exchanges: Vec::new(),
            ..Self::new(code, place, 0, time, evidence)
        }
    }

    /// Whether something is wrong, or may be: more than good to know.
    pub fn is_wrong(&self) -> bool {
        self.description().severity != Severity::Info
    }

    /// Notes when it was seen: each of the exchanges, whose times are `known`, shows it
    /// once; the rest was seen when it was last seen.
    pub(crate) fn note_occurrences(&mut self, known: &[Timestamp]) {
        if !self.occurrences.is_empty() {
            return;
        }
        let mut left = self.count;
        if self.count > 1 {
            for time in known
                .iter()
                .take(usize::try_from(left).unwrap_or(usize::MAX))
            {
                self.occurrences.add(*time, 1);
                left -= 1;
            }
        }
        if left > 0 {
            self.occurrences.add(self.last, left);
        }
    }

    /// Puts the gravest first, of those what explains others before what it explains
    /// ([`rank`]), then the latest.
    pub fn sort(findings: &mut [Self]) {
        findings.sort_by_key(|finding| {
            let severity = finding.description().severity;
            (
                severity,
                rank(finding.code),
                std::cmp::Reverse(finding.last),
                finding.code,
            )
        });
    }

    /// Its title, severity and explanation.
    pub fn description(&self) -> &'static Description {
        describe(self.code)
    }
}
