//! `PX4xx`: what is wrong with the protocol itself.

pub(super) mod frames;
mod layout;
mod malformed;
mod status;
mod timestamp;
mod unknown;
mod unmatched;
mod unread;

use parallax_captures::catalog::{
    BODY_DOES_NOT_TILE, FRAMING_MISMATCH, SESSION_ENDED_UNASKED, VERSION_REFUSED,
};
use parallax_captures::{Content, Exchange, Finding, Undecoded};
use parallax_codec::vsr::{EvictionHeader, EvictionReason};
use parallax_codec::{Direction, ErrorCode, Reply, Request};

use super::place::place;
use crate::session::Skew;
use layout::Layouts;
use unmatched::Unmatched;

/// The rules, and what some of them know of connections.
#[derive(Debug)]
pub(super) struct Wire {
    unmatched: Unmatched,
    layouts: Layouts,
}

impl Default for Wire {
    fn default() -> Self {
        Self {
            unmatched: Unmatched::new(),
            layouts: Layouts::new(),
        }
    }
}

impl Wire {
    /// What one exchange shows.
    pub(super) fn findings(&mut self, exchange: &Exchange) -> impl Iterator<Item = Finding> {
        let found = [
            version_refused(exchange),
            does_not_tile(exchange),
            ended_unasked(exchange),
            status::ambiguous(exchange),
            self.unmatched.finding(exchange),
            malformed::malformed(exchange),
            unread::left_unread(exchange),
            timestamp::before(exchange),
            self.layouts.finding(exchange),
        ];
        found
            .into_iter()
            .flatten()
            .chain(unknown::unknown(exchange))
    }

    /// What was forgotten for want of room.
    pub(super) const fn forgotten(&self) -> u64 {
        self.unmatched.forgotten() + self.layouts.forgotten()
    }
}

/// PX401, shown by the last exchange before client and server were seen to frame
/// differently.
pub(super) fn skewed(exchange: &Exchange, skew: &Skew) -> Finding {
    let version = skew.client_version.as_deref();
    let evidence = vec![
        skew.to_string(),
        format!(
            "the client says: {}",
            version.unwrap_or("nothing of its version")
        ),
        format!("the server answers: {}", skew.answer),
    ];
    finding(exchange, FRAMING_MISMATCH, evidence)
}

fn version_refused(exchange: &Exchange) -> Option<Finding> {
    let refused = match exchange.eviction() {
        Some(eviction) => eviction.reason == EvictionReason::INCOMPATIBLE_PROTOCOL,
        None => exchange.error() == Some(ErrorCode::INCOMPATIBLE_PROTOCOL_VERSION),
    };
    if !refused {
        return None;
    }
    let asked = match exchange.binary()?.request.as_ref()? {
        Request::LoginRegister(login) => Some(&login.version),
        Request::LoginRegisterWithPat(login) => Some(&login.version),
        _ => None,
    };
    let client = asked.map_or_else(
        || "the client's version could not be read".to_owned(),
        |version| {
            format!(
                "the client is {} {} and speaks protocol {}",
                version.sdk_name, version.sdk_version, version.protocol
            )
        },
    );
    let accepted = exchange
        .eviction()
        .and_then(EvictionHeader::accepted_versions);
    let server = accepted.map_or_else(
        || "the server does not say what it accepts".to_owned(),
        |(oldest, newest)| format!("the server accepts protocol {oldest} to {newest}"),
    );
    Some(finding(exchange, VERSION_REFUSED, vec![client, server]))
}

fn does_not_tile(exchange: &Exchange) -> Option<Finding> {
    let Some(Reply::PolledMessages(reply)) = &exchange.binary()?.reply else {
        return None;
    };
    // What could not be decoded may be the request.
    let of_reply = |undecoded: &&Undecoded| undecoded.direction == Direction::ToClient;
    let undecoded = exchange.undecoded.as_ref().filter(of_reply)?;
    let evidence = vec![
        format!(
            "the reply announces {} messages; {} could be read, and {} bytes are left over",
            reply.count,
            reply.messages.len(),
            reply.left_over.len()
        ),
        undecoded.to_string(),
    ];
    Some(finding(exchange, BODY_DOES_NOT_TILE, evidence))
}

fn ended_unasked(exchange: &Exchange) -> Option<Finding> {
    let Content::Unsolicited(content) = &exchange.content else {
        return None;
    };
    let reason = content.eviction.as_deref()?.reason;
    let evidence = vec![format!(
        "an eviction that answers no request, reason {} ({}): {}",
        reason.0,
        reason.name(),
        reason.meaning()
    )];
    Some(finding(exchange, SESSION_ENDED_UNASKED, evidence))
}

fn finding(
    exchange: &Exchange,
    code: parallax_captures::FindingCode,
    evidence: Vec<String>,
) -> Finding {
    let time = exchange.times.request_first;
    Finding::new(code, place(exchange), exchange.n, time, evidence)
}
