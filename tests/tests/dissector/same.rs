//! What tshark shows and what parallax reads are the same.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use parallax_captures::{Content, Exchange, json};
use parallax_codec::{Field, Value, request_may_carry_secrets};
use parallax_proxy::offline::read_capture;

use super::tshark::{Shown, ShownFrame, frames};

const TYPES: [&str; 6] = ["text", "u32", "u64", "bytes", "none", "flag"];

/// What was compared.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Compared {
    pub(crate) exchanges: usize,
    pub(crate) messages: usize,
    pub(crate) fields: usize,
}

/// Compares a whole capture, exchange by exchange.
pub(crate) fn compare(capture: &Path) -> Compared {
    let reading = read_capture(capture).unwrap();
    let mut exchanges: Vec<_> = reading
        .exchanges
        .iter()
        .filter(|exchange| matches!(exchange.content, Content::Binary(_)))
        .collect();
    exchanges.sort_by_key(|exchange| exchange.times.request_last);
    let (replies, requests): (Vec<_>, Vec<_>) =
        frames(capture).into_iter().partition(ShownFrame::is_reply);
    let requests: Vec<_> = requests
        .into_iter()
        .filter(|frame| frame.value("iggy.command").is_some())
        .collect();
    let mut replies = by_request(replies);
    let name = capture.display();
    assert_eq!(requests.len(), exchanges.len(), "{name}");
    let mut compared = Compared::default();
    for (exchange, request) in exchanges.into_iter().zip(&requests) {
        let answered = replies
            .get_mut(&request.packet)
            .and_then(VecDeque::pop_front);
        let reply_in = answered.as_ref().map(|reply| reply.packet.to_string());
        assert_eq!(
            request.value("iggy.response_in"),
            reply_in.as_deref(),
            "{name}"
        );
        same_exchange(exchange, request, answered.as_ref(), &mut compared);
    }
    let left: usize = replies.values().map(VecDeque::len).sum();
    assert_eq!(left, 0, "{name}: replies to nothing");
    compared
}

/// Replies by the packet of their request; those to one packet in their order.
fn by_request(replies: Vec<ShownFrame>) -> BTreeMap<u64, VecDeque<ShownFrame>> {
    let mut by_request: BTreeMap<u64, VecDeque<ShownFrame>> = BTreeMap::new();
    for reply in replies {
        let packet = reply.value("iggy.response_to").unwrap().parse().unwrap();
        by_request.entry(packet).or_default().push_back(reply);
    }
    by_request
}

fn same_exchange(
    exchange: &Exchange,
    request: &ShownFrame,
    reply: Option<&ShownFrame>,
    compared: &mut Compared,
) {
    let json = json::exchange(exchange);
    let told = |name: &str| json[name].as_u64().map(|number| number.to_string());
    let asked = format!("{} in packet {}", exchange.command(), request.packet);
    assert_eq!(
        request.value("iggy.command"),
        json["command"].as_str(),
        "{asked}"
    );
    assert_eq!(
        request.value("iggy.code"),
        told("code").as_deref(),
        "{asked}"
    );
    let of_reply = |name: &str| reply.and_then(|reply| reply.value(name));
    let status = of_reply("iggy.status").or_else(|| of_reply("iggy.vsr.status"));
    if json["response"].get("eviction").is_none() {
        assert_eq!(status, told("status").as_deref(), "{asked}");
    }
    assert_eq!(of_reply("iggy.error"), json["error"].as_str(), "{asked}");
    if let Some(reply) = reply {
        let seconds: f64 = reply.value("iggy.time").unwrap().parse().unwrap();
        let latency = exchange.latency().unwrap().as_secs_f64();
        assert!(
            (seconds - latency).abs() < 2e-6,
            "{asked}: {seconds} {latency}"
        );
    }
    let is_malformed = [Some(request), reply]
        .into_iter()
        .flatten()
        .any(|frame| !frame.all("iggy.malformed").is_empty());
    assert_eq!(
        is_malformed,
        exchange.undecoded.is_some(),
        "{asked} {:?}",
        exchange.undecoded
    );
    if exchange.undecoded.is_some() {
        return;
    }
    compared.exchanges += 1;
    // Where a password was masked, the checksum over it was made anew.
    let masked = exchange.code().is_some_and(request_may_carry_secrets);
    let leaves_out = if masked {
        Some("request_checksum")
    } else {
        None
    };
    compared.fields += same_fields(&asked, &exchange.request_fields(), request, leaves_out);
    if let Some(reply) = reply {
        compared.fields += same_fields(&asked, &exchange.reply_fields(), reply, leaves_out);
    }
    for (side, frame) in [("request", Some(request)), ("response", reply)] {
        compared.messages += same_messages(&asked, &json[side]["messages"], frame);
    }
}

/// Offsets and ids of messages; in a batch record offsets stand as differences.
fn same_messages(asked: &str, messages: &serde_json::Value, frame: Option<&ShownFrame>) -> usize {
    let Some(messages) = messages.as_array() else {
        return 0;
    };
    let shown = frame.unwrap().all("iggy.message");
    assert_eq!(shown.len(), messages.len(), "{asked}");
    for (message, shown) in messages.iter().zip(shown) {
        let shown = ShownFrame {
            packet: 0,
            frame: shown.clone(),
        };
        let offset = message["offset"].to_string().replace('"', "");
        assert_eq!(
            shown.value("iggy.message.offset"),
            Some(offset.as_str()),
            "{asked}"
        );
        assert_eq!(
            shown.value("iggy.message.id"),
            message["id"].as_str(),
            "{asked}"
        );
    }
    messages.len()
}

/// Names, places and values of all fields that have bytes; of one of them not the
/// value.
fn same_fields(asked: &str, ours: &[Field], frame: &ShownFrame, leaves_out: Option<&str>) -> usize {
    let mut expected = Vec::new();
    flatten_ours(ours, &mut expected);
    let mut shown = Vec::new();
    for field in &frame.frame.inner {
        flatten_shown(field, frame.frame.at, &mut shown);
    }
    // Where two fields of one name differ in type, one is called by its type as well.
    for (shown, (expected, ..)) in shown.iter_mut().zip(&expected) {
        let by_type = TYPES.map(|ty| format!("{expected}_{ty}"));
        if by_type.contains(&shown.0) {
            shown.0.clone_from(expected);
        }
    }
    let names = |all: &[(String, usize, usize, Option<String>)]| -> Vec<_> {
        let lines = all
            .iter()
            .map(|(name, at, length, _)| format!("{name} {at} {length}"));
        lines.collect()
    };
    assert_eq!(names(&shown), names(&expected), "{asked}");
    // What the codec does not keep of an index is written anew.
    let is_kept = |name: &str| !["zero", "end"].contains(&name) && Some(name) != leaves_out;
    let pairs = shown.iter().zip(&expected);
    for (shown, expected) in pairs.filter(|(shown, _)| is_kept(&shown.0)) {
        if let (Some(shown_value), Some(value)) = (&shown.3, &expected.3) {
            assert_eq!(shown_value, value, "{asked}: {}", shown.0);
        }
    }
    expected.len()
}

fn flatten_ours(fields: &[Field], all: &mut Vec<(String, usize, usize, Option<String>)>) {
    for field in fields {
        if field.range.is_empty() {
            continue;
        }
        let value = match &field.value {
            Value::Number(number) | Value::Kind { number, .. } => Some(number.to_string()),
            Value::Wide(number) => Some(number.to_string()),
            Value::Text(text) => Some(text.clone()),
            Value::Flag(flag) => Some(if *flag { "1" } else { "0" }.to_owned()),
            _ => None,
        };
        all.push((
            field.name.to_owned(),
            field.range.start,
            field.range.len(),
            value,
        ));
        if let Value::Group(inner) | Value::List(inner) = &field.value {
            flatten_ours(inner, all);
        }
    }
}

fn flatten_shown(
    field: &Shown,
    start: usize,
    all: &mut Vec<(String, usize, usize, Option<String>)>,
) {
    // What is generated has no bytes, or those of what it tells of.
    let is_ours = field.name.starts_with("iggy.") && field.length > 0;
    if is_ours && !["iggy.secret", "iggy.vsr"].contains(&field.name.as_str()) {
        let (path, last) = field.name.rsplit_once('.').unwrap();
        let (name, value) = match last {
            // A value of several kinds is shown by what it is in.
            "bytes" if path.ends_with("user_headers") => ("user_headers", None),
            "bytes" => ("value", None),
            // Options are laid out as user headers are.
            "option" if path == "iggy" => ("user_header", None),
            _ => (last, Some(field.value.clone())),
        };
        all.push((name.to_owned(), field.at - start, field.length, value));
    }
    for inner in &field.inner {
        flatten_shown(inner, start, all);
    }
}
