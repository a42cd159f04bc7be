//! Findings that one cause raises, together, and what each of them comes to.

mod empty;
mod felt;

use std::collections::HashMap;

use parallax_captures::catalog::{
    NUMBER_LOST_ON_TCP, OTHER_PARTITION_ASKED, SAME_FAILURE_AGAIN, TCP_FAILS_HTTP_ANSWERS, rank,
};
use parallax_captures::verdict::{HttpRefusal, MirrorOutcome};
use parallax_captures::{Exchange, Finding, Journal, Severity, what_hinders};

pub(crate) use self::empty::{WAIT_FOR_A_MESSAGE, held_nothing};
pub(crate) use self::felt::{felt, times};

/// The findings at one place: the first one is what a user feels, or explains the others;
/// these say why.
pub(crate) struct Cause {
    /// Stream, topic, partition and reader, or what else the findings are about.
    pub(crate) place: String,
    pub(crate) findings: Vec<Finding>,
}

impl Cause {
    /// How grave the gravest of it is.
    pub(crate) fn severity(&self) -> Severity {
        let severities = self.findings.iter().map(|one| one.description().severity);
        severities.min().unwrap_or(Severity::Info)
    }

    /// The one that says what to do: the first one, or what explains it where that is only
    /// what a user feels.
    pub(crate) fn cure(&self) -> Option<&Finding> {
        let lead = self.findings.first()?;
        if what_hinders(lead.code).is_none() {
            return Some(lead);
        }
        let wrong = self.findings.iter().filter(|one| one.is_wrong());
        wrong.min_by_key(|one| rank(one.code)).or(Some(lead))
    }
}

/// `findings` by their places: the gravest cause first, else as they come.
pub(crate) fn by_cause(findings: Vec<Finding>) -> Vec<Cause> {
    let mut causes = Vec::<Cause>::new();
    let mut index = HashMap::<String, usize>::new();
    for finding in findings {
        let place = reader(&finding.place).to_owned();
        let at = *index.entry(place.clone()).or_insert(causes.len());
        if at == causes.len() {
            causes.push(Cause {
                place,
                findings: Vec::new(),
            });
        }
        causes[at].findings.push(finding);
    }
    for cause in &mut causes {
        // Of equal gravity first what a user feels; else what explains the others.
        let gravity = |finding: &Finding| {
            let severity = finding.description().severity;
            let is_felt = what_hinders(finding.code).is_some();
            (severity, !is_felt, rank(finding.code), finding.code)
        };
        cause.findings.sort_by_key(gravity);
    }
    causes.sort_by_key(Cause::severity);
    causes
}

/// Of a reader's place no more than the reader: not what it asked, and how it was
/// refused.
fn reader(place: &str) -> &str {
    let kinds = [", group ", ", consumer "];
    let Some(kind) = kinds.iter().filter_map(|kind| place.find(kind)).min() else {
        return place;
    };
    let end = place[kind..].find(": ").map(|end| kind + end);
    &place[..end.unwrap_or(place.len())]
}

/// What a finding comes to here: the numbers, not the general title.
pub(crate) fn headline(journal: &Journal, finding: &Finding) -> String {
    let said = plainly(journal, finding).or_else(|| finding.evidence.first().cloned());
    capitalised(said.unwrap_or_else(|| finding.description().title.to_owned()))
}

/// What some findings come to, more plainly than their evidence says it.
fn plainly(journal: &Journal, finding: &Finding) -> Option<String> {
    let refused = || {
        let latest = finding.exchanges.iter().rev();
        latest.copied().find_map(|n| {
            let exchange = journal.exchange(n)?;
            let (partition, refusal) = same_refusal(&exchange)?;
            Some((partition, refusal.reason.clone(), exchange.error()?))
        })
    };
    match finding.code {
        NUMBER_LOST_ON_TCP => refused().map(|(partition, reason, error)| {
            format!("Partition {partition}: HTTP says \"{reason}\" where TCP says {error} alone")
        }),
        OTHER_PARTITION_ASKED => refused().map(|(partition, reason, _)| {
            format!(
                "HTTP refuses partition {partition} (\"{reason}\") and answers for the one that it \
                 asks when none is named"
            )
        }),
        TCP_FAILS_HTTP_ANSWERS => match finding.evidence.as_slice() {
            [tcp, http, ..] => Some(format!("{tcp}; {http}")),
            _ => None,
        },
        _ => None,
    }
}

/// What was seen, with its numbers, where [`felt`] says no more than the title.
pub(crate) fn seen_of<'a>(journal: &Journal, finding: &'a Finding) -> Option<&'a str> {
    let is_told = finding.code == SAME_FAILURE_AGAIN || plainly(journal, finding).is_some();
    finding
        .evidence
        .first()
        .map(String::as_str)
        .filter(|_| !is_told)
}

pub(crate) fn capitalised(sentence: String) -> String {
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(letters).collect(),
        _ => sentence,
    }
}

/// The partition for which HTTP refuses with TCP's error, and its words.
pub(super) fn same_refusal(exchange: &Exchange) -> Option<(u32, &HttpRefusal)> {
    let answers = &exchange.verdict.as_ref()?.answers;
    answers.iter().find_map(|answer| match &answer.outcome {
        MirrorOutcome::Refused(refusal)
            if refusal.code == exchange.error() && !refusal.reason.is_empty() =>
        {
            Some((answer.partition_id?, refusal))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_is_one_place_whatever_it_asked() {
        for (place, whose) in [
            (
                "otel/metrics, group sink: next, 4100 invalid_offset",
                "otel/metrics, group sink",
            ),
            (
                "otel/metrics/2, consumer 7: first, at 3",
                "otel/metrics/2, consumer 7",
            ),
            ("otel/metrics, group sink", "otel/metrics, group sink"),
            (
                "connection 3, login_user, 42 what: ever",
                "connection 3, login_user, 42 what: ever",
            ),
        ] {
            assert_eq!(reader(place), whose);
        }
    }
}
