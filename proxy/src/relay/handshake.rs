//! Handshakes: parallax as the server of a client, and as the client of the server.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::TlsSession;
use parallax_codec::limits::RECOGNISE_WITHIN;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};

use super::duplex::reason;
use super::pump::Fault;
use super::tls_end::{Socket, TlsEnd};
use super::{CloseReason, Side};
use crate::tls::{
    DownstreamTls, TlsFailure, TlsFault, UpstreamTls, by_client, by_server, client_timed_out,
    server_timed_out, session, spoke_no_tls,
};

/// A handshake that is done: the end to relay with, and what was agreed on.
pub(super) type Done = (TlsEnd, TlsSession);

/// With a client, which may take so long.
pub(super) async fn accept(
    client: TcpStream,
    tls: &DownstreamTls,
    limit: Duration,
) -> Result<Done, CloseReason> {
    within(limit, Side::Client, async {
        let socket = Arc::new(client);
        let failed = |error| why(Side::Client, error);
        is_tls(&socket).await?;
        let acceptor = TlsAcceptor::from(tls.config());
        let accepted = acceptor.accept(Socket::new(Arc::clone(&socket))).await;
        let stream = accepted.map_err(failed)?;
        let (_, state) = stream.get_ref();
        let asked_for = state.server_name().map(ToOwned::to_owned);
        let session = session(state, asked_for, true);
        Ok((TlsEnd::new(socket, TlsStream::Server(stream)), session))
    })
    .await
}

/// With the server at `upstream`.
pub(super) async fn connect(
    server: TcpStream,
    upstream: &str,
    tls: &UpstreamTls,
    limit: Duration,
) -> Result<Done, CloseReason> {
    within(limit, Side::Server, async {
        let name = tls.server_name(upstream).map_err(|error| {
            let failure = TlsFailure {
                fault: TlsFault::WrongName,
                message: format!("{error}. Give one with --upstream-name"),
            };
            failed(Side::Server, failure)
        })?;
        let socket = Arc::new(server);
        let connector = TlsConnector::from(tls.config());
        let connected = connector.connect(name.clone(), Socket::new(Arc::clone(&socket)));
        let stream = connected.await.map_err(|error| why(Side::Server, error))?;
        let session = session(
            stream.get_ref().1,
            Some(name.to_str().into_owned()),
            tls.is_checked(),
        );
        Ok((TlsEnd::new(socket, TlsStream::Client(stream)), session))
    })
    .await
}

async fn within<T>(
    limit: Duration,
    by: Side,
    handshake: impl Future<Output = Result<T, CloseReason>>,
) -> Result<T, CloseReason> {
    match timeout(limit, handshake).await {
        Ok(done) => done,
        Err(_) => Err(match by {
            Side::Client => failed(by, client_timed_out(limit)),
            Side::Server => failed(by, server_timed_out(limit)),
        }),
    }
}

/// Looks at the first bytes, without taking them, so that what is no TLS can be named.
async fn is_tls(client: &TcpStream) -> Result<(), CloseReason> {
    let mut first = [0; RECOGNISE_WITHIN];
    let peeked = client.peek(&mut first).await;
    let count = peeked.map_err(|error| why(Side::Client, error))?;
    match first.get(..count) {
        // The type of a TLS record that is part of a handshake.
        Some([22, ..] | []) | None => Ok(()),
        Some(first) => Err(failed(Side::Client, spoke_no_tls(first))),
    }
}

fn why(by: Side, error: io::Error) -> CloseReason {
    // The connection may be at fault, and not TLS.
    let failure = match by {
        Side::Client => by_client(&error),
        Side::Server => by_server(&error),
    };
    match failure {
        Some(failure) => failed(by, failure),
        None => reason(Fault { by, error }),
    }
}

fn failed(by: Side, TlsFailure { fault, message }: TlsFailure) -> CloseReason {
    CloseReason::Tls { by, fault, message }
}
