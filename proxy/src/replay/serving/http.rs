//! HTTP, as it was captured.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;
use parallax_captures::http_poll::parse_target;
use parallax_captures::{ConnectionId, Content, Dialect, Exchange, HttpContent, Times};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::tcp::NOT_ON_THE_TAPE;
use crate::limited_listener::Limited;
use crate::limits::{TAPE_CONNECTIONS, TAPE_DRAIN, TAPE_REQUEST_BODY};
use crate::replay::tape::is_http_login;

pub(super) async fn serve(listener: TcpListener, shared: Arc<Shared>, stop: CancellationToken) {
    let Ok(address) = listener.local_addr() else {
        return;
    };
    let router = Router::new()
        .fallback(answer)
        .layer(DefaultBodyLimit::max(TAPE_REQUEST_BODY))
        .with_state((shared, address));
    let stopped = stop.clone().cancelled_owned();
    let listener = Limited::new(listener, TAPE_CONNECTIONS);
    let server = axum::serve(listener, router).with_graceful_shutdown(stopped);
    let out_of_time = async {
        stop.cancelled().await;
        tokio::time::sleep(TAPE_DRAIN).await;
    };
    tokio::select! {
        () = out_of_time => {}
        result = server => if let Err(error) = result {
            tracing::warn!(%error, "the tape no longer answers HTTP");
        },
    }
}

async fn answer(
    State((shared, address)): State<(Arc<Shared>, SocketAddr)>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    // What a login says is not kept, and anybody is let in.
    let body = if is_http_login(target) {
        Bytes::new()
    } else {
        body
    };
    let asked = asked(&method, target, body);
    let Some(captured) = shared.answer(&asked, address) else {
        return match (&method, target) {
            // By this whoever asks HTTP tells an Iggy server, before anything else.
            (&Method::GET, "/ping") => "pong".into_response(),
            _ => missing(&method, target),
        };
    };
    let Content::Http(captured) = &captured.content else {
        return missing(&method, target);
    };
    let status = captured
        .http_status
        .and_then(|code| StatusCode::from_u16(code).ok());
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if is_http_login(target) && status == StatusCode::OK {
        return (status, [(header::CONTENT_TYPE, JSON)], identity()).into_response();
    }
    let body = captured.response_body.clone();
    let is_json = serde_json::from_slice::<serde_json::Value>(&body).is_ok();
    let content_type = if is_json {
        JSON
    } else {
        "text/plain; charset=utf-8"
    };
    (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
}

const JSON: &str = "application/json";

/// An access token in place of the captured one, which is not kept. Nobody asks for it
/// again.
fn identity() -> String {
    let in_an_hour = Timestamp::now().as_second() + 3_600;
    json!({
        "user_id": 0,
        "access_token": { "token": "from-tape", "expiry": in_an_hour },
    })
    .to_string()
}

fn asked(method: &Method, target: &str, body: Bytes) -> Exchange {
    let now = Timestamp::now();
    let poll = (method == Method::GET)
        .then(|| parse_target(target))
        .flatten();
    Exchange {
        n: 0,
        conn: ConnectionId(0),
        dialect: Dialect::Http,
        times: Times {
            request_first: now,
            request_last: now,
            reply: None,
        },
        content: Content::Http(HttpContent {
            method: method.as_str().to_owned(),
            target: target.to_owned(),
            http_status: None,
            request_body: body,
            response_body: Bytes::new(),
            poll,
            answer: None,
        }),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    }
}

/// An error as Iggy's HTTP API writes them.
fn missing(method: &Method, target: &str) -> Response {
    let error = json!({
        "id": NOT_ON_THE_TAPE.0,
        "code": NOT_ON_THE_TAPE.name(),
        "reason": format!("{method} {target} is not on the tape that parallax plays"),
        "field": null,
    });
    let headers = [(header::CONTENT_TYPE, JSON)];
    (StatusCode::NOT_FOUND, headers, error.to_string()).into_response()
}
