//! Comments: one that a person reads, and the exact record after it.
//!
//! ```text
//! parallax/1 1/2 {"exchange":{...
//! parallax/1 2/2 ...}}
//! ```
//! A comment has at most 65,535 bytes: what is longer goes on in the next one of the
//! same packet.

use std::fmt::Write as _;

use super::pcapng::{Block, MAX_OPTION};
use super::record::Record;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::limits::CAPTURE_RECORD;
use crate::summary::{answered, asked};
use crate::text::cut;

/// What a record begins with: the format's version.
pub(super) const MARK: &str = "parallax/1 ";

/// Bytes of a record in one comment, less than [`MAX_OPTION`] by what precedes them.
const PART: usize = MAX_OPTION - 64;

/// Bytes of a comment that a person is to read.
const SENTENCES: usize = 4_096;

/// What was asked, for the request's first packet.
pub(super) fn of_request(exchange: &Exchange) -> String {
    let command = exchange.command();
    let mut text = format!("exchange {}: {command} {}", exchange.n, asked(exchange));
    if exchange.times.reply.is_none() {
        let _ = write!(text, " -> {}{}", answered(exchange), judged(exchange));
    }
    cut(text, SENTENCES)
}

/// What was answered and what it means, for the reply's first packet.
pub(super) fn of_reply(exchange: &Exchange) -> String {
    let command = exchange.command();
    let mut text = format!(
        "exchange {}: {command} -> {}",
        exchange.n,
        answered(exchange)
    );
    text += &judged(exchange);
    cut(text, SENTENCES)
}

/// What became known later, for a packet of its own.
pub(super) fn of_amendment(exchange: &Exchange) -> String {
    let text = format!("exchange {}, known later:{}", exchange.n, judged(exchange));
    cut(text, SENTENCES)
}

/// A finding with its evidence.
pub(super) fn of_finding(finding: &Finding) -> String {
    let description = finding.description();
    let (code, title) = (finding.code, description.title);
    let severity = description.severity.name();
    let mut text = format!("{code} ({severity}) {title}: {}", finding.place);
    if finding.count > 1 {
        let _ = write!(text, ", seen {} times", finding.count);
    }
    for sentence in &finding.evidence {
        let _ = write!(text, "\n{sentence}");
    }
    cut(text, SENTENCES)
}

fn judged(exchange: &Exchange) -> String {
    let mut text = String::new();
    if let Some(verdict) = &exchange.verdict {
        let muted = if verdict.muted.is_some() {
            " (muted)"
        } else {
            ""
        };
        let _ = write!(
            text,
            "\nverdict: {}{muted}. {}",
            verdict.kind.name(),
            verdict.reason
        );
    }
    let names = exchange.findings.iter().map(ToString::to_string);
    let muted = exchange
        .muted_findings
        .iter()
        .map(|code| format!("{code} (muted)"));
    let names: Vec<_> = names.chain(muted).collect();
    if !names.is_empty() {
        let _ = write!(text, "\nfindings: {}", names.join(", "));
    }
    if let Some(undecoded) = &exchange.undecoded {
        let _ = write!(text, "\nundecoded: {undecoded}");
    }
    if exchange.annotation.marked {
        text += "\nmarked";
    }
    if let Some(comment) = exchange.annotation.comment() {
        let _ = write!(text, "\ncomment: {comment}");
    }
    text
}

/// A record as text; `None` where it is longer than [`CAPTURE_RECORD`].
pub(super) fn encode(record: &Record) -> Option<String> {
    // A record is made of texts and numbers: it can always be written.
    let text = serde_json::to_string(record).ok()?;
    (text.len() <= CAPTURE_RECORD).then_some(text)
}

/// Adds a record to a block, in as many comments as it takes.
pub(super) fn attach(block: &mut Block, record: &str) {
    let mut parts = Vec::new();
    let mut rest = record;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(rest.floor_char_boundary(PART));
        parts.push(part);
        rest = after;
    }
    for (number, part) in (1..).zip(&parts) {
        block.comment(&format!("{MARK}{number}/{} {part}", parts.len()));
    }
}

/// The record in a packet's comments, if there is one.
///
/// # Errors
/// It is there, and cannot be read.
pub(super) fn record<'a>(
    comments: impl Iterator<Item = &'a [u8]>,
) -> Result<Option<Record>, String> {
    let mut text = Vec::new();
    let mut expected = 1;
    for comment in comments {
        let Some(part) = comment.strip_prefix(MARK.as_bytes()) else {
            continue;
        };
        let space = part.iter().position(|byte| *byte == b' ');
        let (number, json) = part.split_at(space.unwrap_or(part.len()));
        let (number, _) = std::str::from_utf8(number)
            .ok()
            .and_then(|number| number.split_once('/'))
            .ok_or("a record's part has no number")?;
        if number.parse() != Ok(expected) {
            return Err(format!("part {expected} of a record is missing"));
        }
        expected += 1;
        text.extend_from_slice(json.get(1..).unwrap_or_default());
    }
    if expected == 1 {
        return Ok(None);
    }
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| format!("a record cannot be read: {error}"))
}
