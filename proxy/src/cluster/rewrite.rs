//! Advertised addresses replaced, and nothing else.

use std::net::SocketAddr;

use bytes::Bytes;
use parallax_codec::classic::{self, Direction};
use parallax_codec::commands::{ClusterMetadata, ClusterNode, PollRouting};
use parallax_codec::{Decode as _, DecodeError, Dialect, Encode as _, code, vsr};

use super::{Endpoint, Listeners};

/// A reply in which nodes were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The whole frame: the one that was given, where nothing was replaced.
    pub frame: Bytes,
    /// The nodes whose address was replaced, in the reply's order.
    pub replaced: Vec<Replaced>,
    /// Addresses that lead around parallax: no listener stands for them.
    pub left: Vec<Endpoint>,
}

/// A node whose address was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The node's name.
    pub node: String,
    /// Where the server says that it is.
    pub from: Endpoint,
    /// Where the client is told that it is.
    pub to: Endpoint,
}

impl Rewritten {
    fn untouched(frame: &Bytes) -> Self {
        Self {
            frame: frame.clone(),
            replaced: Vec::new(),
            left: Vec::new(),
        }
    }
}

/// Whether replies to this command name nodes.
pub const fn names_nodes(command: u32) -> bool {
    matches!(
        command,
        code::GET_CLUSTER_METADATA | code::GET_POLL_ROUTING | code::GET_CONSUMER_OFFSET_ROUTING
    )
}

/// A whole reply frame to `command`, for a client that has reached parallax at `reached`:
/// the host and the TCP port of each node that a listener stands for are the listener's;
/// lengths, and in the VSR dialect the sums that the frame carries, are those of what it
/// is now; every other byte stays, names, roles and the ports of other transports among
/// them. A reply to another command, a refusal, and what is no whole reply stay as they
/// are.
///
/// # Errors
/// The body is not as known: which field, and where. Such a reply is to be passed on as
/// it is.
pub fn rewrite(
    dialect: Dialect,
    command: u32,
    frame: &Bytes,
    listeners: &Listeners,
    reached: SocketAddr,
) -> Result<Rewritten, DecodeError> {
    let mut rewritten = Rewritten::untouched(frame);
    let Some(body) = body(dialect, frame).filter(|body| names_nodes(command) && !body.is_empty())
    else {
        return Ok(rewritten);
    };
    let mut replace = |node: &mut ClusterNode| {
        let Some(from) = Endpoint::of(node) else {
            return;
        };
        match listeners.standing_for(&from, reached) {
            Some(to) if to == from => {}
            Some(to) => {
                node.ip = to.host();
                node.tcp_port = to.port();
                let node = node.name.clone();
                rewritten.replaced.push(Replaced { node, from, to });
            }
            None if listeners.lead_to(&from, reached.ip()) => {}
            None => rewritten.left.push(from),
        }
    };
    let body = if command == code::GET_CLUSTER_METADATA {
        let mut metadata = ClusterMetadata::decode_all(&body)?;
        metadata.nodes.iter_mut().for_each(&mut replace);
        metadata.encode()
    } else {
        let mut routing = PollRouting::decode_all(&body)?;
        replace(&mut routing.primary);
        routing.encode()
    };
    if !rewritten.replaced.is_empty()
        && let Some(frame) = with_body(dialect, frame, &body)
    {
        rewritten.frame = frame;
    }
    Ok(rewritten)
}

/// The body of exactly one reply.
fn body(dialect: Dialect, frame: &Bytes) -> Option<Bytes> {
    let (body, end) = match dialect {
        Dialect::Classic => {
            let frame = classic::Frame::kept(Direction::ToClient, frame.clone())?;
            (frame.body.clone(), (frame.word == 0).then(|| frame.end())?)
        }
        Dialect::Vsr => {
            let frame = vsr::Frame::kept(frame.clone())?;
            let is_reply = frame.command() == vsr::Command::REPLY;
            (frame.body.clone(), is_reply.then(|| frame.end())?)
        }
    };
    match body {
        vsr::Body::Whole(body) if end == frame.len() as u64 => Some(body),
        _ => None,
    }
}

fn with_body(dialect: Dialect, frame: &Bytes, body: &[u8]) -> Option<Bytes> {
    match dialect {
        Dialect::Classic => {
            let old = classic::Frame::kept(Direction::ToClient, frame.clone())?;
            Some(classic::encode_reply(old.word, body))
        }
        Dialect::Vsr => vsr::with_body(frame, body),
    }
}
