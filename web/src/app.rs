use std::net::SocketAddr;
use std::panic::resume_unwind;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use parallax_captures::Journal;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::about::About;
use crate::access::Access;
use crate::guard::{guard, other_method};
use crate::hosts::AllowedHosts;
use crate::limits::{BODY_BYTES, DOWNLOADS, EVENT_STREAMS, SEARCHES};
use crate::problem::Problem;
use crate::sign_in::{self, SIGN_IN};
use crate::{annotate, api, assets, download, events, latency, matching, refused, view};

/// What every handler has at hand.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) journal: Arc<Journal>,
    pub(crate) about: About,
    pub(crate) access: Arc<Access>,
    pub(crate) hosts: AllowedHosts,
    /// The port on which the page is served.
    pub(crate) port: u16,
    pub(crate) event_streams: Arc<Semaphore>,
    pub(crate) closing: CancellationToken,
    pub(crate) searches: Arc<Semaphore>,
    pub(crate) downloads: Arc<Semaphore>,
}

impl App {
    /// What `look` finds in the journal, on a thread where nobody's bytes wait. Only a few
    /// look at once.
    ///
    /// # Errors
    /// The search ended before its time.
    pub(crate) async fn search<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Journal) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let failed = |why: &dyn std::fmt::Display| {
            let what = format!("The journal could not be searched: {why}.");
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, what)
        };
        let permit = Arc::clone(&self.searches).acquire_owned().await;
        let permit = permit.map_err(|closed| failed(&closed))?;
        let journal = Arc::clone(&self.journal);
        let search = move || {
            let found = look(&journal);
            // Only now: whoever asked may be gone, the search is not.
            drop(permit);
            found
        };
        let found = tokio::task::spawn_blocking(search).await;
        found.map_err(|error| failed(&error))
    }
}

/// What `look` finds in the journal. Older exchanges may have to be read from a disk:
/// that is waited for on another thread.
pub(crate) async fn looked_up<T: Send + 'static>(
    app: Arc<App>,
    look: impl FnOnce(&App) -> T + Send + 'static,
) -> T {
    match tokio::task::spawn_blocking(move || look(&app)).await {
        Ok(found) => found,
        Err(error) => resume_unwind(error.into_panic()),
    }
}

/// The pages over `journal`, as served at `address` to whom `access` lets in. Live pages
/// end when `closing` is cancelled.
pub(crate) fn routes(
    journal: Arc<Journal>,
    about: About,
    access: Arc<Access>,
    address: SocketAddr,
    closing: CancellationToken,
) -> Router {
    let app = Arc::new(App {
        journal,
        about,
        hosts: AllowedHosts::of(address, access.hosts()),
        access,
        port: address.port(),
        event_streams: Arc::new(Semaphore::new(EVENT_STREAMS)),
        closing,
        searches: Arc::new(Semaphore::new(SEARCHES)),
        downloads: Arc::new(Semaphore::new(DOWNLOADS)),
    });
    Router::new()
        .route("/", get(view::overview::show))
        .route("/exchanges", get(view::list::show))
        .route("/rows", get(view::list::show_rows))
        .route("/matching", get(matching::show))
        .route("/newer", get(view::list::count_newer))
        .route("/exchanges.pcapng", get(download::pcapng))
        .route("/exchanges.jsonl", get(download::jsonl))
        .route("/exchanges.csv", get(download::csv))
        .route("/exchanges/{n}/hex", get(view::copy::show_hex))
        .route("/exchanges/{n}/annotation", post(annotate::annotate))
        .route("/panels", get(view::overview::show_panels))
        .route("/events", get(events::stream))
        .route("/exchanges/{n}", get(view::exchange::show))
        .route("/exchanges/{n}/messages/{place}", get(view::part::message))
        .route(
            "/exchanges/{n}/messages/{place}/payload",
            get(view::part::message_bytes),
        )
        .route("/exchanges/{n}/bodies/{which}", get(view::part::body))
        .route(
            "/exchanges/{n}/bodies/{which}/payload",
            get(view::part::body_bytes),
        )
        .route("/findings/{code}", get(view::finding::show))
        .route("/latency", get(view::latency::show))
        .route("/latency.hlog", get(latency::log::show))
        .route(SIGN_IN, get(sign_in::show).post(sign_in::sign_in))
        .merge(api::routes())
        .route("/partitions", get(view::partitions::show))
        .route(
            "/partitions/{stream}/{topic}/{partition}",
            get(view::partition::show),
        )
        .route(
            "/partitions/{stream}/{topic}/{partition}/life",
            get(view::partition::show_life),
        )
        .merge(assets::routes())
        .fallback(|| async { Problem::not_found("There is no such page.") })
        .method_not_allowed_fallback(other_method)
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(from_fn(refused::told))
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}
