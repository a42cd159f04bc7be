//! Where a Next was to begin, learned by asking after it: the offset that is stored
//! for whoever polled.
//!
//! It is asked too late to be trusted blindly: the poll may have moved it, or
//! somebody since. So it is asked only where the poll itself moved nothing, because
//! it committed nothing or returned nothing; and it can only confirm, never accuse.

use parallax_captures::poll::{Poll, PollAnswer};
use parallax_captures::verdict::{AskedAgain, TcpOutcome, Verdict, VerdictKind};
use parallax_codec::primitives::{ConsumerKind, PollingKind};

use super::plan::{ExpectedStart, Start, unaskable};
use super::{SENTINELS, is_blank};

/// The partition whose stored offset tells where this poll was to begin, if it
/// does.
pub fn asks_start(poll: &Poll, tcp: &TcpOutcome) -> Option<u32> {
    let TcpOutcome::Answered(answer) = tcp else {
        return None;
    };
    let moved_nothing = answer.messages.is_empty() || !poll.auto_commit;
    let is_named = poll.partition_id.is_some() || poll.consumer_kind == ConsumerKind::Consumer;
    let is_known = is_named || !is_blank(answer);
    let is_askable = poll.strategy == PollingKind::Next
        && unaskable(poll).is_none()
        && !SENTINELS.contains(&answer.partition_id)
        // Over HTTP it would be another consumer (case C3).
        && !(poll.consumer_kind == ConsumerKind::Consumer && poll.consumer.is_numeric_name());
    (moved_nothing && is_known && is_askable)
        .then(|| poll.partition_id.unwrap_or(answer.partition_id))
}

/// What a stored offset, asked after the poll, says of where it was to begin;
/// `None` where it says nothing.
pub fn asked_start(poll: &Poll, tcp: &TcpOutcome, stored: Option<u64>) -> Option<Start> {
    let TcpOutcome::Answered(answer) = tcp else {
        return None;
    };
    match stored {
        Some(stored) => {
            let offset = stored.checked_add(1)?;
            let is_sure = begins_at(answer).is_none_or(|first| first == offset);
            is_sure.then(|| {
                Start::At(ExpectedStart {
                    offset,
                    learned: format!(
                        "Asked right after the poll, which moved nothing, the offset stored for \
                         {} is {stored}.",
                        who(poll)
                    ),
                })
            })
        }
        None => begins_at(answer).is_none().then(|| {
            Start::First(format!(
                "Asked right after the poll, no offset is stored for {}.",
                who(poll)
            ))
        }),
    }
}

/// A verdict on a Next whose start was asked for after it: that can confirm, but
/// somebody may have moved it since, so that it never accuses.
pub fn only_confirms(verdict: Verdict) -> Verdict {
    // Asked again by one offset, both differ: wherever Next was to begin.
    let differ_again = |again: &AskedAgain| again.kind == VerdictKind::Diverge;
    match verdict.kind {
        VerdictKind::Diverge if verdict.asked_again.as_deref().is_some_and(differ_again) => verdict,
        VerdictKind::Diverge | VerdictKind::Transient => Verdict {
            kind: VerdictKind::NotComparable,
            reason: format!(
                "{} But where Next was to begin was only asked after the poll, and may have been \
                 moved in between.",
                verdict.reason
            ),
            differences: Vec::new(),
            ..verdict
        },
        _ => verdict,
    }
}

fn begins_at(answer: &PollAnswer) -> Option<u64> {
    answer.messages.first().map(|message| message.offset)
}

fn who(poll: &Poll) -> String {
    format!("{} {}", poll.consumer_kind.name(), poll.consumer)
}
