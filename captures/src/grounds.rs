//! Why a verdict may be believed, and what could make it wrong: in plain words, from
//! what is kept of the verdict and nothing else.

use jiff::{SignedDuration, Timestamp};
use parallax_codec::primitives::{ConsumerKind, PollingKind};

use crate::exchange::Exchange;
use crate::http_poll::{parse_target, target};
use crate::poll::Poll;
use crate::verdict::{AskedBy, MirrorAnswer, MirrorOutcome, Verdict, VerdictKind};

/// A question that somebody may have about a verdict, and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ground {
    /// The question, without its question mark.
    pub question: &'static str,
    /// The answer: sentences.
    pub answer: String,
}

/// What a verdict stands on. `user` is whom the client was logged in as, where it is
/// known.
pub fn grounds(exchange: &Exchange, verdict: &Verdict, user: Option<&str>) -> Vec<Ground> {
    let mut grounds = Vec::new();
    let mut say = |question, answer: String| grounds.push(Ground { question, answer });
    if let Some(first) = verdict.answers.first() {
        say("What was asked", asked(&verdict.answers));
        say("As whom", as_whom(first, user));
        if let Some(poll) = parse_target(&first.target) {
            say("From where", from_where(exchange, &poll));
        }
        if let Some(apart) = apart(exchange, first) {
            say("When", apart);
        }
    }
    if !verdict.basis.is_empty() {
        say("Is it a fair question", verdict.basis.clone());
    }
    let doubts = doubts(exchange, verdict);
    if !doubts.is_empty() {
        say("What could make it wrong", doubts.join(" "));
    }
    grounds
}

/// What is missing, where a verdict claims nothing, and what to do about it.
pub fn next_step(exchange: &Exchange, verdict: &Verdict) -> Option<String> {
    let text = match verdict.kind {
        VerdictKind::MirrorFailed => {
            "HTTP's answer is missing, and it is parallax that did not get it: this says nothing \
             about the poll. The overview says how the mirror is doing. Put right what the reason \
             names, and let the client poll again: what was not compared cannot be compared later."
        }
        VerdictKind::NotComparable => return Some(to_compare(exchange, verdict)),
        VerdictKind::Agree | VerdictKind::Diverge | VerdictKind::Transient | VerdictKind::Stale => {
            return None;
        }
    };
    Some(text.to_owned())
}

/// What would have to be there, and how to come by it.
fn to_compare(exchange: &Exchange, verdict: &Verdict) -> String {
    let poll = exchange.poll();
    let is_asked_alike = poll.as_ref().is_some_and(|poll| {
        poll.partition_id.is_some()
            && matches!(poll.strategy, PollingKind::First | PollingKind::Offset)
    });
    let text = if exchange.undecoded.is_some() {
        let by_hand = poll.map(|poll| by_hand(&poll, verdict));
        let by_hand = by_hand.map_or_else(String::new, |get| format!("; ask HTTP by hand: {get}"));
        return format!("The TCP reply could not be decoded, so it was not compared{by_hand}.");
    } else if exchange.is_empty_poll() {
        "A message is missing: an empty answer holds nothing to compare. Look at a poll that \
         returned some."
    } else if exchange.failed() && !is_asked_alike {
        "The same question over HTTP is missing. To have this failure compared let the client name \
         its partition and poll First or an offset, or look for the same consumer's next poll that \
         was answered."
    } else if is_asked_alike {
        "Two answers from the same moment are missing: the question itself is one that both sides \
         can be asked. Look at the next poll of this partition."
    } else {
        "A question that both sides can be asked is missing. Name the partition in the poll, or \
         poll First or an offset; then both are asked the same."
    };
    text.to_owned()
}

/// The request that puts a poll to HTTP; without a commit, so that it moves no offset.
fn by_hand(poll: &Poll, verdict: &Verdict) -> String {
    let target = match verdict.answers.first() {
        Some(answer) => answer.target.clone(),
        None => target(&Poll {
            auto_commit: false,
            ..poll.clone()
        }),
    };
    format!("GET {target}")
}

fn asked(answers: &[MirrorAnswer]) -> String {
    let first = &answers[0];
    match answers.len() {
        1 => format!("GET {}", first.target),
        number => format!(
            "{number} questions, one for each partition that the poll may have been about. The \
             first: GET {}",
            first.target
        ),
    }
}

fn as_whom(first: &MirrorAnswer, user: Option<&str>) -> String {
    match (first.asked_by, user) {
        (AskedBy::Mirror, Some(user)) => format!(
            "As the client's own user, {user}, unless parallax was told another (--http-user); as a \
             consumer of parallax's own and without a commit, so that no offset moves."
        ),
        (AskedBy::Mirror, None) => "As the client's own user, or as whom parallax was told \
             (--http-user); as a consumer of parallax's own and without a commit, so that no offset \
             moves."
            .to_owned(),
        (AskedBy::Capture(n), _) => format!(
            "parallax did not ask. Somebody else's HTTP poll in the same capture, exchange {n}, \
             takes the mirror's part; as which user is not kept."
        ),
    }
}

fn from_where(exchange: &Exchange, http: &Poll) -> String {
    let place = match http.strategy {
        PollingKind::Offset => format!("From offset {}", http.value),
        PollingKind::Timestamp => format!("From the time {}", http.value),
        PollingKind::First => "From the first message".to_owned(),
        PollingKind::Last => "From the end".to_owned(),
        PollingKind::Next => "After the offset stored for HTTP's own consumer".to_owned(),
    };
    let partition = match http.partition_id {
        Some(id) => format!("partition {id}"),
        None => "the partition that HTTP takes by default".to_owned(),
    };
    let asked = format!("{place} of {partition}, up to {} messages.", http.count);
    let Some(tcp) = exchange.poll() else {
        return asked;
    };
    let same = (tcp.strategy, tcp.value) == (http.strategy, http.value);
    let strategy = tcp.strategy.name();
    match tcp.strategy {
        _ if same => format!("{asked} The client asked for the same ({strategy})."),
        PollingKind::Next if tcp.consumer_kind == ConsumerKind::Group => format!(
            "{asked} The client asked for next, after the offset that is stored for its group: HTTP \
             has no groups."
        ),
        _ => format!("{asked} The client asked for {strategy}."),
    }
}

/// How long after the client's poll HTTP was asked, or before.
fn apart(exchange: &Exchange, first: &MirrorAnswer) -> Option<String> {
    let asked = first.times?.asked;
    let tcp = exchange.times.request_first;
    Some(if asked >= tcp {
        format!("{} after the client's poll.", seconds(tcp, asked))
    } else {
        format!("{} before the client's poll.", seconds(asked, tcp))
    })
}

/// `0.214 s`, from one time to a later one.
pub fn seconds(from: Timestamp, to: Timestamp) -> String {
    let apart: SignedDuration = to.duration_since(from);
    let millis = apart.as_millis().max(0);
    format!("{}.{:03} s", millis / 1_000, millis % 1_000)
}

fn doubts(exchange: &Exchange, verdict: &Verdict) -> Vec<&'static str> {
    let mut doubts = Vec::new();
    let answers = &verdict.answers;
    let is_probe = answers.len() > 1;
    if answers.is_empty() {
        return doubts;
    }
    if is_probe {
        doubts.push(
            "Several partitions were asked, for the reply names none: one that refuses alike is the \
             likely culprit, not a proven one.",
        );
    }
    let claims = matches!(
        verdict.kind,
        VerdictKind::Diverge | VerdictKind::Stale | VerdictKind::Agree
    );
    match (&verdict.asked_again, verdict.kind) {
        (Some(_), VerdictKind::Diverge) => doubts.push(
            "That the log moved between the two answers is ruled out as far as it can be: both were \
             asked again, HTTP between two polls on TCP.",
        ),
        (None, VerdictKind::Diverge) => doubts.push(
            "Both were not asked again: that the log changed between the two answers is not ruled out.",
        ),
        (None, _) if claims => {
            doubts.push("The two were asked one after the other: what came in between, either saw alone.");
        }
        _ => {}
    }
    if answers.iter().any(|one| one.asked_by != AskedBy::Mirror) {
        doubts.push("Whoever asked over HTTP may have asked as another user, or another server.");
    } else if claims {
        doubts.push("HTTP could be another server's, or another node's, than TCP.");
    }
    let is_next = exchange
        .poll()
        .is_some_and(|poll| poll.strategy == PollingKind::Next);
    if is_next && !is_probe && claims {
        doubts.push("Where a Next begins is the server's to say: HTTP cannot be asked that.");
    }
    if answers.iter().any(has_cut_payload) {
        doubts.push(
            "Of payloads that only HTTP gave the beginning is kept; they were compared whole before \
             that.",
        );
    }
    doubts
}

fn has_cut_payload(answer: &MirrorAnswer) -> bool {
    match &answer.outcome {
        MirrorOutcome::Answered(body) => body
            .messages
            .iter()
            .any(|message| message.payload_left_out > 0),
        _ => false,
    }
}
