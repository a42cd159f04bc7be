use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parallax_captures::Journal;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::about::About;
use crate::access::Access;
use crate::app::routes;
use crate::limits::{HEADER_READ_TIMEOUT, PAGE_CONNECTIONS, SHUTDOWN_GRACE, WRITE_TIMEOUT};
use crate::patience::Patience;

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The page has no password, so only this machine may reach it.
    #[error(
        "the page has no password, and everybody who can reach {0} could try to see it, captured \
         payloads included; set one in PARALLAX_UI_PASSWORD, or listen on 127.0.0.1 or [::1] (and \
         reach it from elsewhere through an SSH tunnel)"
    )]
    NotLoopback(SocketAddr),
    /// The listener does not say where it listens.
    #[error("cannot tell the page's own address: {0}")]
    NoAddress(#[source] std::io::Error),
}

/// Serves the page on `listener` to whom `access` lets in, until `shutdown` is ready;
/// connections that are open then may finish within [`SHUTDOWN_GRACE`].
///
/// Not `axum::serve`: that one has no timer, so a browser that never finishes
/// its request would hold a connection for ever.
///
/// # Errors
/// If `listener` is bound to another address than a loopback one, and there is no
/// password.
pub async fn serve(
    listener: TcpListener,
    journal: Arc<Journal>,
    about: About,
    access: Arc<Access>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let address = listener.local_addr().map_err(ServeError::NoAddress)?;
    may_listen(address, &access)?;
    let closing = CancellationToken::new();
    let router = routes(journal, about, access, address, closing.clone());
    serve_routes(listener, router, closing, shutdown).await;
    Ok(())
}

/// Serves `router` until `shutdown` is ready. Cancels `closing` then.
pub(crate) async fn serve_routes(
    listener: TcpListener,
    router: Router,
    closing: CancellationToken,
    shutdown: impl Future<Output = ()>,
) {
    let mut connections = JoinSet::new();
    tokio::select! {
        () = accept(&listener, &router, &closing, &mut connections) => {}
        () = shutdown => {}
    }
    drop(listener);
    closing.cancel();
    let finished = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(SHUTDOWN_GRACE, finished)
        .await
        .is_err()
    {
        tracing::debug!("some browsers did not finish in time");
    }
}

/// Whether a page with this access may be served at this address.
///
/// # Errors
/// Others reach it, and it has no password.
pub fn may_listen(address: SocketAddr, access: &Access) -> Result<(), ServeError> {
    if address.ip().is_loopback() || access.is_for_others() {
        return Ok(());
    }
    Err(ServeError::NotLoopback(address))
}

async fn accept(
    listener: &TcpListener,
    router: &Router,
    closing: &CancellationToken,
    connections: &mut JoinSet<()>,
) {
    let free = Arc::new(Semaphore::new(PAGE_CONNECTIONS));
    // The semaphore is never closed.
    while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
        while connections.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, _)) => {
                let (router, closing) = (router.clone(), closing.clone());
                connections.spawn(async move {
                    answer(stream, router, closing).await;
                    drop(permit);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "the page cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn answer(stream: TcpStream, router: Router, closing: CancellationToken) {
    // Only costs a delay where it fails.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_READ_TIMEOUT)
        .serve_connection(
            TokioIo::new(Patience::new(stream, WRITE_TIMEOUT)),
            TowerToHyperService::new(router),
        );
    let mut connection = std::pin::pin!(connection);
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a browser's connection ended");
    }
}
