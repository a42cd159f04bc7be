use bytes::{BufMut as _, Bytes, BytesMut};

use super::framer::HEADER_SIZE;
use super::prelude::{Prelude, at, parse_header};
use super::{Command, Operation};
use crate::checksum::{Checksum, xxh3};
use crate::command::code;
use crate::commands::{LoginRegister, LoginRegisterWithPat};
use crate::decode::Decode;
use crate::reader::Parsed;
use crate::writer::{Encode, Writer};

/// The header of a client's request.
///
/// ```text
///   0 prelude           128
/// 128 client            u128  chosen by the client, the same for a session
/// 144 request_checksum  u128  XXH3-64 of the body; 0 where not stamped
/// 160 timestamp         u64   0 from a client
/// 168 request           u64   counts writes; reads repeat the last number
/// 176 operation         u8    [`Operation`]
/// 177 operation_padding 7     0
/// 184 session           u64   as the login's reply gave it; 0 in a login
/// 192 user_id           u32   0 from a client
/// 196 code              u32   of a non-replicated command, else 0
/// 200 reserved          56    0
/// ```
/// From `iggy_binary_protocol` 0.11.0, `consensus/header.rs`, where `code` is the
/// first 4 of 60 reserved bytes, and `iggy` 0.11.0, `vsr.rs`. Servers 0.8.1-edge.1 and
/// 0.8.2-edge.1 (their tags, `consensus/header.rs` and `vsr.rs`) have a namespace before
/// the session, and everything after it stands 8 bytes later:
///
/// ```text
/// 184 namespace         u64   where the request is to go
/// 192 session           u64
/// 200 user_id           u32   0 from a client
/// 204 code              u32
/// 208 reserved          48    0
/// ```
/// A client leaves `user_id` 0 and has few sessions, so that a number at byte 192 and
/// none at 196 is a session; in a login, which has none, nothing tells the two apart
/// and nothing differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestHeader {
    /// What every header begins with.
    pub prelude: Prelude,
    /// The client.
    pub client: u128,
    /// Of the body; clients stamp what changes metadata and leave it 0 in reads
    /// and in what goes to partitions.
    pub request_checksum: u128,
    /// 0 from a client.
    pub timestamp: u64,
    /// The request's number in its session.
    pub request: u64,
    /// What is asked.
    pub operation: Operation,
    /// 0 in every known version.
    pub operation_padding: [u8; 7],
    /// Where the request is to go; `None` in the layout without it.
    pub namespace: Option<u64>,
    /// The session.
    pub session: u64,
    /// 0 from a client.
    pub user_id: u32,
    /// The code of a command that is not replicated.
    pub code: u32,
    /// 0 in every known version; where there is a namespace, the last 8 bytes are none
    /// of the header's.
    pub reserved: [u8; 56],
}

/// Bytes by which what follows the namespace stands later.
const NAMESPACE_SIZE: usize = 8;

/// Which of the two logins a body is. Both travel as [`Operation::REGISTER`], and
/// the header does not tell them apart (recording `admin.pcap` of server
/// 0.9.0-edge.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginForm {
    /// Name and password, code 40.
    Password,
    /// A token, code 45.
    Token,
    /// It can be read as neither, or as both.
    Undetermined,
}

impl LoginForm {
    /// Tells by reading the body both ways.
    pub fn of(body: &[u8]) -> Self {
        let password = LoginRegister::decode_all(body).is_ok();
        let token = LoginRegisterWithPat::decode_all(body).is_ok();
        match (password, token) {
            (true, false) => Self::Password,
            (false, true) => Self::Token,
            _ => Self::Undetermined,
        }
    }
}

impl RequestHeader {
    /// A header as the SDK 0.11 writes it for a command with this body.
    pub fn new(command: u32, body: &[u8]) -> Self {
        let operation = Operation::of_code(command);
        let is_stamped = operation != Operation::NON_REPLICATED && operation.0 < 160;
        Self {
            prelude: Prelude::new(Command::REQUEST, body.len()),
            client: 0,
            request_checksum: if is_stamped { xxh3(body).into() } else { 0 },
            timestamp: 0,
            request: 0,
            operation,
            operation_padding: [0; 7],
            namespace: None,
            session: 0,
            user_id: 0,
            code: if operation == Operation::NON_REPLICATED {
                command
            } else {
                0
            },
            reserved: [0; 56],
        }
    }

    /// Reads a header.
    pub fn of(header: &[u8; HEADER_SIZE]) -> Self {
        let [at_192, at_196] = [192, 196].map(|start| u32::from_le_bytes(at(header, start)));
        let has_namespace = at_192 != 0 && at_196 == 0;
        let later = if has_namespace { NAMESPACE_SIZE } else { 0 };
        Self {
            prelude: Prelude::of(header),
            client: u128::from_le_bytes(at(header, 128)),
            request_checksum: u128::from_le_bytes(at(header, 144)),
            timestamp: u64::from_le_bytes(at(header, 160)),
            request: u64::from_le_bytes(at(header, 168)),
            operation: Operation(header[176]),
            operation_padding: at(header, 177),
            namespace: has_namespace.then(|| u64::from_le_bytes(at(header, 184))),
            session: u64::from_le_bytes(at(header, 184 + later)),
            user_id: u32::from_le_bytes(at(header, 192 + later)),
            code: u32::from_le_bytes(at(header, 196 + later)),
            // The header ends 8 bytes earlier where there is a namespace.
            reserved: at(header, 200 + later),
        }
    }

    /// The code of the command that is asked, which for the two logins stands in
    /// neither header nor body and is told by the body's form; `None` where
    /// nothing tells it.
    pub fn command_code(&self, body: &[u8]) -> Option<u32> {
        match self.operation {
            Operation::NON_REPLICATED => Some(self.code),
            Operation::REGISTER => match LoginForm::of(body) {
                LoginForm::Password => Some(code::LOGIN_REGISTER),
                LoginForm::Token => Some(code::LOGIN_REGISTER_WITH_PAT),
                LoginForm::Undetermined => None,
            },
            operation => operation.code(),
        }
    }

    /// Whether the body is the one that was stamped.
    pub fn verify(&self, body: &[u8]) -> Checksum {
        // Of the 128 bits the algorithm fills 64.
        let stored = u64::try_from(self.request_checksum).unwrap_or(u64::MAX);
        Checksum::of(stored, || xxh3(body))
    }

    /// The frame that this header and `body` make.
    pub fn frame(&self, body: &[u8]) -> Bytes {
        let mut frame = BytesMut::with_capacity(HEADER_SIZE + body.len());
        self.encode_to(&mut frame);
        frame.put_slice(body);
        frame.freeze()
    }
}

impl Decode for RequestHeader {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, header) = parse_header(input)?;
        Ok((rest, Self::of(header)))
    }
}

impl Encode for RequestHeader {
    fn write(&self, writer: &mut impl Writer) {
        self.prelude.write(writer);
        writer.u128("client", self.client);
        writer.u128("request_checksum", self.request_checksum);
        writer.u64("timestamp", self.timestamp);
        writer.u64("request", self.request);
        writer.kind("operation", self.operation.0, self.operation.name());
        writer.bytes("operation_padding", &self.operation_padding);
        let mut reserved = &self.reserved[..];
        if let Some(namespace) = self.namespace {
            writer.u64("namespace", namespace);
            reserved = &reserved[..reserved.len() - NAMESPACE_SIZE];
        }
        writer.u64("session", self.session);
        writer.u32("user_id", self.user_id);
        writer.u32("code", self.code);
        writer.bytes("reserved", reserved);
    }
}
