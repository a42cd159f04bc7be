//! The findings that are sent: new ones at once, those that are seen again now and then.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parallax_captures::{Finding, FindingCode, Journal};

use crate::limits::OTLP_FINDING_AGAIN;

/// Which findings were sent. As many are remembered as the journal keeps.
#[derive(Debug)]
pub(super) struct Findings {
    told: HashMap<(FindingCode, String), Told>,
    /// How often findings were seen when it last looked.
    seen: u64,
    /// Whether some were seen again that are not to be told yet.
    is_behind: bool,
}

#[derive(Debug)]
struct Told {
    /// How often it had been seen.
    count: u64,
    /// `None` where it was there before.
    at: Option<Instant>,
}

impl Findings {
    /// Those that are found from now on.
    pub(super) fn of(journal: &Journal) -> Self {
        let there = journal.findings().into_iter();
        let told = there.map(|finding| {
            let count = finding.count;
            ((finding.code, finding.place), Told { count, at: None })
        });
        Self {
            told: told.collect(),
            seen: seen(journal),
            is_behind: false,
        }
    }

    /// What is to be told of now; all of it where the program ends. What is muted is not.
    pub(super) fn take(&mut self, journal: &Journal, now: Instant, is_last: bool) -> Vec<Finding> {
        let seen = seen(journal);
        if seen == self.seen && !self.is_behind {
            return Vec::new();
        }
        (self.seen, self.is_behind) = (seen, false);
        let findings = journal.findings();
        let wait = if is_last {
            Duration::ZERO
        } else {
            OTLP_FINDING_AGAIN
        };
        let mut told = HashMap::with_capacity(findings.len());
        let mut taken = Vec::new();
        for finding in findings {
            let key = (finding.code, finding.place.clone());
            let before = self.told.remove(&key);
            let is_due = match &before {
                None => true,
                Some(before) if before.count == finding.count => false,
                Some(before) => before.at.is_none_or(|at| now.duration_since(at) >= wait),
            };
            let after = match before {
                Some(before) if !is_due => {
                    self.is_behind |= before.count != finding.count;
                    before
                }
                _ => Told {
                    count: finding.count,
                    at: Some(now),
                },
            };
            told.insert(key, after);
            if is_due {
                taken.push(finding);
            }
        }
        self.told = told;
        taken
    }
}

fn seen(journal: &Journal) -> u64 {
    journal.tallies().findings.values().sum()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use parallax_captures::catalog::FRAMING_MISMATCH;

    use super::*;

    fn find(journal: &Journal, place: &str) {
        let at = Timestamp::UNIX_EPOCH;
        journal.add_finding(Finding::new(FRAMING_MISMATCH, place, 1, at, Vec::new()));
    }

    fn counts(findings: &[Finding]) -> Vec<(&str, u64)> {
        findings
            .iter()
            .map(|one| (one.place.as_str(), one.count))
            .collect()
    }

    #[test]
    fn a_finding_is_told_at_once_and_what_is_seen_again_now_and_then() {
        let journal = Journal::new();
        find(&journal, "before");
        let mut findings = Findings::of(&journal);
        let begin = Instant::now();
        assert!(findings.take(&journal, begin, false).is_empty());
        find(&journal, "here");
        let told = findings.take(&journal, begin, false);
        assert_eq!(counts(&told), [("here", 1)]);
        for _ in 0..10 {
            find(&journal, "here");
            assert!(findings.take(&journal, begin, false).is_empty());
        }
        let told = findings.take(&journal, begin + OTLP_FINDING_AGAIN, false);
        assert_eq!(counts(&told), [("here", 11)]);
        let told = findings.take(&journal, begin + 2 * OTLP_FINDING_AGAIN, false);
        assert!(told.is_empty(), "it was not seen again");
        find(&journal, "here");
        let told = findings.take(&journal, begin + OTLP_FINDING_AGAIN, true);
        assert_eq!(counts(&told), [("here", 12)], "the end waits for nothing");
    }
}
