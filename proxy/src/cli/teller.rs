//! What `parallax run` says while it runs: each finding once, and each trouble
//! when it is new or goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::net::SocketAddr;

use jiff::Timestamp;
use parallax_captures::{Finding, FindingCode, Journal, Trouble, TroubleKind, troubles};

use super::say;
use crate::limits::{TROUBLE_LINES, TROUBLE_REPEAT};
use crate::report::finding_lines;

/// What has been said. Holds no more than the journal does.
pub(super) struct Teller {
    page: Option<SocketAddr>,
    findings: BTreeSet<(FindingCode, String)>,
    troubles: BTreeMap<(TroubleKind, String), Said>,
}

/// How often a trouble had happened when it was last said, and when that was.
struct Said {
    count: u64,
    at: Timestamp,
}

impl Teller {
    pub(super) const fn new(page: Option<SocketAddr>) -> Self {
        Self {
            page,
            findings: BTreeSet::new(),
            troubles: BTreeMap::new(),
        }
    }

    /// Findings go to standard output, troubles to the log.
    pub(super) fn tell(&mut self, journal: &Journal) {
        for finding in self.new_findings(journal.findings()) {
            say(self.shown(&finding));
        }
        for line in self.new_troubles(troubles(journal), Timestamp::now()) {
            tracing::warn!("{line}");
        }
    }

    fn new_findings(&mut self, found: Vec<Finding>) -> Vec<Finding> {
        let new = |finding: &Finding| self.findings.insert((finding.code, finding.place.clone()));
        found.into_iter().filter(new).collect()
    }

    fn shown(&self, finding: &Finding) -> String {
        let mut lines = finding_lines(finding);
        if let (Some(page), Some(n)) = (self.page, finding.exchanges.last()) {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "      page http://{page}/exchanges/{n}");
        }
        lines
    }

    fn new_troubles(&mut self, now_known: Vec<Trouble>, now: Timestamp) -> Vec<String> {
        let known: BTreeSet<_> = now_known.iter().map(key).collect();
        self.troubles.retain(|key, _| known.contains(key));
        let mut lines = Vec::new();
        let mut more = 0;
        for trouble in now_known {
            let told = self.troubles.get(&key(&trouble));
            let due = told.is_none_or(|said| {
                trouble.count > said.count
                    && now.duration_since(said.at).unsigned_abs() >= TROUBLE_REPEAT
            });
            if !due {
                continue;
            }
            if lines.len() == TROUBLE_LINES {
                more += 1;
                continue;
            }
            let times = match trouble.count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            lines.push(format!("{}{times}", trouble.sentence));
            let count = trouble.count;
            self.troubles.insert(key(&trouble), Said { count, at: now });
        }
        if more > 0 {
            lines.push(format!("{more} more troubles; the page has them"));
        }
        lines
    }
}

fn key(trouble: &Trouble) -> (TroubleKind, String) {
    (trouble.kind, trouble.sentence.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unserved(sentence: &str, count: u64) -> Trouble {
        Trouble {
            kind: TroubleKind::Unserved,
            sentence: sentence.to_owned(),
            count,
            connection: None,
            since: None,
        }
    }

    #[test]
    fn a_trouble_is_said_once_and_again_only_when_it_went_on_and_time_has_passed() {
        let mut teller = Teller::new(None);
        let begin = Timestamp::UNIX_EPOCH;
        let mut at = |count, time| teller.new_troubles(vec![unserved("no server", count)], time);
        assert_eq!(at(1, begin), ["no server"]);
        assert!(at(50, begin).is_empty());
        let later = begin + TROUBLE_REPEAT;
        assert_eq!(at(90, later), ["no server (90 times)"]);
        assert!(at(90, later + TROUBLE_REPEAT).is_empty());
    }

    #[test]
    fn many_troubles_at_once_are_counted_beyond_the_limit() {
        let mut teller = Teller::new(None);
        let many = (0..TROUBLE_LINES + 3).map(|n| unserved(&n.to_string(), 1));
        let lines = teller.new_troubles(many.collect(), Timestamp::UNIX_EPOCH);
        assert_eq!(lines.len(), TROUBLE_LINES + 1);
        assert!(lines[TROUBLE_LINES].starts_with("3 more"));
    }
}
