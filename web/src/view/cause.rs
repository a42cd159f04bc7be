//! Findings that one cause raises, together, and what each of them comes to.

use std::collections::HashMap;

use parallax_captures::catalog::{
    NUMBER_LOST_ON_TCP, OTHER_PARTITION_ASKED, TCP_FAILS_HTTP_ANSWERS,
};
use parallax_captures::verdict::{HttpRefusal, MirrorOutcome};
use parallax_captures::{Exchange, Finding, Journal};

/// The findings at one place, the gravest first: the first one is what to read.
pub(crate) struct Cause {
    pub(crate) place: String,
    pub(crate) findings: Vec<Finding>,
}

/// `findings` by their places, in the order in which the places come.
pub(crate) fn by_cause(findings: Vec<Finding>) -> Vec<Cause> {
    let mut causes = Vec::<Cause>::new();
    let mut index = HashMap::<String, usize>::new();
    for finding in findings {
        let at = *index.entry(finding.place.clone()).or_insert(causes.len());
        if at == causes.len() {
            causes.push(Cause {
                place: finding.place.clone(),
                findings: Vec::new(),
            });
        }
        causes[at].findings.push(finding);
    }
    for cause in &mut causes {
        // Of equal gravity the lower number tells more of the cause.
        let gravity = |finding: &Finding| (finding.description().severity, finding.code);
        cause.findings.sort_by_key(gravity);
    }
    causes
}

/// What a finding comes to here: the numbers, not the general title.
pub(crate) fn headline(journal: &Journal, finding: &Finding) -> String {
    let refused = || {
        let latest = finding.exchanges.iter().rev();
        latest.copied().find_map(|n| {
            let exchange = journal.exchange(n)?;
            let (partition, refusal) = same_refusal(&exchange)?;
            Some((partition, refusal.reason.clone(), exchange.error()?))
        })
    };
    let said = match finding.code {
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
    };
    let said = said.or_else(|| finding.evidence.first().cloned());
    capitalised(said.unwrap_or_else(|| finding.description().title.to_owned()))
}

fn capitalised(sentence: String) -> String {
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(letters).collect(),
        _ => sentence,
    }
}

/// The partition for which HTTP refuses with TCP's error, and its words.
fn same_refusal(exchange: &Exchange) -> Option<(u32, &HttpRefusal)> {
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
