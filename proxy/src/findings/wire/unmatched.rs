//! PX406: a reply that answers nothing.

use parallax_captures::catalog::REPLY_TO_NOTHING;
use parallax_captures::{ConnectionId, Content, Exchange, Finding};
use parallax_codec::vsr::{Command, HEADER_SIZE, ReplyHeader};

use crate::bounded::Bounded;
use crate::limits::CONNECTIONS_KNOWN;

/// Connections of which bytes were missed: what their later replies answer may
/// have been among them.
#[derive(Debug)]
pub(super) struct Unmatched {
    missed: Bounded<ConnectionId, bool>,
}

impl Unmatched {
    pub(super) fn new() -> Self {
        Self {
            missed: Bounded::new(CONNECTIONS_KNOWN),
        }
    }

    pub(super) fn finding(&mut self, exchange: &Exchange) -> Option<Finding> {
        let frame = match &exchange.content {
            Content::Unsolicited(content) => &content.frame,
            Content::Binary(content) => {
                // A request that was decoded, is without a reply, and the session
                // says why.
                let abandoned = content.status.is_none() && content.reply_frame.is_empty();
                if abandoned && content.request.is_some() && exchange.undecoded.is_some() {
                    *self.missed.entry(&exchange.conn) = true;
                }
                return None;
            }
            Content::Http(_) => return None,
        };
        let header = ReplyHeader::of(frame.first_chunk::<HEADER_SIZE>()?);
        let missed = self.missed.get(&exchange.conn).is_some();
        if header.prelude.command != Command::REPLY || missed {
            return None;
        }
        let evidence = vec![format!(
            "a reply says that it answers request {}, operation {} ({}), and no such request is \
             open on this connection",
            header.request,
            header.operation.0,
            header.operation.name()
        )];
        Some(super::finding(exchange, REPLY_TO_NOTHING, evidence))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.missed.forgotten()
    }
}
