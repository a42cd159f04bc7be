//! A minimal client of the binary protocol: one request, then its reply.

use bytes::Bytes;
use parallax_codec::classic::{Body, Direction, Framer, encode_request};
use parallax_codec::{DecodeError, Encode as _, ErrorCode, Reply, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, ToSocketAddrs};

/// Why a request has no usable reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    /// The server refused it.
    #[error("{0}")]
    Refused(ErrorCode),
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
    framer: Framer,
}

impl Client {
    pub(crate) async fn connect(address: impl ToSocketAddrs) -> Result<Self, ClientError> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        Ok(Self {
            socket,
            framer: Framer::new(Direction::ToClient),
        })
    }

    /// Sends a request and waits for its reply.
    pub(crate) async fn ask(&mut self, request: &Request) -> Result<Reply, ClientError> {
        let frame = encode_request(request.code(), &request.encode());
        self.socket.write_all(&frame).await?;
        let (status, body) = self.reply().await?;
        if status != 0 {
            return Err(ClientError::Refused(ErrorCode(status)));
        }
        let (reply, _) = Reply::decode(parallax_codec::Dialect::Classic, request.code(), &body)?;
        Ok(reply)
    }

    async fn reply(&mut self) -> Result<(u32, Bytes), ClientError> {
        let mut frames = Vec::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let read = self.socket.read(&mut buffer).await?;
            if read == 0 {
                return Err(ClientError::Closed);
            }
            let chunk = Bytes::copy_from_slice(&buffer[..read]);
            self.framer.push(chunk, &mut frames);
            // One request is open at a time, so there is at most one reply.
            if let Some(frame) = frames.pop() {
                let Body::Whole(body) = frame.body else {
                    return Err(ClientError::Closed);
                };
                return Ok((frame.word, body));
            }
        }
    }
}
