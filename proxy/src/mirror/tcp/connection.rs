//! One connection, logged in: a request and its reply at a time, in both dialects.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use jiff::Timestamp;
use parallax_codec::commands::{
    ClientVersion, LoginRegister, LoginRegisterWithPat, LoginUser, LoginWithPersonalAccessToken,
};
use parallax_codec::primitives::Secret;
use parallax_codec::vsr::{
    self, EvictionHeader, ProtocolVersion, ReplyHeader, RequestHeader, ResultSection, Status,
    StatusLayout,
};
use parallax_codec::{Body, Dialect, Direction, Encode as _, ErrorCode, Reply, Request, classic};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::Instant;

use super::stream::{Server, Stream, open};
use crate::credentials::Credentials;
use crate::limits::{OWN_READ_BUFFER, OWN_REPLY_BYTES};
use crate::vsr_client::VsrClient;

/// A connection on which a login succeeded.
#[derive(Debug)]
pub(super) struct Connection {
    stream: Stream,
    framing: Framing,
}

/// What a reply says.
#[derive(Debug)]
pub(super) struct Answer {
    /// 0 for success.
    pub(super) status: u32,
    /// The body, where it was read and the status is 0.
    pub(super) reply: Option<Reply>,
    /// When the request was sent.
    pub(super) asked: Timestamp,
    /// From the request's first byte to the reply's last.
    pub(super) latency: Duration,
}

#[derive(Debug)]
enum Framing {
    Classic(classic::Framer),
    Vsr {
        framer: Box<vsr::Framer>,
        client: VsrClient,
        layout: Option<StatusLayout>,
    },
}

/// A whole frame from the server.
enum Frame {
    Classic(classic::Frame),
    Vsr(Box<vsr::Frame>),
}

/// Who asks, as a server's log or list of clients shows it.
const NAME: &str = "parallax";

/// The protocol that parallax speaks to VSR servers: that of 0.9.0-edge.5.
const PROTOCOL: ProtocolVersion = ProtocolVersion(11 << 10);

impl Connection {
    /// Connects and logs in.
    ///
    /// # Errors
    /// Why not; never with a secret in it.
    pub(super) async fn open(
        upstream: Server<'_>,
        dialect: Dialect,
        credentials: &Credentials,
    ) -> Result<Self, String> {
        let mut connection = Self {
            stream: open(upstream).await?,
            framing: Framing::new(dialect),
        };
        let answer = connection.ask(&login(dialect, credentials)).await?;
        if answer.status != 0 {
            let code = ErrorCode(answer.status);
            return Err(format!(
                "TCP refuses the login with the {credentials:?}: {code}"
            ));
        }
        if let Framing::Vsr { client, layout, .. } = &mut connection.framing {
            let Some(Reply::Session(opened)) = answer.reply else {
                return Err("TCP answered the login with no session".to_owned());
            };
            client.opened(opened.session);
            *layout = StatusLayout::of_protocol(opened.server_protocol_version);
        }
        Ok(connection)
    }

    /// Sends a request and reads its reply.
    ///
    /// # Errors
    /// The connection broke, or the reply cannot be read; it is of no use then.
    pub(super) async fn ask(&mut self, request: &Request) -> Result<Answer, String> {
        let code = request.code();
        let body = request.encode();
        let (frame, header) = self.framing.encode(code, &body);
        let (asked, begun) = (Timestamp::now(), Instant::now());
        // TLS may hold some of it back.
        let sent = match self.stream.write_all(&frame).await {
            Ok(()) => self.stream.flush().await,
            failed => failed,
        };
        sent.map_err(|error| format!("the connection broke: {error}"))?;
        let (frame, latency) = (self.frame().await?, begun.elapsed());
        let (status, reply) = match (frame, header) {
            (Frame::Classic(frame), _) => {
                let body = whole(&frame.body)?;
                read(Dialect::Classic, code, frame.word, &body)?
            }
            (Frame::Vsr(frame), Some(header)) => self.framing.read(code, &header, &frame)?,
            (Frame::Vsr(_), None) => return Err("the server answers in another dialect".to_owned()),
        };
        Ok(Answer {
            status,
            reply,
            asked,
            latency,
        })
    }

    async fn frame(&mut self) -> Result<Frame, String> {
        loop {
            let mut chunk = BytesMut::with_capacity(OWN_READ_BUFFER);
            let read = self.stream.read_buf(&mut chunk).await;
            if read.map_err(|error| format!("the connection broke: {error}"))? == 0 {
                return Err("the server closed the connection".to_owned());
            }
            if let Some(frame) = self.framing.push(chunk.freeze()) {
                return Ok(frame);
            }
        }
    }
}

impl Framing {
    fn new(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Classic => {
                let direction = Direction::ToClient;
                Self::Classic(classic::Framer::with_limit(direction, OWN_REPLY_BYTES))
            }
            Dialect::Vsr => Self::Vsr {
                framer: Box::new(vsr::Framer::with_limit(OWN_REPLY_BYTES)),
                client: VsrClient::new(),
                layout: None,
            },
        }
    }

    fn encode(&mut self, code: u32, body: &[u8]) -> (Bytes, Option<RequestHeader>) {
        match self {
            Self::Classic(_) => (classic::encode_request(code, body), None),
            Self::Vsr { client, .. } => {
                let header = client.header(code, body);
                (header.frame(body), Some(header))
            }
        }
    }

    /// The frame that these bytes complete. One request is open at a time, so that
    /// of several frames the first is meant, and the connection is out of step.
    fn push(&mut self, chunk: Bytes) -> Option<Frame> {
        match self {
            Self::Classic(framer) => {
                let mut frames = Vec::new();
                framer.push(chunk, &mut frames);
                frames.into_iter().next().map(Frame::Classic)
            }
            Self::Vsr { framer, .. } => {
                let mut frames = Vec::new();
                framer.push(chunk, &mut frames);
                frames.into_iter().next().map(Box::new).map(Frame::Vsr)
            }
        }
    }

    /// Status and body of a VSR frame.
    fn read(
        &self,
        code: u32,
        request: &RequestHeader,
        frame: &vsr::Frame,
    ) -> Result<(u32, Option<Reply>), String> {
        if frame.command() == vsr::Command::EVICTION {
            let reason = EvictionHeader::of(&frame.header).reason;
            return Err(format!(
                "the server ends parallax's session: {}",
                reason.name()
            ));
        }
        let header = ReplyHeader::of(&frame.header);
        if frame.command() != vsr::Command::REPLY || !header.answers(request) {
            return Err("the server's frame does not answer parallax's request".to_owned());
        }
        let body = whole(&frame.body)?;
        let layout = match self {
            Self::Vsr { layout, .. } => *layout,
            Self::Classic(_) => None,
        };
        let Status::Told { code: status, .. } = header.status(frame.body_length, layout) else {
            return Err("the status of the server's reply is ambiguous".to_owned());
        };
        if status != 0 {
            return read(Dialect::Vsr, code, status, &body);
        }
        let split = ResultSection::split(request.operation, &body);
        let (section, rest) = split.map_err(|error| error.to_string())?;
        let refused = section.as_ref().and_then(ResultSection::error);
        read(Dialect::Vsr, code, refused.unwrap_or(0), &rest)
    }
}

/// The status, and the body where that is 0.
fn read(
    dialect: Dialect,
    code: u32,
    status: u32,
    body: &Bytes,
) -> Result<(u32, Option<Reply>), String> {
    if status != 0 {
        return Ok((status, None));
    }
    match Reply::decode(dialect, code, body) {
        Ok((reply, None)) => Ok((status, Some(reply))),
        Ok((_, Some(error))) | Err(error) => {
            Err(format!("the answer on TCP could not be read: {error}"))
        }
    }
}

fn whole(body: &Body) -> Result<Bytes, String> {
    match body {
        Body::Whole(bytes) => Ok(bytes.clone()),
        Body::Oversized { .. } => Err(format!(
            "the answer on TCP is longer than {OWN_REPLY_BYTES} bytes"
        )),
        Body::Malformed { .. } => Err("the answer on TCP is no frame".to_owned()),
    }
}

fn login(dialect: Dialect, credentials: &Credentials) -> Request {
    let version = || ClientVersion {
        protocol: PROTOCOL,
        sdk_name: NAME.to_owned(),
        sdk_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let context = Some(NAME.to_owned());
    match (dialect, credentials) {
        (Dialect::Classic, Credentials::Password { username, password }) => {
            Request::LoginUser(LoginUser {
                username: username.clone(),
                password: Secret::new(password),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
                context,
            })
        }
        (Dialect::Classic, Credentials::Token(token)) => {
            Request::LoginWithPersonalAccessToken(LoginWithPersonalAccessToken {
                token: Secret::new(token),
            })
        }
        (Dialect::Vsr, Credentials::Password { username, password }) => {
            Request::LoginRegister(LoginRegister {
                version: version(),
                username: username.clone(),
                password: Secret::new(password),
                context,
            })
        }
        (Dialect::Vsr, Credentials::Token(token)) => {
            Request::LoginRegisterWithPat(LoginRegisterWithPat {
                version: version(),
                token: Secret::new(token),
                context,
            })
        }
    }
}
