//! A poll that TCP answered, against HTTP.

use parallax_captures::known;
use parallax_captures::poll::{Poll, PollAnswer, PolledMessage};
use parallax_captures::verdict::{
    Difference, HttpRefusal, MirrorAnswer, MirrorOutcome, VerdictKind,
};
use parallax_codec::primitives::{ConsumerKind, PollingKind};

use super::overlap::Overlap;
use super::{Ground, Judgement, Questions, When, is_blank, meaning, partition_of};
use crate::limits::CLOCK_TOLERANCE;

pub(super) fn judge(
    poll: &Poll,
    tcp: &PollAnswer,
    when: When,
    questions: &Questions,
    answers: &[MirrorAnswer],
) -> Judgement {
    let (Some(question), Some(answer)) = (questions.polls.first(), answers.first()) else {
        return Judgement::new(VerdictKind::MirrorFailed, "HTTP was not asked.");
    };
    let judgement = match &answer.outcome {
        MirrorOutcome::Failed(why) => Judgement::new(VerdictKind::MirrorFailed, why.as_str()),
        MirrorOutcome::Stored(_) => {
            Judgement::new(VerdictKind::MirrorFailed, "HTTP was not asked.")
        }
        MirrorOutcome::Refused(refusal) => against_refusal(poll, tcp, answer, refusal),
        MirrorOutcome::Answered(http) => {
            if question.partition_id != Some(http.partition_id) && !is_blank(http) {
                let asked = question.partition_id.unwrap_or_default();
                return Judgement::new(
                    VerdictKind::NotComparable,
                    format!(
                        "HTTP was asked about partition {asked} and answered about partition {}.",
                        http.partition_id
                    ),
                );
            }
            match questions.ground {
                Ground::NextFrom(expected) => began_elsewhere(tcp, http, expected),
                _ => None,
            }
            .unwrap_or_else(|| against_answer(poll, tcp, when, question, http))
        }
    };
    with_note(poll, tcp, judgement)
}

/// That a poll of a time was answered with messages from before it (case A7).
fn with_note(poll: &Poll, tcp: &PollAnswer, mut judgement: Judgement) -> Judgement {
    let is_early = |message: &&PolledMessage| message.timestamp < poll.value;
    let early = match poll.strategy {
        PollingKind::Timestamp => tcp.messages.iter().find(is_early),
        _ => None,
    };
    if let Some(early) = early {
        let why = if early.origin_timestamp >= poll.value {
            "the server goes by the time at which the producer made it (origin_timestamp)"
        } else {
            "neither of its two times is as late"
        };
        judgement.reason = format!(
            "{} Offset {} was appended before the time that was asked for: {why}.",
            judgement.reason, early.offset
        );
    }
    judgement
}

/// Whether the answer is what servers up to 0.8 send to a member of a group that
/// has no partition: the bytes of an empty partition 0 (case B4). HTTP answers
/// with the same bytes, which proves nothing.
fn may_mean_no_partition(poll: &Poll, tcp: &PollAnswer) -> bool {
    poll.consumer_kind == ConsumerKind::Group && poll.partition_id.is_none() && is_blank(tcp)
}

fn against_refusal(
    poll: &Poll,
    tcp: &PollAnswer,
    answer: &MirrorAnswer,
    refusal: &HttpRefusal,
) -> Judgement {
    if refusal.http_status == 403 {
        let reason = format!("{refusal}. The user whom parallax asks as may not read this topic.");
        return Judgement::new(VerdictKind::MirrorFailed, reason);
    }
    if may_mean_no_partition(poll, tcp) && !meaning::is_about_the_topic(refusal) {
        return Judgement::new(VerdictKind::NotComparable, ambiguous());
    }
    if tcp.count > 0 && meaning::is_servers_trouble(refusal) {
        let reason = format!("{refusal}. HTTP could not answer, so there is nothing to compare.");
        return Judgement::new(VerdictKind::MirrorFailed, reason);
    }
    if tcp.count > 0 && meaning::is_about_the_place(refusal) {
        // TCP has read from it, so it was there a moment ago.
        let reason = format!(
            "{refusal}. What TCP has just read is not there over HTTP: it was deleted in between, \
             or HTTP is another server's."
        );
        return Judgement::new(VerdictKind::NotComparable, reason);
    }
    let seen = if tcp.count == 0 {
        "an empty answer".to_owned()
    } else {
        format!("{} messages", tcp.count)
    };
    let refused = refusal.to_string();
    let refused = refused.trim_end_matches('.');
    let partition = partition_of(answer);
    let reason = if tcp.count == 0 {
        format!(
            "TCP shows {seen} where HTTP refuses {partition}: {refused}. A failure may be hidden in \
             the empty answer."
        )
    } else {
        format!("TCP gives {seen}, HTTP refuses {partition}: {refused}.")
    };
    let difference = Difference {
        field: "outcome".to_owned(),
        tcp: seen,
        http: refusal.to_string(),
    };
    Judgement::diverge(reason, vec![difference])
}

/// Next gave messages, and not those that it owed.
fn began_elsewhere(tcp: &PollAnswer, http: &PollAnswer, expected: u64) -> Option<Judgement> {
    let here = tcp.messages.first()?.offset;
    let there = http.messages.first().map(|message| message.offset);
    let (owed, reason) = match there {
        _ if here < expected => (
            format!("{expected}, where Next was to begin"),
            format!(
                "Next began at offset {here}, before offset {expected}, where it was to begin."
            ),
        ),
        Some(there) if there < here => (
            there.to_string(),
            format!(
                "Next began at offset {here}, and HTTP has messages from offset {there} on, where \
                 it was to begin."
            ),
        ),
        _ => return None,
    };
    let difference = Difference {
        field: "messages[0].offset".to_owned(),
        tcp: here.to_string(),
        http: owed,
    };
    Some(Judgement::diverge(reason, vec![difference]))
}

fn against_answer(
    poll: &Poll,
    tcp: &PollAnswer,
    when: When,
    question: &Poll,
    http: &PollAnswer,
) -> Judgement {
    if may_mean_no_partition(poll, tcp) {
        return Judgement::new(VerdictKind::NotComparable, ambiguous());
    }
    if let Some(hidden) = older_than_the_poll(tcp, when, http) {
        return hidden;
    }
    let overlap = Overlap::of(&tcp.messages, &http.messages, when.http_is_later);
    if overlap.begun_anew {
        return Judgement::new(VerdictKind::NotComparable, begun_anew());
    }
    let mut differences = overlap.differences;
    if !differences.is_empty() {
        return Judgement::diverge(summary(&differences), differences);
    }
    if poll.strategy == PollingKind::Last && tcp.current_offset != http.current_offset {
        return of_a_moving_end(tcp, http, overlap.both);
    }
    if let Some(offsets) = overlap.gone {
        let reason = gone(offsets, overlap.both, when);
        return Judgement::new(VerdictKind::NotComparable, reason);
    }
    let (here, there) = (tcp.messages.len(), http.messages.len());
    if there > here && here < usize::try_from(question.count).unwrap_or(usize::MAX) {
        return Judgement::new(VerdictKind::Stale, more_over_http(tcp, when, here, there));
    }
    if here > there {
        let why = if when.http_is_later {
            "the rest was not readable over HTTP, or not any more."
        } else {
            "HTTP was asked earlier, and the log may have grown."
        };
        let gave = match there {
            0 => format!("HTTP gave none of the {here} messages"),
            _ => format!("HTTP gave the first {there} of the {here} messages"),
        };
        return Judgement::new(VerdictKind::Stale, format!("{gave} that TCP gave: {why}"));
    }
    if tcp.count != http.count {
        differences.push(difference("count", tcp.count.into(), http.count.into()));
    }
    if when.http_is_later && http.current_offset < tcp.current_offset && !is_blank(http) {
        let (tcp, http) = (tcp.current_offset, http.current_offset);
        differences.push(difference("current_offset", tcp, http));
    }
    if !differences.is_empty() {
        return Judgement::diverge(summary(&differences), differences);
    }
    let grown = if http.current_offset == tcp.current_offset || is_blank(http) {
        String::new()
    } else {
        format!(
            " The log moved between the two: current_offset was {} on TCP, {} over HTTP.",
            tcp.current_offset, http.current_offset
        )
    };
    let reason = match here {
        0 => format!("Both find no message.{grown}"),
        1 => format!("The one message is the same both ways.{grown}"),
        _ => format!("All {here} messages are the same both ways.{grown}"),
    };
    let blank = is_blank(http) && http.current_offset != tcp.current_offset;
    Judgement::new(VerdictKind::Agree, reason)
        .knowing(blank.then_some(&known::BLANK_WHEN_EMPTY))
        .knowing(overlap.known)
}

/// An empty answer where HTTP has messages that were there when TCP was asked: a
/// failure that is hidden in it, or a stall (cases A5 and C2).
fn older_than_the_poll(tcp: &PollAnswer, when: When, http: &PollAnswer) -> Option<Judgement> {
    let since = when.tcp - CLOCK_TOLERANCE;
    let is_older = |micros: u64| i128::from(micros) * 1_000 < since.as_nanosecond();
    if !tcp.messages.is_empty() || !when.http_is_later {
        return None;
    }
    let older = http
        .messages
        .iter()
        .filter(|message| is_older(message.timestamp));
    let older = older.count();
    let first = http.messages.first().filter(|_| older > 0)?;
    let there = http.messages.len();
    let reason = format!(
        "TCP shows an empty answer, and HTTP has messages from offset {}, {older} of {there} \
         appended before the poll was sent: they were there. A failure or a stall may be hidden \
         in the empty answer.",
        first.offset
    );
    let difference = Difference {
        field: "messages".to_owned(),
        tcp: "none".to_owned(),
        http: format!("{there}, {older} of them older than the poll"),
    };
    Some(Judgement::diverge(reason, vec![difference]))
}

/// Last, asked of a log that went on in between: what both have is the same.
fn of_a_moving_end(tcp: &PollAnswer, http: &PollAnswer, both: usize) -> Judgement {
    let (tcp, http) = (tcp.current_offset, http.current_offset);
    let moved =
        format!("The log moved between the two: it ended at {tcp} on TCP, at {http} over HTTP.");
    match both {
        0 => Judgement::new(
            VerdictKind::NotComparable,
            format!("The two answers have no message in common. {moved}"),
        ),
        both => Judgement::new(
            VerdictKind::Agree,
            format!("The {both} of the last messages that both have are the same. {moved}"),
        ),
    }
}

fn gone((first, last): (u64, u64), both: usize, when: When) -> String {
    let (before, after) = if when.http_is_later {
        ("TCP", "HTTP")
    } else {
        ("HTTP", "TCP")
    };
    let offsets = if first == last {
        format!("offset {first}, which {before} gave, was")
    } else {
        format!("offsets {first} to {last}, which {before} gave, were")
    };
    let both = match both {
        0 => "Nothing is left that both have.".to_owned(),
        1 => "The one message that both have is the same.".to_owned(),
        both => format!("The {both} messages that both have are the same."),
    };
    format!(
        "Not all can be compared: {offsets} gone when {after} was asked (retention, deleted \
         segments or a purge). {both}"
    )
}

fn begun_anew() -> &'static str {
    "Of the two answers one has only messages that were appended after all that the other has, at \
     the same offsets: the log was purged and begun anew between the two."
}

fn more_over_http(tcp: &PollAnswer, when: When, here: usize, there: usize) -> String {
    let end = tcp.messages.last().map_or(0, |message| message.offset);
    let reached_the_end = end >= tcp.current_offset;
    let why = if !when.http_is_later {
        "HTTP was asked earlier, and what it had then TCP did not give."
    } else if reached_the_end {
        "TCP had reached the end of the log, which grew before HTTP was asked."
    } else {
        "TCP stopped before the end that it named itself, so growth alone does not explain it."
    };
    match here {
        0 => format!("TCP gave no message, and HTTP {there}. {why}"),
        1 => format!("The message that TCP gave is the first of the {there} over HTTP. {why}"),
        _ => format!(
            "The {here} messages that TCP gave are the first of the {there} over HTTP. {why}"
        ),
    }
}

fn ambiguous() -> &'static str {
    "TCP's answer is that of an empty partition 0, which a server up to 0.8 also gives to a member \
     of a group that has no partition. HTTP has no groups and cannot tell which it is."
}

pub(super) fn summary(differences: &[Difference]) -> String {
    let [first, rest @ ..] = differences else {
        return String::new();
    };
    let more = match rest.len() {
        0 => String::new(),
        1 => ", and in one more field".to_owned(),
        more => format!(", and in {more} more fields"),
    };
    format!(
        "The answers differ in {}: TCP has {}, HTTP has {}{more}.",
        first.field, first.tcp, first.http
    )
}

fn difference(field: &str, tcp: u64, http: u64) -> Difference {
    Difference {
        field: field.to_owned(),
        tcp: tcp.to_string(),
        http: http.to_string(),
    }
}
