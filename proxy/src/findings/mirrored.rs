//! PX101, PX102, PX104: what HTTP adds to a poll that TCP refused; PX105: any
//! other difference.

use parallax_captures::catalog::{
    ANSWERS_DIFFER, NUMBER_LOST_ON_TCP, OTHER_PARTITION_ASKED, TCP_FAILS_HTTP_ANSWERS,
};
use parallax_captures::poll::{Poll, PollAnswer};
use parallax_captures::verdict::{AskedBy, HttpRefusal, MirrorAnswer, MirrorOutcome, VerdictKind};
use parallax_captures::{Exchange, Finding, FindingCode, Verdict};
use parallax_codec::ErrorCode;
use parallax_codec::primitives::{ConsumerKind, PollingKind};

use super::codes;
use super::place::{failure_place, question_place, what_failed};

/// Differences that a finding's evidence lists; the exchange's page has them all.
const DIFFERENCES_TOLD: usize = 5;

/// Every divergence raises one finding at least.
pub(super) fn findings(exchange: &Exchange, verdict: &Verdict) -> Vec<Finding> {
    let mut findings = of_a_refusal(exchange, verdict);
    findings.extend(codes::masked(exchange, verdict));
    findings.extend(codes::other_code(exchange, verdict));
    findings.extend(codes::numeric_name(exchange, verdict));
    if findings.is_empty() && verdict.kind == VerdictKind::Diverge {
        findings.push(answers_differ(exchange, verdict));
    }
    findings
}

/// PX105.
fn answers_differ(exchange: &Exchange, verdict: &Verdict) -> Finding {
    let place = if exchange.error().is_some() {
        failure_place(exchange)
    } else {
        let reply = exchange.poll_answer();
        question_place(exchange, reply.map(|answer| answer.partition_id))
    };
    let differences = verdict.differences.iter().take(DIFFERENCES_TOLD);
    let told = differences.map(|difference| {
        format!(
            "{}: TCP {}, HTTP {}",
            difference.field, difference.tcp, difference.http
        )
    });
    let mut evidence = vec![verdict.reason.clone()];
    evidence.extend(told);
    let more = verdict.differences.len().saturating_sub(DIFFERENCES_TOLD);
    if more > 0 {
        evidence.push(format!(
            "{more} more differences are shown with the exchange"
        ));
    }
    let time = exchange.times.request_first;
    Finding::new(ANSWERS_DIFFER, place, exchange.n, time, evidence)
}

fn of_a_refusal(exchange: &Exchange, verdict: &Verdict) -> Vec<Finding> {
    let (Some(tcp), Some(poll)) = (exchange.error(), exchange.poll()) else {
        return Vec::new();
    };
    let failed = format!("TCP: {} was refused with {tcp}", what_failed(exchange));
    let seen = [
        answered_over_http(verdict).map(|evidence| (TCP_FAILS_HTTP_ANSWERS, evidence)),
        number_over_http(&poll, tcp, verdict).map(|evidence| (NUMBER_LOST_ON_TCP, evidence)),
        other_partition(&poll, tcp, verdict).map(|evidence| (OTHER_PARTITION_ASKED, evidence)),
    ];
    let finding = |(code, evidence): (FindingCode, Vec<String>)| {
        let evidence = [vec![failed.clone()], evidence].concat();
        let time = exchange.times.request_first;
        Finding::new(code, failure_place(exchange), exchange.n, time, evidence)
    };
    seen.into_iter().flatten().map(finding).collect()
}

/// PX101. The verdict says that the question was fair.
fn answered_over_http(verdict: &Verdict) -> Option<Vec<String>> {
    let answers: Vec<String> = answered(verdict)
        .map(|(answer, body)| shown(answer, body))
        .collect();
    let all = answers.len() == verdict.answers.len() && !answers.is_empty();
    (verdict.kind == VerdictKind::Diverge && all).then_some(answers)
}

/// PX102.
fn number_over_http(poll: &Poll, tcp: ErrorCode, verdict: &Verdict) -> Option<Vec<String>> {
    if !tcp.has_argument() || repeats_the_request(tcp) {
        return None;
    }
    let same = |(_, refusal): &(&MirrorAnswer, &HttpRefusal)| {
        refusal.code == Some(tcp) && !refusal.reason.is_empty()
    };
    let (answer, refusal) = refused(verdict).find(same)?;
    let mut evidence = vec![format!(
        "HTTP{}, {}: {refusal}",
        by(answer),
        partition(answer.partition_id)
    )];
    evidence.extend(answered(verdict).map(|(answer, body)| shown(answer, body)));
    if is_probe(poll) {
        evidence.push(format!(
            "HTTP was asked for First, not for Next: {} is the likely one that Next failed on",
            partition(answer.partition_id)
        ));
    }
    Some(evidence)
}

/// Whether the text of this error over HTTP names nothing but what was asked for:
/// the stream, topic, partition, group or consumer that is not there.
fn repeats_the_request(code: ErrorCode) -> bool {
    matches!(
        code.0,
        20 | 1009 | 1010 | 2010 | 2011 | 3007 | 3021 | 5000..=5009
    )
}

/// PX104. Only a group's poll may be about another partition than the default.
fn other_partition(poll: &Poll, tcp: ErrorCode, verdict: &Verdict) -> Option<Vec<String>> {
    if poll.partition_id.is_some() || poll.consumer_kind != ConsumerKind::Group {
        return None;
    }
    let default = answered(verdict)
        .filter(|(answer, _)| matches!(answer.partition_id, None | Some(0)))
        .min_by_key(|(answer, _)| answer.partition_id)?;
    let refused_for = |(answer, refusal): &(&MirrorAnswer, &HttpRefusal)| {
        refusal.code == Some(tcp) && answer.partition_id.is_some_and(|id| id != 0)
    };
    let (refusing, refusal) = refused(verdict).find(refused_for)?;
    let (answer, body) = default;
    Some(vec![
        "the poll names no partition: the server gives a group's member its partitions in turn"
            .to_owned(),
        shown(answer, body),
        format!(
            "HTTP{}, {}: {refusal}. That is the partition to look at{}",
            by(refusing),
            partition(refusing.partition_id),
            if is_probe(poll) {
                ": the likely one, for HTTP was asked for First, not for Next"
            } else {
                ""
            }
        ),
    ])
}

/// Whether HTTP was asked another question than the client (a failed Next cannot
/// be asked, so First is).
fn is_probe(poll: &Poll) -> bool {
    poll.strategy == PollingKind::Next
}

fn answered(verdict: &Verdict) -> impl Iterator<Item = (&MirrorAnswer, &PollAnswer)> {
    verdict
        .answers
        .iter()
        .filter_map(|answer| match &answer.outcome {
            MirrorOutcome::Answered(body) => Some((answer, body)),
            _ => None,
        })
}

fn refused(verdict: &Verdict) -> impl Iterator<Item = (&MirrorAnswer, &HttpRefusal)> {
    verdict
        .answers
        .iter()
        .filter_map(|answer| match &answer.outcome {
            MirrorOutcome::Refused(refusal) => Some((answer, refusal)),
            _ => None,
        })
}

fn shown(answer: &MirrorAnswer, body: &PollAnswer) -> String {
    let named = match answer.partition_id {
        Some(id) => format!("partition {id}"),
        None => format!("no partition named, so partition {}", body.partition_id),
    };
    let first = body.messages.first().map_or_else(
        || "no message".to_owned(),
        |message| format!("first offset {}", message.offset),
    );
    format!("HTTP{}, {named}: answered, {first}", by(answer))
}

fn partition(id: Option<u32>) -> String {
    id.map_or_else(
        || "no partition named".to_owned(),
        |id| format!("partition {id}"),
    )
}

/// In a capture, which exchange.
fn by(answer: &MirrorAnswer) -> String {
    match answer.asked_by {
        AskedBy::Mirror => String::new(),
        AskedBy::Capture(n) => format!(" (exchange {n})"),
    }
}
