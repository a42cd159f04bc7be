//! A minimal client of the binary protocol, in both dialects: one request, then
//! its reply, and as trusting as clients in the field are.

mod framing;

use bytes::{Bytes, BytesMut};
use parallax_codec::commands::{ClientVersion, LoginRegister, LoginUser};
use parallax_codec::primitives::Secret;
use parallax_codec::vsr::{EvictionReason, ProtocolVersion};
use parallax_codec::{DecodeError, Dialect, Encode as _, ErrorCode, Reply, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, ToSocketAddrs};

use framing::Framing;

/// Why a request has no usable reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    /// The server refused it.
    #[error("{0}")]
    Refused(ErrorCode),
    /// The server ended the session.
    #[error("evicted: {}", .0.name())]
    Evicted(EvictionReason),
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[from] std::io::Error),
    /// The server closed the connection.
    #[error("the server closed the connection")]
    Closed,
    /// The reply could not be read.
    #[error("the reply could not be read: {0}")]
    Reply(#[from] DecodeError),
}

/// A connection to a server, or to a proxy before it.
pub(crate) struct Client {
    socket: TcpStream,
    framing: Framing,
}

/// Sends of one frame, at most, while the server puts it off (codes 57 and 58).
const PATIENCE: u32 = 20;

impl Client {
    /// Connects; nobody is logged in.
    pub(crate) async fn connect(
        address: impl ToSocketAddrs,
        dialect: Dialect,
    ) -> Result<Self, ClientError> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        Ok(Self {
            socket,
            framing: Framing::new(dialect),
        })
    }

    /// Connects and logs in as the root user of the stand-in.
    pub(crate) async fn log_in(
        address: impl ToSocketAddrs,
        dialect: Dialect,
    ) -> Result<Self, ClientError> {
        let mut client = Self::connect(address, dialect).await?;
        client.ask(&login(dialect)).await?;
        Ok(client)
    }

    /// Sends a request and takes the next frame for its reply. What the server puts
    /// off is sent again, the same frame, until it is carried out.
    pub(crate) async fn ask(&mut self, request: &Request) -> Result<Reply, ClientError> {
        let frame = self.framing.encode(request.code(), &request.encode());
        for _ in 1..PATIENCE {
            match self.exchange(request, &frame).await {
                Err(ClientError::Refused(ErrorCode(57 | 58))) => {}
                answer => return answer,
            }
        }
        self.exchange(request, &frame).await
    }

    async fn exchange(&mut self, request: &Request, frame: &Bytes) -> Result<Reply, ClientError> {
        self.socket.write_all(frame).await?;
        loop {
            if let Some(reply) = self.framing.next(request.code()) {
                return reply;
            }
            let mut chunk = BytesMut::with_capacity(64 * 1024);
            if self.socket.read_buf(&mut chunk).await? == 0 {
                return Err(ClientError::Closed);
            }
            self.framing.push(chunk.freeze());
        }
    }
}

/// The root user's login.
fn login(dialect: Dialect) -> Request {
    let (username, password) = ("iggy".to_owned(), Secret::new("iggy"));
    let context = Some("parallax demo".to_owned());
    match dialect {
        Dialect::Classic => Request::LoginUser(LoginUser {
            username,
            password,
            version: Some("0.10.0".to_owned()),
            context,
        }),
        Dialect::Vsr => Request::LoginRegister(LoginRegister {
            version: version(),
            username,
            password,
            context,
        }),
    }
}

/// Who the client is, in the VSR dialect.
pub(crate) fn version() -> ClientVersion {
    ClientVersion {
        protocol: ProtocolVersion(11 << 10),
        sdk_name: "parallax-demo".to_owned(),
        sdk_version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}
