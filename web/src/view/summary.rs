//! What happened, in plain words.

use parallax_captures::two_answers::conclusion;
use parallax_captures::{Content, Exchange, Poll, VerdictKind};
use parallax_codec::ErrorCode;
use parallax_codec::classic::FRAME_HEADER_SIZE;
use parallax_codec::primitives::{ConsumerKind, PollingKind};

use super::cause::capitalised;
use super::format::duration;
use super::place::{Place, place};

/// What is to be read first: what a comparison comes to where it is no good news or the
/// likely culprit, else how it ended. The second is a line below the first then.
pub(crate) fn headlines(exchange: &Exchange) -> (String, Option<String>) {
    let ended = headline(exchange);
    let unmuted = exchange.verdict.as_ref().filter(|one| one.muted.is_none());
    let Some(verdict) = unmuted else {
        return (ended, None);
    };
    match (verdict.kind, conclusion(exchange, verdict)) {
        (VerdictKind::Agree, _) if exchange.failed() => (format!("{ended}, over HTTP too"), None),
        (VerdictKind::Agree, _) => (format!("{ended}, the same over HTTP"), None),
        (VerdictKind::Diverge, None) => (format!("{ended}, otherwise than over HTTP"), None),
        (VerdictKind::Diverge, Some(conclusion)) => (capitalised(conclusion), Some(ended)),
        (_, Some(conclusion)) => (format!("{ended}; {conclusion}"), None),
        (_, None) => (ended, None),
    }
}

/// A headline: `poll_messages was refused: 4100 invalid_offset`.
fn headline(exchange: &Exchange) -> String {
    let command = exchange.command();
    if let Some(eviction) = exchange.eviction() {
        let reason = eviction.reason.name();
        return match exchange.content {
            Content::Unsolicited(_) => format!("The server ended the session unasked: {reason}"),
            _ => format!("{command} was answered with an eviction: {reason}"),
        };
    }
    match (exchange.status(), exchange.times.reply) {
        (Some(0), _) => format!("{command} was answered"),
        (Some(code), _) => format!("{command} was refused: {}", ErrorCode(code)),
        (None, Some(_)) => format!("{command} failed, without an Iggy error code"),
        (None, None) => format!("{command} was never answered"),
    }
}

/// Who asked what, and what came back.
pub(crate) fn story(exchange: &Exchange) -> String {
    let place = place(exchange);
    let asked = match exchange.poll() {
        Some(poll) => poll_asked(&poll),
        None => other_asked(exchange, &place),
    };
    format!("{asked} {}", answered(exchange, &place))
}

fn poll_asked(poll: &Poll) -> String {
    let who = match poll.consumer_kind {
        ConsumerKind::Group => format!("A member of group {}", poll.consumer),
        ConsumerKind::Consumer => format!("Consumer {}", poll.consumer),
    };
    let from = match poll.strategy {
        PollingKind::Offset => format!("from offset {}", poll.value),
        PollingKind::Timestamp => format!("from timestamp {} on", poll.value),
        PollingKind::First => "from the first one kept".to_owned(),
        PollingKind::Last => "from the end".to_owned(),
        PollingKind::Next => "after its stored offset (next)".to_owned(),
    };
    let partition = match poll.partition_id {
        Some(id) => format!("partition {id}"),
        None => "a partition of the server's choice".to_owned(),
    };
    format!(
        "{who} asked {}/{}, {partition}, for up to {} messages {from}.",
        poll.stream, poll.topic, poll.count
    )
}

fn other_asked(exchange: &Exchange, place: &Place) -> String {
    let mut words = match &exchange.content {
        Content::Http(content) => format!("{} {}", content.method, content.target),
        Content::Binary(_) => format!("The client sent {}", exchange.command()),
        Content::Unsolicited(_) => "The client asked nothing".to_owned(),
    };
    if let Some(topic) = &place.topic {
        words = format!("{words} for {topic}");
    }
    if let Some(partition) = place.asked_partition {
        words = format!("{words}, partition {partition}");
    }
    if !place.asked.is_empty() && exchange.binary().is_some() {
        words = format!("{words}: {}", place.asked);
    }
    words + "."
}

fn answered(exchange: &Exchange, place: &Place) -> String {
    if let Some(eviction) = exchange.eviction() {
        let versions = eviction.accepted_versions().map(|(oldest, newest)| {
            format!(" It accepts protocol versions from {oldest} to {newest}.")
        });
        return format!(
            "The server ended the session: {}.{}",
            eviction.reason.meaning(),
            versions.unwrap_or_default()
        );
    }
    let Some(latency) = exchange.latency() else {
        return "No reply was seen.".to_owned();
    };
    let after = duration(latency);
    match exchange.status() {
        Some(0) if place.answered.is_empty() => format!("Done after {after}."),
        Some(0) => {
            let partition = match place.read_partition {
                Some(id) => format!(" of partition {id}"),
                None => String::new(),
            };
            format!("The answer after {after}: {}{partition}.", place.answered)
        }
        Some(code) => format!("Refused after {after} with {}.", ErrorCode(code)),
        None => format!("Answered after {after}, with an error that has no Iggy code."),
    }
}

/// What a TCP error does not say, and what a client makes of it. `None` where
/// there is no error, or its reply has a body after all.
pub(crate) fn not_on_the_wire(exchange: &Exchange) -> Option<String> {
    let code = exchange.error()?;
    if exchange.binary()?.reply_frame.len() > FRAME_HEADER_SIZE {
        return None;
    }
    let bare = "On TCP an error is its code alone: no text, no number.";
    Some(match code.variant_name().filter(|_| code.has_argument()) {
        // How the SDK prints it: recording `server-0.8.0_sdk-0.10.0/empty.pcap`.
        Some(variant) if code == ErrorCode::INVALID_OFFSET => format!(
            "{bare} A client that prints {variant}(0) prints a default of its own: the 0 was \
             never on the wire."
        ),
        Some(variant) => format!(
            "{bare} Whatever a client prints with {variant} is a default of its own: it was \
             never on the wire."
        ),
        None => bare.to_owned(),
    })
}
