//! The binary protocol, in the dialect that the client speaks.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use jiff::Timestamp;
use parallax_captures::decoding::{AnyFrame, Decoded, decode};
use parallax_captures::{ConnectionId, Content, Dialect, Exchange, Times};
use parallax_codec::recognise::{Protocol, recognise};
use parallax_codec::vsr::{
    self, EvictionHeader, EvictionReason, HEADER_SIZE, Operation, ReplyHeader, RequestHeader,
};
use parallax_codec::{Body, Direction, ErrorCode, Request, classic};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Shared, Tape};
use crate::limits::{STANDIN_READ_BUFFER, TAPE_CONNECTIONS, TAPE_REQUEST_BODY};

/// What a client is told that asks for what is not on the tape: `feature_unavailable`,
/// which every SDK knows.
pub(super) const NOT_ON_THE_TAPE: ErrorCode = ErrorCode(5);

/// Why a session cannot be opened: `session_error`.
const NO_LOGIN: EvictionReason = EvictionReason(12);

pub(super) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: TaskTracker,
) {
    let room = Arc::new(Semaphore::new(TAPE_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, client)) = accepted else {
            // Out of file descriptors, most likely: give others time to close.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
            tracing::warn!("{client} was turned away: {TAPE_CONNECTIONS} connections are open");
            continue;
        };
        let (shared, stop) = (Arc::clone(&shared), stop.clone());
        tasks.spawn(async move {
            let _place = place;
            tokio::select! {
                () = stop.cancelled() => {}
                result = converse(stream, client, &shared) => if let Err(error) = result {
                    tracing::debug!(%client, %error, "a connection to the tape was lost");
                },
            }
        });
    }
}

async fn converse(
    mut stream: TcpStream,
    client: SocketAddr,
    shared: &Shared,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut first = BytesMut::new();
    let protocol = loop {
        if let Some(protocol) = recognise(&first) {
            break protocol;
        }
        if stream.read_buf(&mut first).await? == 0 {
            return Ok(());
        }
    };
    let mut requests = match protocol {
        Protocol::Classic => Requests::Classic(classic::Framer::with_limit(
            Direction::ToServer,
            TAPE_REQUEST_BODY,
        )),
        Protocol::Vsr => Requests::Vsr(Box::new(vsr::Framer::with_limit(TAPE_REQUEST_BODY))),
        other => {
            tracing::warn!(
                "{client} speaks neither dialect of Iggy ({other:?}): a tape does not answer it"
            );
            return Ok(());
        }
    };
    let dialect = requests.dialect();
    let is_spoken = shared.with_tape(|tape| tape.speaks(dialect));
    if !is_spoken {
        let dialect = dialect.name();
        tracing::warn!("{client} speaks the {dialect} dialect, and the tape does not");
    }
    let mut chunk = first.freeze();
    loop {
        for frame in requests.push(chunk) {
            let reply = if is_spoken {
                answer(&frame, client, shared)
            } else {
                Some(other_dialect(&frame))
            };
            if let Some(reply) = reply {
                stream.write_all(&reply).await?;
            }
        }
        let mut more = BytesMut::with_capacity(STANDIN_READ_BUFFER);
        if stream.read_buf(&mut more).await? == 0 {
            return Ok(());
        }
        chunk = more.freeze();
    }
}

enum Requests {
    Classic(classic::Framer),
    Vsr(Box<vsr::Framer>),
}

impl Requests {
    const fn dialect(&self) -> Dialect {
        match self {
            Self::Classic(_) => Dialect::Classic,
            Self::Vsr(_) => Dialect::Vsr,
        }
    }

    fn push(&mut self, chunk: Bytes) -> Vec<AnyFrame> {
        match self {
            Self::Classic(framer) => {
                let mut frames = Vec::new();
                framer.push(chunk, &mut frames);
                let any = |frame| AnyFrame::Classic(frame, Direction::ToServer);
                frames.into_iter().map(any).collect()
            }
            Self::Vsr(framer) => {
                let mut frames = Vec::new();
                framer.push(chunk, &mut frames);
                let any = |frame| AnyFrame::Vsr(Box::new(frame));
                frames.into_iter().map(any).collect()
            }
        }
    }
}

/// The reply to a request; `None` where the captured server kept silent too.
fn answer(frame: &AnyFrame, client: SocketAddr, shared: &Shared) -> Option<Bytes> {
    let asked = asked(frame);
    let is_readable = matches!(&asked.content, Content::Binary(content)
        if content.request.is_some() && !matches!(content.request, Some(Request::Other { .. })))
        && matches!(frame.body(), Body::Whole(_));
    if !is_readable {
        let why = asked.undecoded.as_ref().map_or_else(
            || format!("the command {} is not known", asked.command()),
            |undecoded| undecoded.why.clone(),
        );
        tracing::warn!("not on the tape: {client} asks what cannot be read: {why}");
        shared.with_tape(Tape::miss);
        return Some(missing(frame));
    }
    let Some(captured) = shared.answer(&asked, client) else {
        return Some(missing(frame));
    };
    let captured = captured.binary()?;
    Some(match frame {
        AnyFrame::Classic(..) => captured.reply_frame.clone(),
        AnyFrame::Vsr(asked) => for_this_session(
            &RequestHeader::of(&asked.header),
            &captured.request_frame,
            &captured.reply_frame,
        )?,
    })
}

/// A request as an exchange without a reply.
fn asked(frame: &AnyFrame) -> Exchange {
    let Decoded { content, undecoded } = decode(frame, None, None);
    let now = Timestamp::now();
    Exchange {
        n: 0,
        conn: ConnectionId(0),
        dialect: match frame {
            AnyFrame::Classic(..) => Dialect::Classic,
            AnyFrame::Vsr(_) => Dialect::Vsr,
        },
        times: Times {
            request_first: now,
            request_last: now,
            reply: None,
        },
        content: Content::Binary(content),
        undecoded,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    }
}

/// A captured frame with the numbers of the client that asks now.
fn for_this_session(asked: &RequestHeader, request: &[u8], reply: &[u8]) -> Option<Bytes> {
    let before = RequestHeader::of(request.first_chunk::<HEADER_SIZE>()?);
    let (header, body) = reply.split_first_chunk::<HEADER_SIZE>()?;
    let is = |command| vsr::Prelude::of(header).command == command;
    let client = |captured| {
        // A partition knows clients by numbers of the server's own.
        if captured == before.client {
            asked.client
        } else {
            captured
        }
    };
    Some(if is(vsr::Command::REPLY) {
        let captured = ReplyHeader::of(header);
        let fresh = ReplyHeader {
            client: client(captured.client),
            request_checksum: asked.request_checksum,
            request: asked.request,
            ..captured
        };
        fresh.frame(body)
    } else if is(vsr::Command::EVICTION) {
        use parallax_codec::Encode as _;
        let captured = EvictionHeader::of(header);
        let fresh = EvictionHeader {
            client: client(captured.client),
            ..captured
        };
        fresh.encode()
    } else {
        Bytes::copy_from_slice(reply)
    })
}

/// What a server says of a command that it does not have.
fn missing(frame: &AnyFrame) -> Bytes {
    use parallax_codec::Encode as _;
    match frame {
        AnyFrame::Classic(..) => classic::encode_reply(NOT_ON_THE_TAPE.0, &[]),
        AnyFrame::Vsr(frame) => {
            let asked = RequestHeader::of(&frame.header);
            if asked.operation == Operation::REGISTER {
                return EvictionHeader::new(asked.client, NO_LOGIN).encode();
            }
            ReplyHeader::to(&asked, NOT_ON_THE_TAPE.0, 0).frame(&[])
        }
    }
}

/// What a client can read that speaks the dialect that the tape does not.
fn other_dialect(frame: &AnyFrame) -> Bytes {
    use parallax_codec::Encode as _;
    match frame {
        AnyFrame::Classic(..) => missing(frame),
        AnyFrame::Vsr(frame) => {
            let client = RequestHeader::of(&frame.header).client;
            EvictionHeader::new(client, EvictionReason::INCOMPATIBLE_PROTOCOL).encode()
        }
    }
}
