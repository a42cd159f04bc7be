//! A server of the binary protocol that answers as it is told, in both dialects.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::{Bytes, BytesMut};
use parallax_codec::commands::{Identity, PolledMessages, Session};
use parallax_codec::vsr::{
    self, EvictionHeader, EvictionReason, Operation, ProtocolVersion, ReplyHeader, RequestHeader,
    ResultSection,
};
use parallax_codec::{Body, Dialect, Direction, Encode as _, Reply, Request, classic};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// What the stub does with a request.
#[derive(Debug, Clone)]
pub(in crate::mirror) enum Act {
    Reply(u32, Reply),
    Evict,
    Close,
    Silence,
}

type Behaviour = dyn Fn(&Request, usize) -> Act + Send + Sync;

/// Its address, and what it was sent.
#[derive(Clone)]
pub(in crate::mirror) struct Stub {
    pub(in crate::mirror) address: String,
    pub(in crate::mirror) seen: Arc<Mutex<Vec<Request>>>,
    pub(in crate::mirror) opened: Arc<AtomicUsize>,
    pub(in crate::mirror) closed: Arc<AtomicUsize>,
}

/// The session that the stub gives and wants to see again.
const SESSION: u64 = 77;

impl Stub {
    /// Answers logins with success and other requests as `behaviour` says, which is
    /// told how many came before, logins left out.
    pub(in crate::mirror) async fn start(
        dialect: Dialect,
        behaviour: impl Fn(&Request, usize) -> Act + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stub = Self {
            address: listener.local_addr().unwrap().to_string(),
            seen: Arc::default(),
            opened: Arc::default(),
            closed: Arc::default(),
        };
        let (served, behaviour): (_, Arc<Behaviour>) = (stub.clone(), Arc::new(behaviour));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                served.opened.fetch_add(1, Ordering::SeqCst);
                let (served, behaviour) = (served.clone(), Arc::clone(&behaviour));
                tokio::spawn(async move {
                    let _ = served.converse(stream, dialect, &*behaviour).await;
                    served.closed.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        stub
    }

    /// Requests so far, logins left out.
    pub(in crate::mirror) fn asked(&self) -> Vec<Request> {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|r| !is_login(r)).cloned().collect()
    }

    async fn converse(
        &self,
        mut stream: TcpStream,
        dialect: Dialect,
        behaviour: &Behaviour,
    ) -> std::io::Result<()> {
        let mut framing = Framing::new(dialect);
        loop {
            let mut chunk = BytesMut::new();
            if stream.read_buf(&mut chunk).await? == 0 {
                return Ok(());
            }
            for (request, header) in framing.requests(chunk.freeze()) {
                let act = self.act(&request, behaviour);
                match act {
                    Act::Reply(status, reply) => {
                        let frame = reply_frame(header.as_ref(), status, &reply);
                        stream.write_all(&frame).await?;
                    }
                    Act::Evict => {
                        let reason = EvictionReason(13);
                        let eviction = EvictionHeader::new(header.unwrap().client, reason);
                        let bytes = eviction.encode();
                        stream.write_all(&bytes).await?;
                    }
                    Act::Close => return Ok(()),
                    Act::Silence => {}
                }
            }
        }
    }

    fn act(&self, request: &Request, behaviour: &Behaviour) -> Act {
        let before = self.asked().len();
        self.seen.lock().unwrap().push(request.clone());
        match request {
            Request::LoginUser(_) | Request::LoginWithPersonalAccessToken(_) => {
                Act::Reply(0, Reply::Identity(Identity { user_id: 1 }))
            }
            Request::LoginRegister(_) | Request::LoginRegisterWithPat(_) => {
                let session = Session {
                    user_id: 1,
                    session: SESSION,
                    server_protocol_version: ProtocolVersion(11 << 10),
                    server_version: "0.9.0".to_owned(),
                };
                Act::Reply(0, Reply::Session(session))
            }
            _ => behaviour(request, before),
        }
    }
}

fn is_login(request: &Request) -> bool {
    matches!(
        request,
        Request::LoginUser(_)
            | Request::LoginWithPersonalAccessToken(_)
            | Request::LoginRegister(_)
            | Request::LoginRegisterWithPat(_)
    )
}

enum Framing {
    Classic(classic::Framer),
    Vsr(Box<vsr::Framer>),
}

impl Framing {
    fn new(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Classic => Self::Classic(classic::Framer::new(Direction::ToServer)),
            Dialect::Vsr => Self::Vsr(Box::default()),
        }
    }

    fn requests(&mut self, chunk: Bytes) -> Vec<(Request, Option<RequestHeader>)> {
        match self {
            Self::Classic(framer) => {
                let mut frames = Vec::new();
                framer.push(chunk, &mut frames);
                let request = |frame: classic::Frame| {
                    let body = whole(&frame.body);
                    let request = Request::decode(Dialect::Classic, frame.word, &body).unwrap();
                    (request, None)
                };
                frames.into_iter().map(request).collect()
            }
            Self::Vsr(framer) => {
                let mut frames = Vec::new();
                framer.push(chunk, &mut frames);
                let request = |frame: vsr::Frame| {
                    let header = RequestHeader::of(&frame.header);
                    let body = whole(&frame.body);
                    let code = header.command_code(&body).unwrap();
                    let is_login = header.operation == Operation::REGISTER;
                    assert_eq!(header.session, if is_login { 0 } else { SESSION });
                    assert_eq!(header.request, u64::from(!is_login));
                    assert_ne!(header.client, 0);
                    let request = Request::decode(Dialect::Vsr, code, &body).unwrap();
                    (request, Some(header))
                };
                frames.into_iter().map(request).collect()
            }
        }
    }
}

fn whole(body: &Body) -> Bytes {
    match body {
        Body::Whole(bytes) => bytes.clone(),
        other => panic!("{other:?}"),
    }
}

fn reply_frame(header: Option<&RequestHeader>, status: u32, reply: &Reply) -> Bytes {
    let body = if status == 0 {
        reply.encode()
    } else {
        Vec::new().into()
    };
    let Some(header) = header else {
        return classic::encode_reply(status, &body);
    };
    let mut framed = Vec::new();
    if header.operation.is_result_framed() && status == 0 {
        framed.extend_from_slice(&ResultSection::default().encode());
    }
    framed.extend_from_slice(&body);
    ReplyHeader::to(header, status, framed.len()).frame(&framed)
}

/// A reply with these messages.
pub(in crate::mirror) fn messages(answer: &parallax_captures::poll::PollAnswer) -> Act {
    let exchange = crate::findings::sample::exchange(0, 0, Request::Ping, 0);
    let exchange = crate::findings::sample::answered(exchange, answer);
    let reply: Option<PolledMessages> =
        exchange
            .binary()
            .and_then(|content| match content.reply.clone() {
                Some(Reply::PolledMessages(reply)) => Some(reply),
                _ => None,
            });
    Act::Reply(0, Reply::PolledMessages(reply.unwrap()))
}

/// A refusal.
pub(in crate::mirror) fn refused(code: u32) -> Act {
    Act::Reply(code, Reply::Empty)
}
