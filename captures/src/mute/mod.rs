//! What somebody knows already and does not want to be told again: rules that
//! mute verdicts and findings. Muted ones are counted apart and can be shown;
//! nothing is lost.
//!
//! ```toml
//! [[mute]]
//! codes = ["diverge", "PX105"]      # verdicts and findings
//! stream = "otel"                   # each of these may be left out
//! topic = "metrics*"                # * stands for any text
//! partition = 2
//! consumer = "qw_*"
//! field = "messages[*].timestamp"   # a difference's field
//! because = "clocks of the old brokers"
//! ```
//! A rule applies where all that it names fits. What it names must be known: a
//! refused poll that names no partition is in none.

mod file;
mod place;

use std::path::Path;
use std::sync::Arc;

pub use self::file::MuteError;
use self::place::Place;
use crate::exchange::Exchange;
use crate::finding::FindingCode;
use crate::glob::Glob;
use crate::limits::VERDICT_DIFFERENCES;
use crate::verdict::{Verdict, VerdictKind};

/// Rules, in the order of their file.
#[derive(Debug, Clone, Default)]
pub struct Mutes {
    rules: Vec<Rule>,
}

/// Which rule mutes something: its file, line and reason, for a person to read.
pub type MutedBy = Arc<str>;

#[derive(Debug, Clone)]
struct Rule {
    codes: Vec<Code>,
    stream: Option<Glob>,
    topic: Option<Glob>,
    partition: Option<u32>,
    consumer: Option<Glob>,
    field: Option<Glob>,
    told: MutedBy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Verdict(VerdictKind),
    Finding(FindingCode),
}

impl Mutes {
    /// No rule.
    pub fn none() -> Self {
        Self::default()
    }

    /// The rules of a file.
    ///
    /// # Errors
    /// It cannot be read, is too long, or a rule in it cannot be understood: the
    /// error names the file, the line and what to do.
    pub fn read(path: &Path) -> Result<Self, MuteError> {
        file::read(path)
    }

    /// The rules of a file's text; `name` is what errors call the file.
    ///
    /// # Errors
    /// As [`Mutes::read`].
    pub fn parse(name: &str, text: &str) -> Result<Self, MuteError> {
        file::parse(name, text)
    }

    /// Which rule mutes the verdict on an exchange, if one does.
    pub fn verdict(&self, exchange: &Exchange, verdict: &Verdict) -> Option<MutedBy> {
        self.muting(Code::Verdict(verdict.kind), Some(exchange), Some(verdict))
    }

    /// Which rule mutes a finding, if one does. `exchange` is the latest that shows
    /// it, where it is known, and `verdict` the one on that.
    pub fn finding(
        &self,
        finding: FindingCode,
        exchange: Option<&Exchange>,
        verdict: Option<&Verdict>,
    ) -> Option<MutedBy> {
        self.muting(Code::Finding(finding), exchange, verdict)
    }

    fn muting(
        &self,
        code: Code,
        exchange: Option<&Exchange>,
        verdict: Option<&Verdict>,
    ) -> Option<MutedBy> {
        if self.rules.is_empty() {
            return None;
        }
        let place = exchange.map(Place::of).unwrap_or_default();
        let applies = |rule: &&Rule| rule.codes.contains(&code) && rule.is_about(&place);
        let rules: Vec<&Rule> = self.rules.iter().filter(applies).collect();
        let whole = rules.iter().find(|rule| rule.field.is_none());
        let by = whole.or_else(|| {
            let muted = verdict.is_some_and(|verdict| all_fields(&rules, verdict));
            rules.first().filter(|_| muted)
        })?;
        Some(Arc::clone(&by.told))
    }
}

impl Rule {
    fn is_about(&self, place: &Place) -> bool {
        fits(self.stream.as_ref(), place.stream.as_deref())
            && fits(self.topic.as_ref(), place.topic.as_deref())
            && fits(self.consumer.as_ref(), place.consumer.as_deref())
            && self
                .partition
                .is_none_or(|wanted| place.partition == Some(wanted))
    }
}

fn fits(glob: Option<&Glob>, text: Option<&str>) -> bool {
    glob.is_none_or(|glob| text.is_some_and(|text| glob.matches(text)))
}

/// Whether each field that differs is muted by some rule. Of a list that is full
/// nobody knows what else differs.
fn all_fields(rules: &[&Rule], verdict: &Verdict) -> bool {
    let differences = &verdict.differences;
    let muted = |field: &str| {
        let globs = rules.iter().filter_map(|rule| rule.field.as_ref());
        let mut matching = globs.filter(|glob| glob.matches(field));
        matching.next().is_some()
    };
    (1..VERDICT_DIFFERENCES).contains(&differences.len())
        && differences.iter().all(|one| muted(&one.field))
}
