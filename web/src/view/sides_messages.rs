//! Two answers with messages: their fields, and their messages by offset.

use std::collections::BTreeMap;

use maud::{Markup, html};
use parallax_captures::PollAnswer;
use parallax_captures::poll::{PolledMessage, UserHeaders};

use super::format::{length, message_time};
use super::payload::preview;
use crate::limits::MESSAGES_SHOWN;

pub(crate) fn side_by_side(tcp: &PollAnswer, http: &PollAnswer) -> Markup {
    let fields = [
        (
            "partition_id",
            tcp.partition_id.to_string(),
            http.partition_id.to_string(),
        ),
        (
            "current_offset",
            tcp.current_offset.to_string(),
            http.current_offset.to_string(),
        ),
        ("count", tcp.count.to_string(), http.count.to_string()),
    ];
    let (equal, different) = aligned(tcp, http);
    html! {
        table.compare {
            caption { "Field by field" }
            thead { tr { th scope="col" { "Field" } th scope="col" { "TCP" } th scope="col" { "HTTP" } } }
            tbody {
                @for (name, tcp, http) in &fields { (line(name, tcp, http)) }
            }
            @for (offset, sides) in different.iter().take(MESSAGES_SHOWN) {
                (message(*offset, sides.0, sides.1))
            }
        }
        @if different.len() > MESSAGES_SHOWN {
            p.cut { "Cut after " (MESSAGES_SHOWN) " of " (length(different.len())) " messages that differ." }
        }
        @if equal > 0 {
            p.dim {
                (length(equal)) " of " (length(equal + different.len()))
                " messages are equal in offset, id, times, checksum, payload and headers."
            }
        }
    }
}

type Sides<'a> = (Option<&'a PolledMessage>, Option<&'a PolledMessage>);

/// How many offsets hold equal messages, and those that do not.
fn aligned<'a>(tcp: &'a PollAnswer, http: &'a PollAnswer) -> (usize, Vec<(u64, Sides<'a>)>) {
    let mut by_offset: BTreeMap<u64, Sides<'a>> = BTreeMap::new();
    for message in &tcp.messages {
        by_offset.entry(message.offset).or_default().0 = Some(message);
    }
    for message in &http.messages {
        by_offset.entry(message.offset).or_default().1 = Some(message);
    }
    let all = by_offset.len();
    by_offset.retain(|_, (tcp, http)| tcp != http);
    (all - by_offset.len(), by_offset.into_iter().collect())
}

fn message(offset: u64, tcp: Option<&PolledMessage>, http: Option<&PolledMessage>) -> Markup {
    let (tcp, http) = (tcp.map(shown), http.map(shown));
    html! {
        tbody {
            tr { th.group scope="rowgroup" colspan="3" { "message at offset " (offset) } }
            @if let (Some(tcp), Some(http)) = (&tcp, &http) {
                @for ((name, tcp), (_, http)) in tcp.iter().zip(http) { (line(name, tcp, http)) }
            } @else {
                tr.differs {
                    th scope="row" { "present" }
                    td { mark { (if tcp.is_some() { "yes" } else { "no" }) } }
                    td { mark { (if http.is_some() { "yes" } else { "no" }) } }
                }
            }
        }
    }
}

fn shown(message: &PolledMessage) -> [(&'static str, String); 6] {
    let headers = match &message.user_headers {
        UserHeaders::Decoded(pairs) => pairs
            .iter()
            .map(|pair| format!("{}={} ({})", pair.key, pair.value, pair.value.kind.name()))
            .collect::<Vec<_>>()
            .join(", "),
        UserHeaders::Opaque(bytes) => format!("{} bytes", length(bytes.len())),
    };
    let payload = &message.payload;
    [
        ("id", message.id.to_string()),
        ("timestamp", message_time(message.timestamp)),
        ("origin_timestamp", message_time(message.origin_timestamp)),
        ("checksum", message.checksum.to_string()),
        (
            "payload",
            format!(
                "{} bytes{}: {}",
                length(message.payload_length()),
                if message.payload_left_out > 0 {
                    format!(" ({} kept)", length(payload.len()))
                } else {
                    String::new()
                },
                preview(payload)
            ),
        ),
        ("user_headers", headers),
    ]
}

fn line(name: &str, tcp: &str, http: &str) -> Markup {
    html! {
        @if tcp == http {
            tr { th scope="row" { (name) } td { bdi { (tcp) } } td { bdi { (http) } } }
        } @else {
            tr.differs {
                th scope="row" { (name) }
                td { mark { bdi { (tcp) } } }
                td { mark { bdi { (http) } } }
            }
        }
    }
}
