//! What stands beside what.

use parallax_codec::messages::UserHeader;
use parallax_codec::primitives::partition_meaning;

use super::{BytesDiffer, ComparedField, first_difference};
use crate::poll::{PollAnswer, PolledMessage, UserHeaders};
use crate::verdict::{MirrorAnswer, MirrorOutcome, TcpOutcome};

/// The fields of the answers themselves; their counts are compared where both were
/// asked for as many messages.
pub(super) fn of_answers(
    tcp: &TcpOutcome,
    http: &MirrorAnswer,
    same_count: bool,
) -> Vec<ComparedField> {
    let (tcp_body, status) = match tcp {
        TcpOutcome::Answered(body) => (Some(body), 0),
        TcpOutcome::Refused(code) => (None, code.0),
    };
    let (http_body, refusal) = match &http.outcome {
        MirrorOutcome::Answered(body) => (Some(body), None),
        MirrorOutcome::Refused(refusal) => (None, Some(refusal)),
        MirrorOutcome::Stored(_) | MirrorOutcome::Failed(_) => (None, None),
    };
    let http_status = refusal.map_or(Some(0), |refusal| refusal.code.map(|code| code.0));
    let mut fields = vec![
        field("status", Some(told(tcp)), Some(http_told(http)))
            .equal_if(Some(status) == http_status),
    ];
    if status != 0 || refusal.is_some() {
        // On TCP an error is its code alone (case A1).
        let reason = refusal.map(|refusal| refusal.reason.clone());
        fields.push(ComparedField {
            comparable: false,
            ..field(
                "error text",
                None,
                reason.filter(|reason| !reason.is_empty()),
            )
        });
    }
    // An error has none of these: what the other side's answer has is no difference.
    let is_told = tcp_body.is_some() && http_body.is_some();
    let whole = |name, value: fn(&PollAnswer) -> String| ComparedField {
        comparable: is_told,
        ..field(name, tcp_body.map(value), http_body.map(value))
    };
    fields.push(whole("partition", |body| {
        partition_meaning(body.partition_id)
            .map_or_else(|| body.partition_id.to_string(), str::to_owned)
    }));
    fields.push(whole("current offset", |body| {
        body.current_offset.to_string()
    }));
    fields.push(ComparedField {
        comparable: is_told && same_count,
        ..whole("count", |body| body.count.to_string())
    });
    fields.retain(|field| field.tcp.is_some() || field.http.is_some());
    fields
}

fn told(tcp: &TcpOutcome) -> String {
    match tcp {
        TcpOutcome::Answered(_) => "0 ok".to_owned(),
        TcpOutcome::Refused(code) => code.to_string(),
    }
}

fn http_told(http: &MirrorAnswer) -> String {
    match &http.outcome {
        MirrorOutcome::Refused(refusal) => match refusal.code {
            Some(code) => format!("HTTP {}: {code}", refusal.http_status),
            None => format!("HTTP {}", refusal.http_status),
        },
        _ => "HTTP 200".to_owned(),
    }
}

/// Whether two messages are one, in everything that both transports tell. A
/// payload of which only the beginning was kept is equal as far as that goes.
pub(super) fn same_message(tcp: &PolledMessage, http: &PolledMessage) -> bool {
    of_messages(tcp, http).iter().all(|field| field.equal)
}

/// The fields of two messages at one offset.
pub(super) fn of_messages(tcp: &PolledMessage, http: &PolledMessage) -> Vec<ComparedField> {
    let both = |name, value: fn(&PolledMessage) -> String| {
        field(name, Some(value(tcp)), Some(value(http)))
    };
    let kept = tcp.payload.len().min(http.payload.len());
    let is_cut = tcp.payload_left_out + http.payload_left_out > 0;
    let (one, other) = if is_cut && tcp.payload_length() == http.payload_length() {
        (&tcp.payload[..kept], &http.payload[..kept])
    } else {
        (&tcp.payload[..], &http.payload[..])
    };
    let payload = bytes_field(
        "payload",
        (&payload(tcp), &payload(http)),
        first_difference(one, other),
    );
    vec![
        both("id", |message| message.id.to_string()),
        both("timestamp", |message| message.timestamp.to_string()),
        both("origin_timestamp", |message| {
            message.origin_timestamp.to_string()
        }),
        both("checksum", |message| message.checksum.to_string()),
        payload,
        headers_field(&tcp.user_headers, &http.user_headers),
    ]
}

fn payload(message: &PolledMessage) -> String {
    let length = message.payload_length();
    match message.payload_left_out {
        0 => format!("{length} bytes"),
        _ => format!(
            "{length} bytes, of which {} were kept",
            message.payload.len()
        ),
    }
}

fn headers_field(tcp: &UserHeaders, http: &UserHeaders) -> ComparedField {
    if let (UserHeaders::Opaque(one), UserHeaders::Opaque(other)) = (tcp, http) {
        let differs = first_difference(one, other);
        return bytes_field("user_headers", (&headers(tcp), &headers(http)), differs);
    }
    let (one, other) = (headers(tcp), headers(http));
    let equal = tcp.says_the_same(http);
    // As they are written here: over HTTP they have no bytes of their own.
    let differs = first_difference(one.as_bytes(), other.as_bytes());
    ComparedField {
        bytes: differs.filter(|_| !equal),
        ..field("user_headers", Some(one), Some(other)).equal_if(equal)
    }
}

fn headers(headers: &UserHeaders) -> String {
    match headers {
        UserHeaders::Opaque(bytes) => format!("{} bytes that are no headers", bytes.len()),
        UserHeaders::Decoded(pairs) if pairs.is_empty() => "none".to_owned(),
        UserHeaders::Decoded(pairs) => {
            let words = |pair: &UserHeader| {
                format!("{}={} ({})", pair.key, pair.value, pair.value.kind.name())
            };
            pairs.iter().map(words).collect::<Vec<_>>().join(", ")
        }
    }
}

fn bytes_field(
    name: &'static str,
    (tcp, http): (&str, &str),
    bytes: Option<BytesDiffer>,
) -> ComparedField {
    ComparedField {
        equal: bytes.is_none(),
        bytes,
        ..field(name, Some(tcp.to_owned()), Some(http.to_owned()))
    }
}

fn field(name: &'static str, tcp: Option<String>, http: Option<String>) -> ComparedField {
    ComparedField {
        equal: tcp == http,
        name,
        tcp,
        http,
        comparable: true,
        bytes: None,
    }
}

impl ComparedField {
    /// The same, equal in meaning where this holds: `0 ok` and `HTTP 200`.
    fn equal_if(self, equal: bool) -> Self {
        Self { equal, ..self }
    }
}
