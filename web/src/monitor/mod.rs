//! What a scraper and a supervisor are told of the program itself: `/metrics`, `/healthz`,
//! `/readyz`, at an address of their own.
//!
//! A scraper has no cookie and a supervisor no token, so there is none to show: nothing that
//! was captured is told here, no name, address or payload, only figures of a fixed set of
//! kinds. Only this machine reaches it, unless it is given another address.

mod answers;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::hosts::AllowedHosts;
use crate::limits::SCRAPES;
use crate::serve::{ServeError, serve_routes};

/// What is told. Asked on a thread where nobody's bytes wait.
pub trait Monitored: std::fmt::Debug + Send + Sync + 'static {
    /// All figures, in Prometheus' text format 0.0.4.
    fn metrics(&self) -> String;

    /// Whether clients are served.
    fn readiness(&self) -> Readiness;
}

/// Whether clients are served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// They are; a sentence.
    Ready(String),
    /// They are not, or not any more; a sentence that says why.
    NotReady(String),
}

/// Serves `/metrics`, `/healthz` and `/readyz` of `monitored` on `listener`, until `shutdown`
/// is ready.
///
/// # Errors
/// The listener does not say where it listens.
pub async fn serve_monitor(
    listener: TcpListener,
    monitored: Arc<dyn Monitored>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let address = listener.local_addr().map_err(ServeError::NoAddress)?;
    let router = routes(address, monitored);
    serve_routes(listener, router, CancellationToken::new(), shutdown).await;
    Ok(())
}

/// What every handler has at hand.
#[derive(Debug)]
struct Monitor {
    monitored: Arc<dyn Monitored>,
    /// Names under which it is reached where only this machine reaches it.
    hosts: Option<AllowedHosts>,
    scrapes: Arc<Semaphore>,
}

fn routes(address: SocketAddr, monitored: Arc<dyn Monitored>) -> Router {
    let is_local = address.ip().is_loopback();
    let monitor = Arc::new(Monitor {
        monitored,
        hosts: is_local.then(|| AllowedHosts::of(address, &[])),
        scrapes: Arc::new(Semaphore::new(SCRAPES)),
    });
    Router::new()
        .route("/metrics", get(answers::metrics))
        .route("/healthz", get(answers::healthz))
        .route("/readyz", get(answers::readyz))
        .fallback(answers::elsewhere)
        .layer(from_fn_with_state(Arc::clone(&monitor), answers::guard))
        .with_state(monitor)
}
