//! One of the two connections of a relayed one, plain or with TLS.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use tokio::io::AsyncWrite as _;
use tokio::net::TcpStream;

use super::duplex::{Surroundings, duplex};
use super::tls_end::TlsEnd;
use super::{CloseReason, Side};

/// An end that can be relayed from and to.
#[derive(Debug)]
pub(super) enum End {
    Plain(TcpStream),
    Tls(Box<TlsEnd>),
}

impl End {
    pub(super) fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(end) => end.socket(),
        }
    }

    /// Says that nothing more comes, as far as that can be said at once. An error says that
    /// there is nothing left to end.
    pub(super) async fn finish(&mut self) {
        poll_fn(|cx| {
            let _ = match self {
                Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
                Self::Tls(end) => Pin::new(&mut end.split().1).poll_shutdown(cx),
            };
            Poll::Ready(())
        })
        .await;
    }
}

/// Relays between the two until it is over.
pub(super) async fn between(
    client: &mut End,
    server: &mut End,
    around: Surroundings<'_>,
) -> CloseReason {
    match (client, server) {
        (End::Plain(client), End::Plain(server)) => {
            duplex(client.split(), server.split(), around).await
        }
        // Boxed: what is plain on both sides takes no more memory for what is not.
        (End::Plain(client), End::Tls(server)) => {
            Box::pin(duplex(client.split(), server.split(), around)).await
        }
        (End::Tls(client), End::Plain(server)) => {
            Box::pin(duplex(client.split(), server.split(), around)).await
        }
        (End::Tls(client), End::Tls(server)) => {
            Box::pin(duplex(client.split(), server.split(), around)).await
        }
    }
}

/// Ends both connections the way the reason asks for.
pub(super) async fn end(client: &mut End, server: &mut End, reason: &CloseReason) {
    match reason {
        CloseReason::Reset { by }
        | CloseReason::Failed { by, .. }
        | CloseReason::Tls { by, .. } => {
            let other = match by {
                Side::Client => server,
                Side::Server => client,
            };
            let _ = other.socket().set_zero_linger();
        }
        _ => {
            client.finish().await;
            server.finish().await;
        }
    }
}
