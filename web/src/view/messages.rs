//! Message by message.

use maud::{Markup, html};
use parallax_captures::poll::{PolledMessage, UserHeaders};
use parallax_captures::{Exchange, PollAnswer};
use parallax_codec::messages::Message;
use parallax_codec::{Reply, Request};

use super::format::{length, message_time};
use super::payload::{Form, Shown, payload, preview};
use super::wanted_parts::number;
use crate::limits::MESSAGES_SHOWN;
use crate::problem::Problem;

/// The messages of an exchange: which way they went, and where they are.
pub(crate) enum Carried<'a> {
    /// A client sent them.
    Sent(&'a [Message]),
    /// A poll was answered with them.
    Received(&'a [Message]),
    /// A poll over HTTP was.
    OverHttp(PollAnswer),
}

impl<'a> Carried<'a> {
    /// Those of this exchange; none of one that is not about messages.
    pub(crate) fn of(exchange: &'a Exchange) -> Self {
        let Some(content) = exchange.binary() else {
            let none = || Self::Received(&[]);
            return exchange.poll_answer().map_or_else(none, Self::OverHttp);
        };
        match (&content.request, &content.reply) {
            (Some(Request::SendMessages(request)), _) => Self::Sent(&request.messages),
            (_, Some(Reply::PolledMessages(reply))) => Self::Received(&reply.messages),
            _ => Self::Received(&[]),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Sent(messages) | Self::Received(messages) => messages.len(),
            Self::OverHttp(answer) => answer.messages.len(),
        }
    }

    /// The one at this place.
    pub(crate) fn get(&self, place: usize) -> Option<PolledMessage> {
        match self {
            Self::Sent(messages) | Self::Received(messages) => {
                messages.get(place).map(PolledMessage::from)
            }
            Self::OverHttp(answer) => answer.messages.get(place).cloned(),
        }
    }

    pub(crate) const fn verb(&self) -> &'static str {
        match self {
            Self::Sent(_) => "sent",
            Self::Received(_) | Self::OverHttp(_) => "received",
        }
    }
}

/// The message at this place, as it stands in an address.
///
/// # Errors
/// There is none, or it is no place.
pub(crate) fn carried(exchange: &Exchange, place: &str) -> Result<PolledMessage, Problem> {
    let place = number("a message's place", place)?;
    let carried = Carried::of(exchange);
    carried.get(place).ok_or_else(|| {
        let (n, length) = (exchange.n, carried.len());
        Problem::not_found(format!(
            "Exchange {n} has {length} messages, counted from 0."
        ))
    })
}

pub(crate) fn messages(exchange: &Exchange, from: usize) -> Markup {
    let carried = Carried::of(exchange);
    let number = carried.len();
    let from = from.min(number.saturating_sub(1));
    let end = number.min(from + MESSAGES_SHOWN);
    let href = |from: usize| format!("?messages_from={from}#messages");
    html! {
        @if number > 0 {
            section.messages id="messages" aria-labelledby="h-messages" {
                h2 id="h-messages" { "Messages " (carried.verb()) " " small { (length(number)) } }
                @for place in from..end {
                    @if let Some(message) = carried.get(place) { (one(exchange.n, place, &message)) }
                }
                @if end - from < number {
                    p.window {
                        span.cut {
                            @if from == 0 { "Cut after " (MESSAGES_SHOWN) } @else { "Messages " (from + 1) " to " (end) }
                            " of " (length(number)) " messages."
                        }
                        @if from > 0 {
                            " " a data-part="messages" href=(href(from.saturating_sub(MESSAGES_SHOWN))) { "\u{2039} before" }
                        }
                        @if end < number { " " a data-part="messages" href=(href(end)) { "next \u{203a}" } }
                    }
                }
            }
        }
    }
}

/// Where a message can be seen alone.
pub(crate) fn address(n: u64, place: usize) -> String {
    format!("/exchanges/{n}/messages/{place}")
}

fn one(n: u64, place: usize, message: &PolledMessage) -> Markup {
    let shown = Shown {
        payload: &message.payload,
        address: &address(n, place),
        id: &format!("payload-{place}"),
        form: None,
        from: 0,
        all: false,
    };
    html! {
        details.message {
            summary {
                b { "offset " (message.offset) } " "
                span.dim { (length(message.payload.len())) " bytes of " (Form::of(&message.payload).name()) } " "
                bdi { (preview(&message.payload)) }
            }
            (facts(message))
            (payload(shown))
        }
    }
}

/// Everything of a message but its payload.
pub(crate) fn facts(message: &PolledMessage) -> Markup {
    html! {
        dl.facts {
            dt { "id" } dd { (message.id) }
            dt { "appended" } dd { (message_time(message.timestamp)) }
            dt { "produced" } dd { (message_time(message.origin_timestamp)) }
            dt { "checksum" } dd { (message.checksum) }
            dt { "user headers" } dd { (headers(&message.user_headers)) }
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
