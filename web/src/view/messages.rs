//! Message by message.

use maud::{Markup, html};
use parallax_captures::Exchange;
use parallax_captures::poll::{PolledMessage, UserHeaders};
use parallax_codec::Request;

use super::format::{length, message_time};
use super::payload::{payload, preview};
use crate::limits::MESSAGES_SHOWN;

pub(crate) fn messages(exchange: &Exchange) -> Markup {
    let sent = match exchange
        .binary()
        .and_then(|content| content.request.as_ref())
    {
        Some(Request::SendMessages(request)) => request.messages.as_slice(),
        _ => &[],
    };
    let answer = exchange.poll_answer();
    let polled = answer.map(|answer| answer.messages).unwrap_or_default();
    let (verb, all): (_, Vec<PolledMessage>) = if sent.is_empty() {
        ("received", polled)
    } else {
        let cut = sent.iter().take(MESSAGES_SHOWN);
        ("sent", cut.map(PolledMessage::from).collect())
    };
    let number = all.len().max(sent.len());
    html! {
        @if number > 0 {
            section {
                h2 { "Messages " (verb) " " small { (length(number)) } }
                @for message in all.iter().take(MESSAGES_SHOWN) { (one(message)) }
                @if number > MESSAGES_SHOWN {
                    p.cut {
                        "Cut after " (MESSAGES_SHOWN) " of " (length(number)) " messages."
                    }
                }
            }
        }
    }
}

fn one(message: &PolledMessage) -> Markup {
    html! {
        details.message {
            summary {
                b { "offset " (message.offset) } " "
                span.dim { (length(message.payload.len())) " bytes" } " "
                bdi { (preview(&message.payload)) }
            }
            dl.facts {
                dt { "id" } dd { (message.id) }
                dt { "appended" } dd { (message_time(message.timestamp)) }
                dt { "produced" } dd { (message_time(message.origin_timestamp)) }
                dt { "checksum" } dd { (message.checksum) }
                dt { "user headers" } dd { (headers(&message.user_headers)) }
            }
            (payload(&message.payload))
        }
    }
}

fn headers(headers: &UserHeaders) -> Markup {
    html! {
        @match headers {
            UserHeaders::Decoded(pairs) if pairs.is_empty() => "none",
            UserHeaders::Decoded(pairs) => {
                ul.plain {
                    @for pair in pairs {
                        li {
                            bdi { (pair.key) } " = " bdi { (pair.value) }
                            " " span.dim { (pair.value.kind.name()) }
                        }
                    }
                }
            }
            UserHeaders::Opaque(bytes) => {
                (length(bytes.len())) " bytes that are no headers (encrypted by the client?)"
            }
        }
    }
}
