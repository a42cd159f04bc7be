use std::fmt::Write as _;

use parallax_captures::verdict::{AskedAgain, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome};
use parallax_captures::{Content, Exchange, PollAnswer, Verdict};
use parallax_codec::primitives::{ConsumerKind, PollingKind};
use parallax_codec::{Reply, Request};

use super::without_controls;

/// One exchange, one line: number, time, connection, command, what was asked,
/// what came back, how long it took, verdict, findings.
pub(crate) fn exchange_line(exchange: &Exchange) -> String {
    let time = exchange.times.request_first.strftime("%H:%M:%S%.6f");
    let mut line = format!(
        "{:>6} {time} c{:<3} {:<22} {}",
        exchange.n,
        exchange.conn,
        exchange.command(),
        asked(exchange),
    );
    let _ = write!(line, " -> {}", answered(exchange));
    if let Some(latency) = exchange.latency() {
        let _ = write!(line, "  {} us", latency.as_micros());
    }
    if let Some(verdict) = &exchange.verdict {
        let muted = if verdict.muted.is_some() {
            ", muted"
        } else {
            ""
        };
        let _ = write!(line, "  [{}{muted}]", verdict.kind.name());
    }
    for code in &exchange.findings {
        let _ = write!(line, " {code}");
    }
    for code in &exchange.muted_findings {
        let _ = write!(line, " ({code} muted)");
    }
    if let Some(undecoded) = &exchange.undecoded {
        let _ = write!(line, "  UNDECODED: {undecoded}");
    }
    without_controls(&line)
}

/// A verdict with everything that was asked, indented to stand below its
/// exchange.
pub(crate) fn verdict_lines(verdict: &Verdict) -> String {
    let mut lines = format!("       {}: {}\n", verdict.kind.name(), verdict.reason);
    if let Some(by) = &verdict.muted {
        let _ = writeln!(lines, "       muted by {by}");
    }
    let _ = writeln!(lines, "       {}", verdict.basis);
    for answer in &verdict.answers {
        let _ = writeln!(lines, "         {}", mirror_answer(answer));
    }
    for difference in &verdict.differences {
        let _ = writeln!(
            lines,
            "         {}: TCP {}, HTTP {}",
            difference.field, difference.tcp, difference.http
        );
    }
    if let Some(again) = &verdict.asked_again {
        asked_again(again, &mut lines);
    }
    lines
}

/// TCP, HTTP and TCP again, in the order in which they were asked.
fn asked_again(again: &AskedAgain, lines: &mut String) {
    let kind = again.kind.name();
    let _ = writeln!(lines, "       asked again, {kind}: {}", again.reason);
    for answer in &again.tcp_before {
        let _ = writeln!(lines, "         {}", tcp_answer(answer));
    }
    for answer in &again.answers {
        let _ = writeln!(lines, "         {}", mirror_answer(answer));
    }
    for answer in &again.tcp_after {
        let _ = writeln!(lines, "         {}", tcp_answer(answer));
    }
}

fn tcp_answer(answer: &TcpAnswer) -> String {
    let (id, strategy) = (answer.partition_id, answer.strategy.name());
    match &answer.outcome {
        TcpOutcome::Answered(body) => format!("TCP, {strategy}: {}", messages(body)),
        TcpOutcome::Refused(code) => format!("TCP, {strategy}, partition {id}: {code}"),
    }
}

fn mirror_answer(answer: &MirrorAnswer) -> String {
    let asked = answer.partition_id.map_or_else(
        || "HTTP, no partition named".to_owned(),
        |id| format!("HTTP, partition {id} named"),
    );
    match &answer.outcome {
        MirrorOutcome::Answered(body) => format!("{asked}: {}", messages(body)),
        MirrorOutcome::Stored(Some(stored)) => {
            format!("{asked}: offset {} is stored", stored.stored_offset)
        }
        MirrorOutcome::Stored(None) => format!("{asked}: no offset is stored"),
        MirrorOutcome::Refused(refusal) => format!("{asked}: {refusal}"),
        MirrorOutcome::Failed(why) => format!("{asked}: {why}"),
    }
}

/// What an exchange asks, without its command.
pub(crate) fn asked(exchange: &Exchange) -> String {
    if let Some(poll) = exchange.poll() {
        let partition = poll
            .partition_id
            .map_or_else(|| "any".to_owned(), |id| id.to_string());
        let kind = match poll.consumer_kind {
            ConsumerKind::Consumer => "consumer",
            ConsumerKind::Group => "group",
        };
        let value = match poll.strategy {
            PollingKind::Offset | PollingKind::Timestamp => format!(" {}", poll.value),
            PollingKind::First | PollingKind::Last | PollingKind::Next => String::new(),
        };
        let commit = if poll.auto_commit { " auto_commit" } else { "" };
        return format!(
            "{}/{}/{partition} {}{value} count {}{commit} {kind} {}",
            poll.stream,
            poll.topic,
            poll.strategy.name(),
            poll.count,
            poll.consumer,
        );
    }
    match &exchange.content {
        Content::Unsolicited(_) => "not asked for".to_owned(),
        Content::Http(content) => format!("{} {}", content.method, content.target),
        Content::Binary(content) => match &content.request {
            Some(Request::StoreConsumerOffset(r)) => {
                format!(
                    "{}/{} offset {} {}",
                    r.stream, r.topic, r.offset, r.consumer.id
                )
            }
            Some(Request::GetConsumerOffset(r)) => {
                format!("{}/{} {}", r.stream, r.topic, r.consumer.id)
            }
            Some(Request::DeleteConsumerOffset(r)) => {
                format!("{}/{} {}", r.stream, r.topic, r.consumer.id)
            }
            Some(Request::SendMessages(r)) => {
                format!("{}/{} {} messages", r.stream, r.topic, r.messages.len())
            }
            _ => format!("{} bytes", content.request_frame.len()),
        },
    }
}

fn answered(exchange: &Exchange) -> String {
    if let Some(eviction) = exchange.eviction() {
        return format!("evicted: {}", eviction.reason.name());
    }
    if let Some(error) = exchange.error() {
        return error.to_string();
    }
    if let Some(answer) = exchange.poll_answer() {
        return messages(&answer);
    }
    match &exchange.content {
        Content::Unsolicited(content) => format!("{} bytes", content.frame.len()),
        Content::Http(content) => content.http_status.map_or_else(
            || "no response".to_owned(),
            |status| format!("HTTP {status}"),
        ),
        Content::Binary(content) => match (&content.status, &content.reply) {
            (None, _) => "no reply".to_owned(),
            (Some(_), Some(Reply::ConsumerOffset(offset))) => format!(
                "partition {}, stored {} of {}",
                offset.partition_id, offset.stored_offset, offset.current_offset
            ),
            (Some(_), Some(Reply::Empty)) => {
                exchange.empty_reply_meaning().unwrap_or("ok").to_owned()
            }
            (Some(_), _) => format!("ok, {} bytes", content.reply_frame.len()),
        },
    }
}

fn messages(answer: &PollAnswer) -> String {
    let offsets = match answer.messages.as_slice() {
        [] => String::new(),
        [only] => format!(", offset {}", only.offset),
        [first, .., last] => format!(", offsets {}..{}", first.offset, last.offset),
    };
    let noun = if answer.count == 1 {
        "message"
    } else {
        "messages"
    };
    let mut line = format!(
        "partition {}: {} {noun}{offsets}",
        answer.partition_id, answer.count
    );
    // Of a partition without a message the server says 0 as well.
    if !answer.messages.is_empty() || answer.current_offset > 0 {
        let _ = write!(line, ", current {}", answer.current_offset);
    }
    line
}
