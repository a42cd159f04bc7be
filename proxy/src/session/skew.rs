//! Client and server that frame differently.

use std::collections::VecDeque;

use parallax_captures::decoding::AnyFrame;
use parallax_codec::vsr::{self, EvictionHeader};
use parallax_codec::{Body, Dialect, Direction, Request, classic, code};

use super::login::sdk;
use super::pairing::OpenRequest;

/// A client of one dialect on a server of the other (case E3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skew {
    /// The client's dialect.
    pub client: Dialect,
    /// The server's.
    pub server: Dialect,
    /// What the client said of its version, where it could be read.
    pub client_version: Option<String>,
    /// What the server answered, in words.
    pub answer: String,
}

impl Skew {
    /// Whether the server's first bytes, to a client of this dialect that began
    /// with `asked`, are of the other dialect; see [`may_become`](Self::may_become).
    pub(super) fn of(client: Dialect, asked: &AnyFrame, answer: &[u8]) -> Option<Self> {
        match client {
            Dialect::Classic => {
                let header = answer.first_chunk::<{ vsr::HEADER_SIZE }>()?;
                vsr::looks_like_frame(Direction::ToClient, answer).then(|| Self {
                    client,
                    server: Dialect::Vsr,
                    client_version: version_of(asked),
                    answer: vsr_answer(header),
                })
            }
            Dialect::Vsr => {
                let status = u32::from_le_bytes(*answer.first_chunk()?);
                let is_classic = status != 0 && classic::looks_like_reply(answer);
                is_classic.then(|| Self {
                    client,
                    server: Dialect::Classic,
                    client_version: version_of(asked),
                    answer: classic_answer(answer),
                })
            }
        }
    }
}

impl Skew {
    /// Whether more bytes may show that these are of the other dialect.
    ///
    /// A VSR frame begins with 32 zeros, which in the classic dialect are four
    /// empty replies; a classic refusal begins with a status, which no VSR frame
    /// does.
    pub(super) fn may_become(client: Dialect, open: &VecDeque<OpenRequest>, answer: &[u8]) -> bool {
        match client {
            Dialect::Classic => {
                let zeros = answer.iter().take(ZEROS).all(|byte| *byte == 0);
                // Of that many bytes all may be empty replies, but to a login,
                // which is never answered with nothing.
                let replies = open.len() * classic::FRAME_HEADER_SIZE;
                let is_login = open.front().is_some_and(|request| is_login(&request.frame));
                let too_many = answer.len() > replies || is_login;
                zeros && too_many && answer.len() < vsr::HEADER_SIZE
            }
            Dialect::Vsr => answer.len() < classic::FRAME_HEADER_SIZE,
        }
    }
}

/// Zeros that a VSR frame to a client begins with: its two checksums.
const ZEROS: usize = 32;

impl std::fmt::Display for Skew {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |dialect| match dialect {
            Dialect::Classic => "the classic dialect (8-byte headers, servers up to 0.8)",
            Dialect::Vsr => "the VSR dialect (256-byte headers, servers from 0.9)",
        };
        write!(
            f,
            "the client speaks {}, the server answers in {}",
            name(self.client),
            name(self.server)
        )
    }
}

fn is_login(frame: &AnyFrame) -> bool {
    const LOGINS: [u32; 2] = [code::LOGIN_USER, code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN];
    matches!(frame, AnyFrame::Classic(frame, _) if LOGINS.contains(&frame.word))
}

fn vsr_answer(header: &[u8; vsr::HEADER_SIZE]) -> String {
    let eviction = EvictionHeader::of(header);
    if eviction.prelude.command != vsr::Command::EVICTION {
        return format!("a VSR frame: {}", eviction.prelude.command.name());
    }
    let accepted = eviction
        .accepted_versions()
        .map(|(oldest, newest)| format!("; it accepts protocol {oldest} to {newest}"));
    format!(
        "an eviction, reason {} ({}): {}{}",
        eviction.reason.0,
        eviction.reason.name(),
        eviction.reason.meaning(),
        accepted.unwrap_or_default()
    )
}

/// A classic server reads a VSR frame as many empty requests.
fn classic_answer(answer: &[u8]) -> String {
    let refusals = answer
        .chunks_exact(classic::FRAME_HEADER_SIZE)
        .take_while(|reply| classic::looks_like_reply(reply))
        .count();
    let status = answer.first_chunk().copied().unwrap_or_default();
    let status = u32::from_le_bytes(status);
    format!(
        "classic refusals, status {status} ({refusals} in the first bytes): it reads the \
         client's 256-byte header as empty requests, and the client waits for 256 bytes"
    )
}

fn version_of(asked: &AnyFrame) -> Option<String> {
    let (dialect, code) = match asked {
        AnyFrame::Classic(frame, _) => (Dialect::Classic, frame.word),
        AnyFrame::Vsr(_) => (Dialect::Vsr, code::LOGIN_REGISTER),
    };
    let Body::Whole(body) = asked.body() else {
        return None;
    };
    match Request::decode(dialect, code, body).ok()? {
        Request::LoginUser(login) => login.version,
        Request::LoginRegister(login) => Some(sdk(&login.version)),
        _ => None,
    }
}
