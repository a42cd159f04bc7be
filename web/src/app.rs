use std::net::SocketAddr;
use std::panic::resume_unwind;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use parallax_captures::{Journal, Listing};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::about::About;
use crate::access::Access;
use crate::filter::Filter;
use crate::guard::{guard, other_method};
use crate::hosts::AllowedHosts;
use crate::limits::{BODY_BYTES, EVENT_STREAMS, SEARCHES};
use crate::problem::Problem;
use crate::sign_in::{self, SIGN_IN};
use crate::{api, assets, events, latency, view};

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
}

impl App {
    /// At most so many exchanges of the list, newest first. Looks for them on a thread
    /// where nobody's bytes wait.
    ///
    /// # Errors
    /// The search ended before its time.
    pub(crate) async fn list(&self, filter: Filter, most: usize) -> Result<Listing, Problem> {
        let failed = |why: &dyn std::fmt::Display| {
            let what = format!("The journal could not be searched: {why}.");
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, what)
        };
        let permit = Arc::clone(&self.searches).acquire_owned().await;
        let permit = permit.map_err(|closed| failed(&closed))?;
        let journal = Arc::clone(&self.journal);
        let search = move || {
            let listed = journal.list(filter.before, most, &filter);
            // Only now: whoever asked may be gone, the search is not.
            drop(permit);
            listed
        };
        let listed = tokio::task::spawn_blocking(search).await;
        listed.map_err(|error| failed(&error))
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
    });
    Router::new()
        .route("/", get(view::overview::show))
        .route("/exchanges", get(view::list::show))
        .route("/rows", get(view::list::show_rows))
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
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}
