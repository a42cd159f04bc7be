//! A poll that TCP answered, against HTTP.

use parallax_captures::poll::{Poll, PollAnswer};
use parallax_captures::verdict::{
    AskedBy, Difference, HttpRefusal, MirrorAnswer, MirrorOutcome, VerdictKind,
};
use parallax_codec::primitives::ConsumerKind;

use super::{Judgement, Questions, fields, meaning, partition_of};

pub(super) fn judge(
    poll: &Poll,
    tcp: &PollAnswer,
    questions: &Questions,
    answers: &[MirrorAnswer],
) -> Judgement {
    let (Some(question), Some(answer)) = (questions.polls.first(), answers.first()) else {
        return Judgement::new(VerdictKind::MirrorFailed, "HTTP was not asked.");
    };
    match &answer.outcome {
        MirrorOutcome::Failed(why) => Judgement::new(VerdictKind::MirrorFailed, why.as_str()),
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
            against_answer(poll, tcp, question, http, answer.asked_by)
        }
    }
}

/// Whether the answer is what servers up to 0.8 send to a member of a group that
/// has no partition: the bytes of an empty partition 0 (case B4).
fn may_mean_no_partition(poll: &Poll, tcp: &PollAnswer) -> bool {
    poll.consumer_kind == ConsumerKind::Group && is_blank(tcp)
}

/// Partition 0, offset 0, no message: an empty partition 0, or what a server
/// sends where it has nothing better: on TCP see cases B4 and C2, and over HTTP
/// server 0.8.0 answers so whenever there is no message (recording
/// `http_server-0.8.0`, the poll with count 0).
fn is_blank(answer: &PollAnswer) -> bool {
    (answer.partition_id, answer.current_offset, answer.count) == (0, 0, 0)
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
    let seen = if tcp.count == 0 {
        "an empty answer".to_owned()
    } else {
        format!("{} messages", tcp.count)
    };
    let reason = if tcp.count == 0 {
        format!(
            "TCP shows {seen} where HTTP refuses {}: {refusal}. A failure may be hidden in the \
             empty answer.",
            partition_of(answer)
        )
    } else {
        format!(
            "TCP gives {seen}, HTTP refuses {}: {refusal}.",
            partition_of(answer)
        )
    };
    let difference = Difference {
        field: "outcome".to_owned(),
        tcp: seen,
        http: refusal.to_string(),
    };
    Judgement::diverge(reason, vec![difference])
}

fn against_answer(
    poll: &Poll,
    tcp: &PollAnswer,
    question: &Poll,
    http: &PollAnswer,
    asked_by: AskedBy,
) -> Judgement {
    if may_mean_no_partition(poll, tcp) && *http != *tcp {
        return Judgement::new(VerdictKind::NotComparable, ambiguous());
    }
    let asked = question.partition_id.unwrap_or_default();
    if tcp.partition_id != asked && !is_blank(tcp) {
        return Judgement::new(
            VerdictKind::NotComparable,
            format!(
                "The poll named partition {asked}, and TCP answered about partition {}: two \
                 partitions are not compared.",
                tcp.partition_id
            ),
        );
    }
    let mut differences = fields::differences(&tcp.messages, &http.messages);
    if !differences.is_empty() {
        return Judgement::diverge(summary(&differences), differences);
    }
    let (here, there) = (tcp.messages.len(), http.messages.len());
    if there > here && here < usize::try_from(question.count).unwrap_or(usize::MAX) {
        return Judgement::new(VerdictKind::Stale, more_over_http(tcp, here, there));
    }
    if here > there {
        return Judgement::new(
            VerdictKind::Stale,
            format!(
                "HTTP gave the first {there} of the {here} messages that TCP gave: the rest was \
                 not readable over HTTP, or not any more."
            ),
        );
    }
    if tcp.count != http.count {
        differences.push(difference("count", tcp.count.into(), http.count.into()));
    }
    let later = asked_by == AskedBy::Mirror;
    if later && http.current_offset < tcp.current_offset && !is_blank(http) {
        let (tcp, http) = (tcp.current_offset, http.current_offset);
        differences.push(difference("current_offset", tcp, http));
    }
    if !differences.is_empty() {
        return Judgement::diverge(summary(&differences), differences);
    }
    let grown = if http.current_offset == tcp.current_offset {
        String::new()
    } else if is_blank(http) {
        " Known, harmless: with no message HTTP tells neither partition nor current_offset (server \
         0.8)."
            .to_owned()
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
    Judgement::new(VerdictKind::Agree, reason)
}

fn more_over_http(tcp: &PollAnswer, here: usize, there: usize) -> String {
    let end = tcp.messages.last().map_or(0, |message| message.offset);
    let reached_the_end = end >= tcp.current_offset;
    let why = if reached_the_end {
        "TCP had reached the end of the log, which grew before HTTP was asked."
    } else {
        "TCP stopped before the end that it named itself, so growth alone does not explain it: ask \
         again."
    };
    format!("The {here} messages that TCP gave are the first of the {there} over HTTP. {why}")
}

fn ambiguous() -> &'static str {
    "TCP's answer is that of an empty partition 0, which a server up to 0.8 also gives to a member \
     of a group that has no partition. HTTP has no groups and cannot tell which it is."
}

fn summary(differences: &[Difference]) -> String {
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
