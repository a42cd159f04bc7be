//! Two answers as JSON.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::{Value, json};

use super::{Aligned, BytesDiffer, ComparedField, TwoAnswers, http_messages};
use crate::exchange::Exchange;
use crate::json::number;
use crate::latency::Side;
use crate::poll::PolledMessage;
use crate::verdict::{TcpOutcome, Verdict};

/// What the verdict on an exchange compared, side by side: `counted` (and in
/// `words`), `fields`, and `messages` by offset, each `equal`, `differs`, `only_tcp`,
/// `only_http`, `not_asked_of_http` or `not_asked_of_tcp`. `null` where it did not compare two answers.
pub fn json(exchange: &Exchange, verdict: &Verdict) -> Value {
    let two = TwoAnswers::in_exchange(exchange, verdict);
    let (Some(two), Some(http), Ok(tcp)) = (two, verdict.answers.first(), TcpOutcome::of(exchange))
    else {
        return Value::Null;
    };
    let counted = two.counted();
    let (tcp, http) = (super::messages(&tcp), http_messages(http));
    json!({
        "words": counted.words(),
        "counted": {
            "fields": counted.fields,
            "fields_differ": counted.fields_differ,
            "messages_equal": counted.equal,
            "messages_differ": counted.differ,
            "messages_only_tcp": counted.only_tcp,
            "messages_only_http": counted.only_http,
            "messages_not_asked": counted.not_asked,
        },
        "fields": two.fields.iter().map(field).collect::<Vec<_>>(),
        "messages": two.messages.iter().map(|one| aligned(one, tcp, http)).collect::<Vec<_>>(),
    })
}

fn aligned(aligned: &Aligned, tcp: &[PolledMessage], http: &[PolledMessage]) -> Value {
    match aligned {
        Aligned::Equal(range) => run("equal", tcp, range),
        Aligned::OnlyTcp(range) => run("only_tcp", tcp, range),
        Aligned::OnlyHttp(range) => run("only_http", http, range),
        Aligned::NotAsked(Side::Tcp, range) => run("not_asked_of_http", tcp, range),
        Aligned::NotAsked(Side::Http, range) => run("not_asked_of_tcp", http, range),
        Aligned::Differs { offset, fields, .. } => json!({
            "is": "differs",
            "first_offset": number(*offset),
            "last_offset": number(*offset),
            "count": 1,
            "fields": fields.iter().map(field).collect::<Vec<_>>(),
        }),
    }
}

fn run(is: &str, messages: &[PolledMessage], range: &Range<usize>) -> Value {
    let messages = &messages[range.clone()];
    json!({
        "is": is,
        "first_offset": messages.first().map(|message| number(message.offset)),
        "last_offset": messages.last().map(|message| number(message.offset)),
        "count": messages.len(),
    })
}

fn field(field: &ComparedField) -> Value {
    json!({
        "field": field.name,
        "tcp": field.tcp,
        "http": field.http,
        "equal": field.equal,
        "comparable": field.comparable,
        "bytes": field.bytes.as_ref().map(bytes),
    })
}

/// The bytes in hex.
fn bytes(bytes: &BytesDiffer) -> Value {
    json!({
        "first_difference": bytes.at,
        "quoted_from": bytes.from,
        "tcp": hex(&bytes.tcp),
        "http": hex(&bytes.http),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}
