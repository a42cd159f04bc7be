//! HTTP: the same state in JSON.
//!
//! Paths, bodies, status codes: recording `http_server-0.8.0`, and `http/` of
//! server 0.8.0; with the VSR dialect recording `http_server-0.9-edge`, and a real
//! 0.9.0-edge.5. A poll over HTTP is always a single consumer's, and without a
//! partition it reads partition 0.

mod answers;
mod byte_size;
mod login;
mod messages;
mod questions;
mod system;
mod topics;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use parallax_codec::Dialect;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::answers::Failure;
use super::model::Refusal;
use super::server::{Shared, now};
use crate::limited_listener::Limited;
use crate::limits::{STANDIN_CONNECTIONS, STANDIN_HTTP_BODY, STANDIN_HTTP_DRAIN};

/// What needs no access token.
const OPEN_PATHS: [&str; 4] = [
    "/",
    "/ping",
    "/users/login",
    "/personal-access-tokens/login",
];

/// Answers HTTP until told to stop, then what was asked, for a bounded time.
pub(super) async fn serve(listener: TcpListener, shared: Arc<Shared>, stop: CancellationToken) {
    let listener = Limited::new(listener, STANDIN_CONNECTIONS);
    let stopped = stop.clone().cancelled_owned();
    let server = axum::serve(listener, router(shared)).with_graceful_shutdown(stopped);
    let out_of_time = async {
        stop.cancelled().await;
        tokio::time::sleep(STANDIN_HTTP_DRAIN).await;
    };
    tokio::select! {
        () = out_of_time => {}
        result = server => if let Err(error) = result {
            tracing::warn!(%error, "the stand-in no longer answers HTTP");
        },
    }
}

fn router(shared: Arc<Shared>) -> Router {
    const TOPIC: &str = "/streams/{stream_id}/topics/{topic_id}";
    let of_topic = |path: &str| format!("{TOPIC}{path}");
    let router = match shared.model().dialect() {
        Dialect::Classic => Router::new().route("/", get(|| async { "Iggy API" })),
        Dialect::Vsr => Router::new(),
    };
    router
        .route("/ping", get(|| async { "pong" }))
        .route("/users/login", post(login::with_password))
        .route("/personal-access-tokens/login", post(login::with_token))
        .route("/stats", get(system::stats))
        .route("/cluster/metadata", get(system::cluster))
        .route("/streams", get(topics::streams))
        .route("/streams/{stream_id}", get(topics::stream))
        .route("/streams/{stream_id}/topics", get(topics::topics))
        .route(TOPIC, get(topics::topic))
        .route(&of_topic("/consumer-groups"), get(topics::groups))
        .route(&of_topic("/messages"), get(messages::poll))
        .route(
            &of_topic("/consumer-offsets"),
            get(messages::offset).put(messages::store_offset),
        )
        .route(
            &of_topic("/consumer-offsets/{consumer_id}"),
            delete(messages::delete_offset),
        )
        .layer(DefaultBodyLimit::max(STANDIN_HTTP_BODY))
        .layer(from_fn_with_state(Arc::clone(&shared), authorize))
        .with_state(shared)
}

/// 401 unless the access token is good; without a body on server 0.8.0.
async fn authorize(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    if OPEN_PATHS.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    let value = request.headers().get(header::AUTHORIZATION);
    let token = value
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    let is_good = token.is_some_and(|token| shared.model().is_access_token_good(token, now()));
    if is_good {
        return next.run(request).await;
    }
    match (shared.model().dialect(), token) {
        (Dialect::Classic, _) => StatusCode::UNAUTHORIZED.into_response(),
        (Dialect::Vsr, None) => Failure::from(Refusal::access_token_missing()).into_response(),
        (Dialect::Vsr, Some(_)) => Failure::from(Refusal::unauthenticated()).into_response(),
    }
}
