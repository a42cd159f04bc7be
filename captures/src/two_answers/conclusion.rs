//! What a comparison comes to, in one line: what a person is to read first.

use super::{Aligned, TwoAnswers, http_messages, messages};
use crate::exchange::Exchange;
use crate::poll::PolledMessage;
use crate::verdict::{HttpRefusal, MirrorAnswer, MirrorOutcome, TcpOutcome, Verdict, VerdictKind};

/// What the two answers come to, in a clause: `TCP began at 15, HTTP at 5: 10 offsets
/// skipped`. `None` where there is no more to say than the verdict's name.
pub fn conclusion(exchange: &Exchange, verdict: &Verdict) -> Option<String> {
    let two = TwoAnswers::in_exchange(exchange, verdict);
    let tcp = TcpOutcome::of(exchange).ok();
    let answers = verdict.answers.as_slice();
    match verdict.kind {
        VerdictKind::Diverge => match (&tcp, answers) {
            (Some(tcp), [http]) => two.map(|two| of_two(tcp, http, &two, verdict)),
            (Some(TcpOutcome::Refused(code)), [_, ..]) => Some(format!(
                "TCP refused with {code}, HTTP with it for no partition"
            )),
            _ => None,
        },
        VerdictKind::Stale => match (&tcp, answers) {
            (Some(tcp), [http]) => Some(numbers(messages(tcp), http_messages(http))),
            _ => None,
        },
        VerdictKind::Transient => {
            Some("TCP and HTTP differed, and agreed when both were asked again".to_owned())
        }
        VerdictKind::NotComparable => culprit(exchange, verdict)
            .map(|partition| format!("over HTTP the same error at partition {partition}")),
        VerdictKind::Agree | VerdictKind::MirrorFailed => None,
    }
}

/// The offset at which a Next was to begin, where the verdict knows it and the poll did
/// not begin there.
pub fn expected_start(verdict: &Verdict) -> Option<u64> {
    let began = |one: &&crate::verdict::Difference| one.field == "messages[0].offset";
    let owed = &verdict.differences.iter().find(began)?.http;
    owed.split(',').next()?.parse().ok()
}

/// Whether HTTP refuses with the error that TCP gave.
pub fn refuses_alike(exchange: &Exchange, answer: &MirrorAnswer) -> bool {
    match &answer.outcome {
        MirrorOutcome::Refused(refusal) => {
            refusal.code.is_some() && refusal.code == exchange.error()
        }
        _ => false,
    }
}

/// The one partition for which HTTP refuses with the error that TCP gave.
fn culprit(exchange: &Exchange, verdict: &Verdict) -> Option<u32> {
    let alike = |answer: &&MirrorAnswer| refuses_alike(exchange, answer);
    let mut alike = verdict.answers.iter().filter(alike);
    let first = alike.next()?.partition_id?;
    alike.next().is_none().then_some(first)
}

fn of_two(tcp: &TcpOutcome, http: &MirrorAnswer, two: &TwoAnswers, verdict: &Verdict) -> String {
    let (here, there) = (messages(tcp), http_messages(http));
    match (tcp, &http.outcome) {
        (TcpOutcome::Answered(_), MirrorOutcome::Refused(refusal)) => {
            format!(
                "TCP gave {}, HTTP refused with {}",
                number(here),
                words(refusal)
            )
        }
        (TcpOutcome::Refused(code), MirrorOutcome::Refused(refusal)) => {
            format!("TCP refused with {code}, HTTP with {}", words(refusal))
        }
        (TcpOutcome::Refused(code), _) => {
            format!(
                "TCP refused with {code}, HTTP answered with {}",
                number(there)
            )
        }
        (TcpOutcome::Answered(_), _) if here.is_empty() != there.is_empty() => numbers(here, there),
        (TcpOutcome::Answered(_), _) => {
            began_elsewhere(here, there, verdict).unwrap_or_else(|| of_messages(two, here, there))
        }
    }
}

fn began_elsewhere(
    here: &[PolledMessage],
    there: &[PolledMessage],
    verdict: &Verdict,
) -> Option<String> {
    let (tcp, http) = (here.first()?.offset, there.first()?.offset);
    match expected_start(verdict) {
        Some(owed) if tcp < owed => Some(format!("TCP began at {tcp}, before {owed}")),
        _ if http < tcp => {
            let skipped = match tcp - http {
                1 => "1 offset".to_owned(),
                more => format!("{more} offsets"),
            };
            Some(format!(
                "TCP began at {tcp}, HTTP at {http}: {skipped} skipped"
            ))
        }
        _ if tcp < http => Some(format!("TCP began at {tcp}, HTTP at {http}")),
        _ => None,
    }
}

fn of_messages(two: &TwoAnswers, here: &[PolledMessage], there: &[PolledMessage]) -> String {
    let counted = two.counted();
    if let Some(at) = two.messages.iter().find_map(|one| match one {
        Aligned::Differs { offset, .. } => Some(offset),
        _ => None,
    }) {
        return match counted.differ {
            1 => format!("the message at offset {at} is not the same"),
            more => format!("{more} messages are not the same, from offset {at} on"),
        };
    }
    let lacking = two.messages.iter().find_map(|one| match one {
        Aligned::OnlyTcp(range) => Some((&here[range.clone()], "missing over HTTP")),
        Aligned::OnlyHttp(range) => Some((&there[range.clone()], "missing on TCP")),
        _ => None,
    });
    if let Some(([first, .., last], missing)) = lacking {
        return format!("offsets {} to {} are {missing}", first.offset, last.offset);
    }
    if let Some(([one], missing)) = lacking {
        return format!("offset {} is {missing}", one.offset);
    }
    let differs = |field: &&super::ComparedField| field.comparable && !field.equal;
    match two.fields.iter().find(differs) {
        Some(field) => {
            let said = |side: &Option<String>| side.clone().unwrap_or_else(|| "none".to_owned());
            format!(
                "{}: TCP {}, HTTP {}",
                field.name,
                said(&field.tcp),
                said(&field.http)
            )
        }
        None => counted.words(),
    }
}

fn numbers(here: &[PolledMessage], there: &[PolledMessage]) -> String {
    let from = |messages: &[PolledMessage]| match messages.first() {
        Some(first) => format!(" from offset {} on", first.offset),
        None => String::new(),
    };
    format!(
        "TCP gave {}{}, HTTP {}{}",
        number(here),
        from(here),
        number(there),
        from(there)
    )
}

fn number(messages: &[PolledMessage]) -> String {
    match messages.len() {
        0 => "no message".to_owned(),
        1 => "1 message".to_owned(),
        more => format!("{more} messages"),
    }
}

fn words(refusal: &HttpRefusal) -> String {
    let code = match refusal.code {
        Some(code) => code.to_string(),
        None => refusal.http_status.to_string(),
    };
    match refusal.reason.trim_end_matches('.') {
        "" => code,
        reason => format!("{code}: {reason}"),
    }
}
