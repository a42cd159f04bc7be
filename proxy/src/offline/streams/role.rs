//! Which end of a stream is the client, where its opening was not captured.

use parallax_captures::import::http::looks_like_http;
use parallax_captures::import::reassembly::{Ending, StreamEventKind};
use parallax_codec::{Direction, classic, vsr};

/// Which end of a stream is taken for the client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The one that events call so, for sure.
    Known,
    /// The same, for want of better knowledge.
    Guessed,
    /// The other one: its bytes say so.
    Turned,
}

impl Role {
    /// The same, known for sure.
    pub(super) const fn sure(self) -> Self {
        match self {
            Self::Known | Self::Guessed => Self::Known,
            Self::Turned => Self::Turned,
        }
    }
}

/// Whether bytes are such as the other end sends: requests from the server, or replies
/// from the client.
pub(super) fn is_the_other_ends(kind: &StreamEventKind) -> bool {
    let StreamEventKind::Bytes { direction, bytes } = kind else {
        return false;
    };
    match direction {
        Direction::ToServer => bytes.starts_with(b"HTTP/1.") || vsr::looks_like_reply(bytes),
        Direction::ToClient => {
            classic::looks_like_request(bytes)
                || vsr::looks_like_request(bytes)
                || looks_like_http(bytes) == Some(true) && !bytes.starts_with(b"HTTP/1.")
        }
    }
}

/// The same of the other direction.
pub(super) fn turn(kind: &mut StreamEventKind) {
    let (StreamEventKind::Bytes { direction, .. }
    | StreamEventKind::Gap { direction, .. }
    | StreamEventKind::HalfClosed { direction }
    | StreamEventKind::Closed {
        how: Ending::Reset { direction },
    }) = kind
    else {
        return;
    };
    *direction = match direction {
        Direction::ToServer => Direction::ToClient,
        Direction::ToClient => Direction::ToServer,
    };
}
