use std::fmt::Write as _;

use parallax_captures::summary::{answered, asked, messages};
use parallax_captures::verdict::{AskedAgain, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome};
use parallax_captures::{Exchange, Verdict};

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
