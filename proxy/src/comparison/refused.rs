//! A poll that TCP refused, against HTTP.

use parallax_captures::poll::PollAnswer;
use parallax_captures::verdict::{
    Difference, HttpRefusal, MirrorAnswer, MirrorOutcome, VerdictKind,
};
use parallax_codec::ErrorCode;

use super::meaning::{self, Same};
use super::{Ground, Judgement, Questions, partition_of, partitions};

const UNDER_ANOTHER_CODE: &str =
    " The same failure under another code: what the poll names is not there.";

pub(super) fn judge(tcp: ErrorCode, questions: &Questions, answers: &[MirrorAnswer]) -> Judgement {
    let [poll, ..] = questions.polls.as_slice() else {
        let reason = "There was no partition to ask about.";
        return Judgement::new(VerdictKind::NotComparable, reason);
    };
    let refusals = || {
        answers.iter().filter_map(|answer| match &answer.outcome {
            MirrorOutcome::Refused(refusal) => Some((answer, refusal)),
            _ => None,
        })
    };
    let same = refusals().find_map(|(answer, refusal)| {
        let same = meaning::same(poll, tcp, refusal)?;
        Some((answer, refusal, same))
    });
    if let Some((answer, refusal, same)) = same {
        let mut judgement = if questions.ground == Ground::Probe {
            explained(tcp, answer, refusal, answers)
        } else {
            agree(tcp, answer, refusal, answers)
        };
        return match same {
            Same::Alike => judgement,
            Same::Known(known) => judgement.knowing([known]),
            Same::UnderAnotherCode => {
                judgement.reason += UNDER_ANOTHER_CODE;
                judgement
            }
        };
    }
    let failed = answers.iter().find_map(|answer| match &answer.outcome {
        MirrorOutcome::Failed(why) => Some(format!("{}: {why}", partition_of(answer))),
        MirrorOutcome::Refused(refusal) if meaning::is_servers_trouble(refusal) => {
            Some(format!("{}: {refusal}.", partition_of(answer)))
        }
        _ => None,
    });
    if let Some(failed) = failed {
        let reason = format!("TCP refused with {tcp}; HTTP could not answer: {failed}");
        return Judgement::new(VerdictKind::MirrorFailed, reason);
    }
    if answers.is_empty() {
        return Judgement::new(VerdictKind::MirrorFailed, "HTTP was not asked.");
    }
    let others: Vec<String> = refusals()
        .map(|(answer, refusal)| format!("{}: {refusal}", partition_of(answer)))
        .collect();
    match questions.ground {
        Ground::Probe => {
            let seen = if others.is_empty() {
                let ids = answered(answers);
                let answer = if ids.len() == 1 { "answers" } else { "answer" };
                format!("over HTTP {} {answer} First", partitions(&ids))
            } else {
                format!(
                    "over HTTP the same error is not to be had ({})",
                    others.join("; ")
                )
            };
            Judgement::new(
                VerdictKind::NotComparable,
                format!(
                    "TCP refused with {tcp}; {seen}. From which offset Next read is not known, so \
                     this is not the same question."
                ),
            )
        }
        Ground::SomePartitions => Judgement::new(
            VerdictKind::NotComparable,
            format!(
                "TCP refused with {tcp} and does not say for which partition. Over HTTP {} answer; \
                 whether the poll meant one of them is not known.",
                partitions(&answered(answers))
            ),
        ),
        Ground::SameQuestion | Ground::NextFrom(_) | Ground::EveryPartition | Ground::Contents => {
            diverge(tcp, answers, &others)
        }
    }
}

fn agree(
    tcp: ErrorCode,
    answer: &MirrorAnswer,
    refusal: &HttpRefusal,
    answers: &[MirrorAnswer],
) -> Judgement {
    let others = answered(answers);
    let others = match others.as_slice() {
        [] => String::new(),
        [_] => format!(" Over HTTP {} answers.", partitions(&others)),
        _ => format!(" Over HTTP {} answer.", partitions(&others)),
    };
    let reason = format!(
        "Both refuse: TCP with {tcp}, HTTP for {} with {}.{others}",
        partition_of(answer),
        refusal.to_string().trim_end_matches('.')
    );
    Judgement::new(VerdictKind::Agree, reason)
}

/// What the probe of a failed Next found. It never agrees: First is another
/// question.
fn explained(
    tcp: ErrorCode,
    answer: &MirrorAnswer,
    refusal: &HttpRefusal,
    answers: &[MirrorAnswer],
) -> Judgement {
    let found = match &refusal.reason {
        text if text.is_empty() => refusal.to_string(),
        text => text.trim_end_matches('.').to_owned(),
    };
    let others = answered(answers);
    let others = match others.as_slice() {
        [] => String::new(),
        [_] => format!("; {} answers", partitions(&others)),
        _ => format!("; {} answer", partitions(&others)),
    };
    let whom = match answers {
        [_] => partition_of(answer),
        _ => "each partition".to_owned(),
    };
    let reason = format!(
        "TCP refused with {tcp}. HTTP cannot be asked this Next, so First was asked of {whom}: {} \
         refuses with the same error, {found}{others}. That may be where Next failed.",
        partition_of(answer)
    );
    Judgement::new(VerdictKind::NotComparable, reason)
}

fn diverge(tcp: ErrorCode, answers: &[MirrorAnswer], others: &[String]) -> Judgement {
    let difference = |answer: &MirrorAnswer| Difference {
        field: format!("outcome ({})", partition_of(answer)),
        tcp: tcp.to_string(),
        http: match &answer.outcome {
            MirrorOutcome::Answered(body) => contents(body),
            MirrorOutcome::Refused(refusal) => refusal.to_string(),
            MirrorOutcome::Stored(_) => "a stored offset".to_owned(),
            MirrorOutcome::Failed(why) => why.clone(),
        },
    };
    let differences: Vec<Difference> = answers.iter().map(difference).collect();
    let reason = if others.is_empty() {
        let seen: Vec<String> = differences
            .iter()
            .zip(answers)
            .map(|(difference, answer)| format!("{}: {}", partition_of(answer), difference.http))
            .collect();
        format!(
            "TCP refused with {tcp}, and HTTP answers the same question ({}).",
            seen.join("; ")
        )
    } else {
        format!(
            "TCP refused with {tcp}, HTTP with another error ({}).",
            others.join("; ")
        )
    };
    Judgement::diverge(reason, differences)
}

/// The partitions that answered.
fn answered(answers: &[MirrorAnswer]) -> Vec<u32> {
    let mut ids: Vec<u32> = answers
        .iter()
        .filter_map(|answer| match &answer.outcome {
            MirrorOutcome::Answered(body) => Some(body.partition_id),
            _ => None,
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn contents(body: &PollAnswer) -> String {
    match body.messages.first() {
        Some(first) => format!(
            "{} messages, the first at offset {}",
            body.count, first.offset
        ),
        None => "no message".to_owned(),
    }
}
