//! What is said of a mark, the same in the drawing and in the tables.

use maud::{Markup, html};
use parallax_captures::partition::{
    Break, BreakKind, Failure, Gap, GapCause, Reader, Replay, ReplayCause, Stall, Stored, StoredBy,
    reader_word,
};
use parallax_codec::ErrorCode;

use crate::view::format::count;

/// `group sink`.
pub(super) fn name(reader: &Reader) -> String {
    let consumer = &reader.consumer;
    format!("{} {}", reader_word(consumer.kind), consumer.id)
}

/// `68 messages`. Offsets that were never used count too: that is not known.
fn messages(number: u64) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} message{end}", count(number))
}

pub(super) fn gap(gap: &Gap) -> String {
    let offsets = span(gap.from, gap.to);
    let number = messages(gap.offsets());
    match gap.cause {
        GapCause::Served => format!("skipped {offsets} ({number})"),
        GapCause::Gone => format!("{offsets} no longer kept ({number})"),
        GapCause::Stored => format!("stored beyond {offsets} ({number})"),
        GapCause::Asked => format!("not asked for: {offsets} ({number})"),
    }
}

/// How its hole is drawn.
pub(super) const fn gap_class(cause: GapCause) -> &'static str {
    match cause {
        GapCause::Served => "hole",
        GapCause::Gone => "hole gone",
        GapCause::Stored | GapCause::Asked => "hole wanted",
    }
}

pub(super) const fn gap_why(cause: GapCause) -> &'static str {
    match cause {
        GapCause::Served => "The server went on beyond them. Nothing that passed here explains it.",
        GapCause::Gone => {
            "The log began beyond them: First was answered so, or segments had been deleted."
        }
        GapCause::Stored => "What was stored as consumed had been moved beyond them.",
        GapCause::Asked => "The request names a place beyond them.",
    }
}

pub(super) fn replay(replay: &Replay) -> String {
    let offsets = span(replay.first, replay.last);
    let again = if replay.times > 1 {
        format!(", {} times", count(replay.times))
    } else {
        String::new()
    };
    format!("{offsets} again{again}")
}

pub(super) const fn replay_why(cause: ReplayCause) -> &'static str {
    match cause {
        ReplayCause::Served => "The server went back. Nothing that passed here explains it.",
        ReplayCause::Stored => "What was stored as consumed had been moved back, or deleted.",
        ReplayCause::NotStored => "Nothing had been stored since they were given before.",
        ReplayCause::Asked => "The request names that place.",
    }
}

pub(super) fn stall(stall: &Stall) -> String {
    format!(
        "stalled at {}: {} polls brought nothing",
        count(stall.at),
        count(stall.polls)
    )
}

pub(super) fn stall_why(stall: &Stall) -> String {
    format!(
        "The log was known to go on to {} before the latest of them was sent.",
        count(stall.end)
    )
}

pub(super) fn failure(failure: &Failure) -> String {
    let what = if failure.command == "poll_messages" {
        "poll"
    } else {
        "store of an offset"
    };
    format!("{what} failed: {}", error(failure.error))
}

pub(super) fn error(error: Option<ErrorCode>) -> String {
    error.map_or_else(|| "no reply".to_owned(), |code| code.to_string())
}

pub(super) fn stored(stored: &Stored) -> String {
    let how = match stored.how {
        StoredBy::Store => "stored by the client",
        StoredBy::AutoCommit => "stored by auto_commit",
        StoredBy::Told => "told when asked",
        StoredBy::Deletion => "deleted",
        StoredBy::LogBeganAnew => {
            return "stored offset not known any more: the log began anew".to_owned();
        }
    };
    match stored.offset {
        Some(offset) => format!("stored offset {}, {how}", count(offset)),
        None => format!("no stored offset, {how}"),
    }
}

pub(super) const fn break_word(kind: BreakKind) -> &'static str {
    match kind {
        BreakKind::Purged => "purged",
        BreakKind::Deleted => "deleted",
        BreakKind::SegmentsDeleted => "segments deleted",
        BreakKind::GroupDeleted => "group deleted",
    }
}

pub(super) const fn break_why(one: &Break) -> &'static str {
    match one.kind {
        BreakKind::Purged => "The topic or its stream was purged: offsets begin anew.",
        BreakKind::Deleted => {
            "The topic, its stream or partitions of it were deleted: what comes after may be another log."
        }
        BreakKind::SegmentsDeleted => "The oldest segments were deleted.",
        BreakKind::GroupDeleted => "A group was deleted, and what was stored for it.",
    }
}

/// `24 to 91`.
pub(super) fn span(first: u64, last: u64) -> String {
    if first == last {
        count(first)
    } else {
        format!("{} to {}", count(first), count(last))
    }
}

/// An exchange's number, leading to it.
pub(super) fn exchange(n: u64) -> Markup {
    html! { a href={ "/exchanges/" (n) } { (n) } }
}
