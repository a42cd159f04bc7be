//! What an own connection goes over: a socket, or TLS over one.

use std::fmt::Debug;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::tls::{UpstreamTls, by_server};

/// The server, and how it is spoken to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Server<'a> {
    /// `host:port`.
    pub(super) address: &'a str,
    pub(super) tls: Option<&'a UpstreamTls>,
}

/// An open connection.
pub(super) type Stream = Box<dyn Duplex>;

/// Bytes both ways.
pub(super) trait Duplex: AsyncRead + AsyncWrite + Debug + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Debug + Send + Unpin> Duplex for T {}

/// Connects, with the handshake where there is one.
///
/// # Errors
/// Why not, in a sentence without its full stop.
pub(super) async fn open(Server { address, tls }: Server<'_>) -> Result<Stream, String> {
    let failed =
        |error: &dyn ToString| format!("no connection to {address}: {}", error.to_string());
    let stream = TcpStream::connect(address).await;
    let stream = stream.map_err(|error| failed(&error))?;
    stream.set_nodelay(true).map_err(|error| failed(&error))?;
    let Some(tls) = tls else {
        return Ok(Box::new(stream));
    };
    let name = tls.server_name(address).map_err(|error| failed(&error))?;
    let connected = TlsConnector::from(tls.config()).connect(name, stream).await;
    match connected {
        Ok(stream) => Ok(Box::new(stream)),
        Err(error) => Err(match by_server(&error) {
            Some(failure) => failed(&failure.message),
            None => failed(&error),
        }),
    }
}
