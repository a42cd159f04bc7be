//! What failed, told apart by code: PX106, a failure that TCP shows as an empty
//! answer; PX107, one failure under two codes; PX108, a name that HTTP reads as a
//! number; PX901, an instrument that is not let in.

use parallax_captures::catalog::{
    MASKED_ERROR, MIRROR_UNAUTHENTICATED, NUMERIC_NAME, OTHER_CODE_SAME_FAILURE,
};
use parallax_captures::poll::Poll;
use parallax_captures::verdict::{HttpRefusal, MirrorAnswer, MirrorOutcome, VerdictKind};
use parallax_captures::{Exchange, Finding, FindingCode, Verdict};
use parallax_codec::primitives::Identifier;

use super::place::{failure_place, question_place};
use crate::comparison::is_under_another_code;

/// PX106. In the place of PX105.
pub(super) fn masked(exchange: &Exchange, verdict: &Verdict) -> Option<Finding> {
    let answer = exchange.poll_answer()?;
    let (asked, refusal) = refused(verdict)?;
    let is_masked = verdict.kind == VerdictKind::Diverge && answer.messages.is_empty();
    is_masked.then(|| {
        let (partition, current) = (answer.partition_id, answer.current_offset);
        let id = asked.partition_id.map_or_else(
            || "no partition named".to_owned(),
            |id| format!("partition {id}"),
        );
        let evidence = vec![
            format!("TCP: status 0, no message, partition {partition}, current offset {current}"),
            format!("HTTP, {id}: {refusal}"),
        ];
        finding(MASKED_ERROR, exchange, Some(partition), evidence)
    })
}

/// PX107.
pub(super) fn other_code(exchange: &Exchange, verdict: &Verdict) -> Option<Finding> {
    let tcp = exchange.error()?;
    let (_, refusal) = refused(verdict)?;
    let is_same = verdict.kind == VerdictKind::Agree && is_under_another_code(tcp, refusal);
    is_same.then(|| {
        let evidence = vec![
            format!("TCP: {tcp}"),
            format!("HTTP: {refusal}"),
            "both say that what the poll names is not there".to_owned(),
        ];
        let time = exchange.times.request_first;
        Finding::new(
            OTHER_CODE_SAME_FAILURE,
            failure_place(exchange),
            exchange.n,
            time,
            evidence,
        )
    })
}

/// PX108.
pub(super) fn numeric_name(exchange: &Exchange, verdict: &Verdict) -> Option<Finding> {
    if verdict.kind != VerdictKind::NotComparable || !verdict.answers.is_empty() {
        return None;
    }
    let poll = exchange.poll()?;
    let (what, name) = numeric(&poll)?;
    let evidence = vec![
        format!("the client names the {what} \"{name}\", by kind 2, a name"),
        format!("over HTTP /{name} is the {what} with the number {name}: another, or none"),
    ];
    Some(finding(NUMERIC_NAME, exchange, None, evidence))
}

/// PX901: of one user, in whatever words `whom` names it.
pub(super) fn unauthenticated(exchange: &Exchange, whom: &str, why: &str) -> Finding {
    let place = format!("the mirror, with the {whom}");
    let time = exchange.times.request_first;
    let evidence = vec![why.to_owned()];
    Finding::new(MIRROR_UNAUTHENTICATED, place, exchange.n, time, evidence)
}

fn finding(
    code: FindingCode,
    exchange: &Exchange,
    partition: Option<u32>,
    evidence: Vec<String>,
) -> Finding {
    let place = question_place(exchange, partition);
    let time = exchange.times.request_first;
    Finding::new(code, place, exchange.n, time, evidence)
}

fn refused(verdict: &Verdict) -> Option<(&MirrorAnswer, &HttpRefusal)> {
    verdict
        .answers
        .iter()
        .find_map(|answer| match &answer.outcome {
            MirrorOutcome::Refused(refusal) => Some((answer, refusal)),
            _ => None,
        })
}

fn numeric(poll: &Poll) -> Option<(&'static str, &Identifier)> {
    [("stream", &poll.stream), ("topic", &poll.topic)]
        .into_iter()
        .find(|(_, name)| name.is_numeric_name())
}
