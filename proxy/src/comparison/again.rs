//! Both sides asked once more after they differed: TCP, HTTP, TCP again, so that
//! a log that moved meanwhile shows between TCP's two answers.

use std::collections::HashSet;
use std::slice::from_ref;

use jiff::Timestamp;
use parallax_captures::poll::{Poll, PollAnswer};
use parallax_captures::verdict::{
    AskedAgain, Difference, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome, Verdict,
    VerdictKind,
};

use super::answered::summary;
use super::kept::{keep_little, keep_little_of_tcp};
use super::overlap::Overlap;
use super::{Ground, Judgement, Questions, When, judgement, meaning};

/// What both sides answered when they were asked once more, one answer for each
/// question.
#[derive(Debug)]
pub struct Again {
    /// When TCP was asked first.
    pub time: Timestamp,
    /// What it answered.
    pub tcp_before: Vec<TcpAnswer>,
    /// What HTTP answered then.
    pub answers: Vec<MirrorAnswer>,
    /// What TCP answered after that.
    pub tcp_after: Vec<TcpAnswer>,
}

/// Whether both sides are to be asked again: they differ, and the question is one
/// that both can be asked. A message that HTTP did not have, or had another in its
/// place, counts as a difference too: it may be gone, or HTTP does not show it (case
/// A5).
pub fn asks_again(tcp: &TcpOutcome, questions: &Questions, first: &Verdict) -> bool {
    let is_fair = !matches!(questions.ground, Ground::Probe | Ground::SomePartitions);
    let differs = match first.kind {
        VerdictKind::Diverge | VerdictKind::Stale => true,
        VerdictKind::NotComparable => first.answers.iter().any(|http| is_missing(http, tcp)),
        _ => false,
    };
    is_fair && differs
}

/// The first verdict, where both sides could not be asked again, for this reason.
/// What a purge or a deletion between the two answers would look like is no
/// divergence then.
pub fn not_asked_again(tcp: &TcpOutcome, first: Verdict, why: &str) -> Verdict {
    let basis = format!("{} TCP could not be asked again: {why}.", first.basis);
    if !may_have_begun_anew(tcp, &first) {
        return Verdict { basis, ..first };
    }
    Verdict {
        kind: VerdictKind::NotComparable,
        reason: format!(
            "{} That is what a purge or a deletion between the two looks like too, and both could \
             not be asked again.",
            first.reason
        ),
        differences: Vec::new(),
        basis,
        ..first
    }
}

/// The verdict from the first answers and the second ones.
pub fn judge_again(
    tcp: &TcpOutcome,
    questions: &Questions,
    first: Verdict,
    mut again: Again,
) -> Verdict {
    let before_and_after = again.tcp_before.iter().zip(&again.tcp_after);
    let pairs = questions.polls.iter().zip(&again.answers);
    let second = pairs
        .zip(before_and_after)
        .map(|((question, http), (before, after))| {
            between(question, again.time, &before.outcome, http, &after.outcome)
        })
        .reduce(graver);
    let Some(second) = second else {
        return first;
    };
    let is_elsewhere = began_elsewhere(tcp, questions, &again.answers);
    let (kind, reason) = conclusion(&first, &second, is_elsewhere);
    keep_little(tcp, &mut again.answers);
    keep_little_of_tcp(tcp, &mut again.tcp_before);
    keep_little_of_tcp(tcp, &mut again.tcp_after);
    let differences = match (kind, first.kind) {
        (VerdictKind::Diverge, VerdictKind::Diverge) => first.differences,
        (VerdictKind::Diverge, _) => second.differences.clone(),
        _ => Vec::new(),
    };
    let mut known = first.known;
    let new = second.known.iter().filter(|one| !known.contains(one));
    let new: Vec<_> = new.copied().collect();
    known.extend(new);
    Verdict {
        kind,
        reason,
        differences,
        known,
        asked_again: Some(Box::new(AskedAgain {
            kind: second.kind,
            reason: second.reason,
            differences: second.differences,
            tcp_before: again.tcp_before,
            answers: again.answers,
            tcp_after: again.tcp_after,
        })),
        ..first
    }
}

/// Whether all that differs is what the log's beginning anew, or its deletion, would
/// change.
fn may_have_begun_anew(tcp: &TcpOutcome, first: &Verdict) -> bool {
    let TcpOutcome::Answered(tcp) = tcp else {
        return false;
    };
    let is_gone = |answer: &MirrorAnswer| match &answer.outcome {
        MirrorOutcome::Refused(refusal) => meaning::is_about_the_topic(refusal),
        _ => false,
    };
    let ends_earlier = first
        .differences
        .iter()
        .all(|one| one.field == "current_offset");
    let is_deleted = tcp.messages.is_empty() && first.answers.iter().any(is_gone);
    first.kind == VerdictKind::Diverge && (ends_earlier || is_deleted)
}

/// What both rounds come to together.
fn conclusion(first: &Verdict, second: &Judgement, is_elsewhere: bool) -> (VerdictKind, String) {
    let (before, then) = (&first.reason, &second.reason);
    match second.kind {
        VerdictKind::Agree if is_elsewhere && first.kind == VerdictKind::Diverge => (
            VerdictKind::Diverge,
            format!(
                "{before} Asked again by that offset, TCP and HTTP have the same there: it is where \
                 Next began that differs."
            ),
        ),
        VerdictKind::Agree => (
            VerdictKind::Transient,
            format!("Asked again, both agree. {then} At first they did not. {before}"),
        ),
        VerdictKind::Stale if first.kind == VerdictKind::Stale => (
            VerdictKind::Stale,
            format!("{before} Asked again, one is still ahead of the other: {then}"),
        ),
        VerdictKind::Stale => (
            VerdictKind::Transient,
            format!(
                "Asked again, nothing differs but that the log went on. {then} At first: {before}"
            ),
        ),
        VerdictKind::Diverge if first.kind != VerdictKind::Diverge => (
            VerdictKind::Diverge,
            format!("Asked again, both sides differ: {then} At first: {before}"),
        ),
        VerdictKind::Diverge if same_way(&first.differences, &second.differences) => (
            VerdictKind::Diverge,
            format!("{before} Asked again, both differ in the same way."),
        ),
        VerdictKind::Diverge => (
            VerdictKind::Diverge,
            format!("{before} Asked again, they differ in another way: {then}"),
        ),
        VerdictKind::MirrorFailed => (
            first.kind,
            format!("{before} Asked again, HTTP could not answer: {then}"),
        ),
        VerdictKind::NotComparable | VerdictKind::Transient => (
            VerdictKind::NotComparable,
            format!("Nothing is claimed. Asked again: {then} At first: {before}"),
        ),
    }
}

/// One question to both sides: HTTP's answer between two of TCP's.
fn between(
    question: &Poll,
    time: Timestamp,
    before: &TcpOutcome,
    http: &MirrorAnswer,
    after: &TcpOutcome,
) -> Judgement {
    let change = Change::of(before, after);
    if let Change::Moved(how) = change {
        let reason = format!("TCP's two answers differ, so the log moved meanwhile: {how}.");
        return Judgement::new(VerdictKind::NotComparable, reason);
    }
    if let Some(kept_back) = kept_back(before, http, after).or_else(|| replaced(before, http)) {
        return kept_back;
    }
    let questions = Questions {
        ground: Ground::SameQuestion,
        polls: vec![question.clone()],
        basis: String::new(),
    };
    let judge = |tcp: &TcpOutcome, http_is_later| {
        let when = When {
            tcp: time,
            http_is_later,
        };
        judgement(question, tcp, when, &questions, from_ref(http))
    };
    let judged = judge(before, true);
    if change == Change::Grew && judged.kind == VerdictKind::Diverge {
        let later = judge(after, false);
        if later.kind != VerdictKind::Diverge {
            let reason = "The log grew between TCP's two answers, and HTTP's fits between them.";
            return Judgement::new(VerdictKind::Stale, reason);
        }
    }
    judged
}

/// How TCP's second answer is to its first.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    /// The same messages, or the same error.
    Same,
    /// The first is the beginning of the second.
    Grew,
    /// Anything else; how, in words.
    Moved(String),
}

impl Change {
    fn of(before: &TcpOutcome, after: &TcpOutcome) -> Self {
        let (before, after) = match (before, after) {
            (TcpOutcome::Answered(before), TcpOutcome::Answered(after)) => (before, after),
            (TcpOutcome::Refused(before), TcpOutcome::Refused(after)) if before == after => {
                return Self::Same;
            }
            _ => return Self::Moved(format!("{}, then {}", told(before), told(after))),
        };
        if after.current_offset < before.current_offset {
            let (from, to) = (before.current_offset, after.current_offset);
            return Self::Moved(format!("its end went from offset {from} back to {to}"));
        }
        let overlap = Overlap::of(&before.messages, &after.messages, true);
        let is_prefix = overlap.differences.is_empty() && overlap.gone.is_none();
        match before.messages.len().cmp(&after.messages.len()) {
            std::cmp::Ordering::Equal if is_prefix => Self::Same,
            std::cmp::Ordering::Less if is_prefix => Self::Grew,
            _ => Self::Moved(format!("{}, then {}", messages(before), messages(after))),
        }
    }
}

/// Whether HTTP lacks a message that TCP gave, or has another in its place, though
/// both speak of one partition.
fn is_missing(answer: &MirrorAnswer, tcp: &TcpOutcome) -> bool {
    let (MirrorOutcome::Answered(http), TcpOutcome::Answered(tcp)) = (&answer.outcome, tcp) else {
        return false;
    };
    let there: HashSet<(u64, u128)> = http.messages.iter().map(|m| (m.offset, m.id)).collect();
    let is_missing = tcp
        .messages
        .iter()
        .any(|m| !there.contains(&(m.offset, m.id)));
    is_missing && (http.partition_id == tcp.partition_id || super::is_blank(http))
}

/// Messages that TCP has before and after HTTP was asked, and HTTP has not: they
/// are not gone. At HTTP's end that is a shorter answer, which is another matter.
fn kept_back(before: &TcpOutcome, http: &MirrorAnswer, after: &TcpOutcome) -> Option<Judgement> {
    let (TcpOutcome::Answered(before), TcpOutcome::Answered(after)) = (before, after) else {
        return None;
    };
    let MirrorOutcome::Answered(answer) = &http.outcome else {
        return None;
    };
    let (there, still) = (offsets(answer), offsets(after));
    let end = there.iter().max();
    let lacking: Vec<u64> = before
        .messages
        .iter()
        .map(|message| message.offset)
        .filter(|offset| still.contains(offset) && !there.contains(offset))
        .filter(|offset| end.is_none_or(|end| offset < end))
        .collect();
    let (first, last) = (lacking.first()?, lacking.last()?);
    let difference = Difference {
        field: "messages".to_owned(),
        tcp: format!("offsets {first} to {last}, before and after HTTP was asked"),
        http: match answer.messages.first() {
            Some(message) => format!("from offset {}", message.offset),
            None => "none".to_owned(),
        },
    };
    let reason = format!(
        "HTTP does not have offsets {first} to {last}, which TCP gave before and after HTTP was \
         asked: they are not gone."
    );
    Some(Judgement::diverge(reason, vec![difference]))
}

/// Other messages at the offsets of TCP's: the log was not begun anew, for TCP has
/// its own still.
fn replaced(before: &TcpOutcome, http: &MirrorAnswer) -> Option<Judgement> {
    let (TcpOutcome::Answered(before), MirrorOutcome::Answered(http)) = (before, &http.outcome)
    else {
        return None;
    };
    let overlap = Overlap::of(&before.messages, &http.messages, true);
    overlap
        .begun_anew
        .then(|| Judgement::diverge(summary(&overlap.differences), overlap.differences))
}

/// Whether the client's Next began at another offset than the one it owed.
fn began_elsewhere(tcp: &TcpOutcome, questions: &Questions, again: &[MirrorAnswer]) -> bool {
    let TcpOutcome::Answered(tcp) = tcp else {
        return false;
    };
    let there = again.first().and_then(|answer| match &answer.outcome {
        MirrorOutcome::Answered(http) => http.messages.first(),
        _ => None,
    });
    let (Some(here), Some(there)) = (tcp.messages.first(), there) else {
        return false;
    };
    matches!(questions.ground, Ground::NextFrom(_)) && here.offset != there.offset
}

/// Of several partitions, what decides.
fn graver(one: Judgement, other: Judgement) -> Judgement {
    let rank = |judgement: &Judgement| match judgement.kind {
        VerdictKind::MirrorFailed => 0,
        VerdictKind::Diverge => 1,
        VerdictKind::NotComparable | VerdictKind::Transient => 2,
        VerdictKind::Stale => 3,
        VerdictKind::Agree => 4,
    };
    if rank(&other) < rank(&one) {
        other
    } else {
        one
    }
}

/// Whether a field that differs in the one differs in the other.
fn same_way(first: &[Difference], second: &[Difference]) -> bool {
    let fields: HashSet<&str> = first.iter().map(|one| one.field.as_str()).collect();
    second.iter().any(|one| fields.contains(one.field.as_str()))
}

fn offsets(answer: &PollAnswer) -> HashSet<u64> {
    answer.messages.iter().map(|m| m.offset).collect()
}

fn told(outcome: &TcpOutcome) -> String {
    match outcome {
        TcpOutcome::Answered(answer) => messages(answer),
        TcpOutcome::Refused(code) => code.to_string(),
    }
}

fn messages(answer: &PollAnswer) -> String {
    match answer.messages.as_slice() {
        [] => "no message".to_owned(),
        [one] => format!("the message at offset {}", one.offset),
        [first, .., last] => format!("messages at offsets {} to {}", first.offset, last.offset),
    }
}
