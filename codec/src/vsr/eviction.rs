use super::framer::HEADER_SIZE;
use super::prelude::{Prelude, at, parse_header};
use super::{Command, ProtocolVersion};
use crate::decode::Decode;
use crate::reader::Parsed;
use crate::writer::{Encode, Writer};

/// The header of an eviction: the session is over. It has no body, answers no
/// request and may come at any time (case E1); the server may keep the
/// connection open.
///
/// ```text
///   0 prelude                      128
/// 128 client                       u128
/// 144 server_protocol_version      u32  the newest accepted, by reason 14 alone
/// 148 server_protocol_version_min  u32  the oldest accepted, by reason 14 alone
/// 152 reserved                     103  0
/// 255 reason                       u8   [`EvictionReason`]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `consensus/header.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvictionHeader {
    /// What every header begins with.
    pub prelude: Prelude,
    /// Whose session it was.
    pub client: u128,
    /// The newest protocol that the server accepts, where the client's was refused.
    pub server_protocol_version: ProtocolVersion,
    /// The oldest one.
    pub server_protocol_version_min: ProtocolVersion,
    /// 0 in every known version.
    pub reserved: [u8; 103],
    /// Why.
    pub reason: EvictionReason,
}

impl EvictionHeader {
    /// An eviction as a server writes it for any reason but a refused version.
    pub fn new(client: u128, reason: EvictionReason) -> Self {
        Self {
            prelude: Prelude::new(Command::EVICTION, 0),
            client,
            server_protocol_version: ProtocolVersion(0),
            server_protocol_version_min: ProtocolVersion(0),
            reserved: [0; 103],
            reason,
        }
    }

    /// Reads a header.
    pub fn of(header: &[u8; HEADER_SIZE]) -> Self {
        Self {
            prelude: Prelude::of(header),
            client: u128::from_le_bytes(at(header, 128)),
            server_protocol_version: ProtocolVersion(u32::from_le_bytes(at(header, 144))),
            server_protocol_version_min: ProtocolVersion(u32::from_le_bytes(at(header, 148))),
            reserved: at(header, 152),
            reason: EvictionReason(header[255]),
        }
    }

    /// The versions that the server accepts, oldest and newest, where it says so.
    pub fn accepted_versions(&self) -> Option<(ProtocolVersion, ProtocolVersion)> {
        (self.reason == EvictionReason::INCOMPATIBLE_PROTOCOL).then_some((
            self.server_protocol_version_min,
            self.server_protocol_version,
        ))
    }
}

impl Decode for EvictionHeader {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, header) = parse_header(input)?;
        Ok((rest, Self::of(header)))
    }
}

impl Encode for EvictionHeader {
    fn write(&self, writer: &mut impl Writer) {
        self.prelude.write(writer);
        writer.u128("client", self.client);
        writer.u32("server_protocol_version", self.server_protocol_version.0);
        writer.u32(
            "server_protocol_version_min",
            self.server_protocol_version_min.0,
        );
        writer.bytes("reserved", &self.reserved);
        writer.kind("reason", self.reason.0, self.reason.name());
    }
}

/// Why a session is over.
///
/// From `iggy_binary_protocol` 0.11.0, `consensus/header.rs`. A number that is
/// not listed is kept as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EvictionReason(pub u8);

impl EvictionReason {
    /// The server knows no such session.
    pub const NO_SESSION: Self = Self(1);
    /// Wrong user name or password.
    pub const INVALID_CREDENTIALS: Self = Self(9);
    /// The access token is wrong or expired.
    pub const INVALID_TOKEN: Self = Self(10);
    /// No ping for too long.
    pub const STALE_CLIENT: Self = Self(13);
    /// The client's protocol version is outside what the server accepts.
    pub const INCOMPATIBLE_PROTOCOL: Self = Self(14);
    /// A login without a version, as an older SDK sends it.
    pub const MALFORMED_LOGIN: Self = Self(15);

    /// Names and meanings of reasons 0 to 15.
    const KNOWN: [(&'static str, &'static str); 16] = [
        ("reserved", "the server left the reason out"),
        ("no_session", "the server knows no such session"),
        (
            "client_release_too_low",
            "the client is older than the cluster accepts",
        ),
        (
            "client_release_too_high",
            "the client is newer than the cluster accepts",
        ),
        (
            "invalid_request_operation",
            "the request named an operation that the server does not have",
        ),
        (
            "invalid_request_body",
            "the server could not read the request's body",
        ),
        (
            "invalid_request_body_size",
            "the request's body is not as long as it said",
        ),
        (
            "session_too_low",
            "the session is older than those the server remembers",
        ),
        (
            "session_release_mismatch",
            "the session was opened by another release of the client",
        ),
        ("invalid_credentials", "wrong user name or password"),
        ("invalid_token", "the access token is wrong or expired"),
        ("user_inactive", "the user is not active"),
        ("session_error", "the server failed to open the session"),
        (
            "stale_client",
            "the client did not ping for longer than the server waits; its groups have lost it",
        ),
        (
            "incompatible_protocol",
            "the client's protocol version is outside what the server accepts",
        ),
        (
            "malformed_login",
            "the login does not begin with a version, as that of an older SDK does not",
        ),
    ];

    /// The reason's name, or `unknown`.
    pub fn name(self) -> &'static str {
        self.known().map_or("unknown", |(name, _)| *name)
    }

    /// What it means, as half a sentence.
    pub fn meaning(self) -> &'static str {
        self.known()
            .map_or("for a reason that is not known", |(_, meaning)| *meaning)
    }

    fn known(self) -> Option<&'static (&'static str, &'static str)> {
        Self::KNOWN.get(usize::from(self.0))
    }
}

impl std::fmt::Debug for EvictionReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.0, self.name())
    }
}
