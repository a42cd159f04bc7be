//! What the page keeps to itself, and who may ask it.

use std::sync::Arc;

use crate::http::Page;
use crate::sample;
use bytes::Bytes;
use parallax_captures::{Content, Journal};
use parallax_codec::classic::encode_request;
use parallax_codec::primitives::PollingKind;
use parallax_codec::{Request, code};
use parallax_web::{Access, ServeError};
use tokio::net::TcpListener;

async fn page() -> Page {
    Page::over(sample::broken_partition()).await
}

#[tokio::test]
async fn every_answer_forbids_inline_script_framing_and_sniffing() {
    let page = page().await;
    for path in [
        "/",
        "/nothing",
        "/static/js/main.js",
        "/api/v1/exchanges",
        "/exchanges?x=1",
    ] {
        let head = page.get(path).await.head;
        assert!(
            head.contains("content-security-policy: default-src 'none'"),
            "{path}: {head}"
        );
        assert!(
            head.contains("frame-ancestors 'none'") && !head.contains("unsafe"),
            "{path}"
        );
        assert!(head.contains("x-content-type-options: nosniff"), "{path}");
        assert!(!head.contains("access-control-"), "no CORS: {path}");
    }
    let overview = page.text("/").await;
    assert!(!overview.contains(" style=") && !overview.contains("<style"));
    assert!(!overview.contains(" onclick="));
    let elsewhere = ["src=\"http", "href=\"http", "href=\"//", "src=\"//"];
    assert!(!elsewhere.iter().any(|address| overview.contains(address)));
}

#[tokio::test]
async fn a_name_that_was_made_to_resolve_here_is_refused() {
    let page = page().await;
    let (port, token) = (page.address.port(), page.token());
    for (host, status) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        (format!("evil.example:{port}"), 421),
        ("localhost".to_owned(), 421),
    ] {
        let request = format!(
            "GET / HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
             Connection: close\r\n\r\n"
        );
        let answer = page.ask(&request).await;
        assert_eq!(answer.status, status, "{host}");
        assert!(status == 200 || !answer.body.contains("otel"), "{host}");
    }
    let answer = page.ask("GET /api/v1/exchanges HTTP/1.0\r\n\r\n").await;
    assert_eq!(answer.status, 421, "no host at all");
}

#[tokio::test]
async fn only_the_page_itself_can_send_something_to_it() {
    let page = page().await;
    let host = page.address;
    let own = format!("Origin: http://{host}\r\nCookie: {}", page.cookie().await);
    let by_fetch = own.replace(
        &format!("Origin: http://{host}"),
        "Sec-Fetch-Site: same-origin",
    );
    let tool = format!("Authorization: Bearer {}", page.token());
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        for (sender, status) in [
            (own.as_str(), 405),
            (by_fetch.as_str(), 405),
            (tool.as_str(), 405),
            ("Origin: http://evil.example", 403),
            ("Sec-Fetch-Site: cross-site", 403),
            ("X-Nothing: said", 403),
        ] {
            for path in ["/", "/api/v1/exchanges"] {
                let request = format!(
                    "{method} {path} HTTP/1.1\r\nHost: {host}\r\n{sender}\r\n\
                     Content-Length: 0\r\nConnection: close\r\n\r\n"
                );
                let answer = page.ask(&request).await;
                assert_eq!(answer.status, status, "{method} {path} {sender}");
                assert_eq!(
                    answer.body.starts_with("{\"error\":"),
                    path != "/",
                    "{path}"
                );
                let allows = answer.head.contains("allow: get,head");
                assert!(allows || status == 403, "{method} {path}: {}", answer.head);
                assert!(!answer.head.contains("access-control-"), "no CORS");
            }
        }
    }
}

#[tokio::test]
async fn an_address_that_others_can_reach_is_refused() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let for_ever = std::future::pending();
    let journal = Arc::new(Journal::new());
    let access = Arc::new(Access::with_token().unwrap());
    let refused = parallax_web::serve(listener, journal, sample::about(), access, for_ever).await;
    let Err(ServeError::NotLoopback(address)) = refused else {
        panic!("served to everybody")
    };
    let words = ServeError::NotLoopback(address).to_string();
    assert!(
        words.contains("0.0.0.0") && words.contains("PARALLAX_UI_PASSWORD"),
        "{words}"
    );
}

#[tokio::test]
async fn assets_are_fetched_once() {
    let page = page().await;
    for path in [
        "/static/parallax.css",
        "/static/js/main.js",
        "/static/icon.svg",
    ] {
        let first = page.get(path).await;
        assert!(!first.body.is_empty());
        let tag = first
            .head
            .split("etag: ")
            .nth(1)
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .to_owned();
        let known = page.known();
        let request = format!(
            "GET {path} HTTP/1.1\r\n{known}\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n"
        );
        let second = page.ask(&request).await;
        assert_eq!((second.status, second.body.as_str()), (304, ""), "{path}");
    }
}

/// Frames are masked where they are kept. A page does not rely on it: what a
/// field says is a password is masked here too.
#[tokio::test]
async fn no_page_shows_a_password() {
    let journal = sample::broken_partition();
    let question = sample::question("metrics", Some(0), PollingKind::First);
    let mut login = sample::poll(60_000, &question, Ok((0, 0)));
    if let Content::Binary(content) = &mut login.content {
        let body = Bytes::from_static(b"\x04iggy\x06canary\x00\x00\x00\x00\x00\x00\x00\x00");
        content.code = code::LOGIN_USER;
        content.request =
            Request::decode(parallax_codec::Dialect::Classic, code::LOGIN_USER, &body).ok();
        content.request_frame = encode_request(code::LOGIN_USER, &body);
        assert!(matches!(content.request, Some(Request::LoginUser(_))));
    }
    let n = journal.record(login);
    let page = Page::over(journal).await;
    let detail = page.text(&format!("/exchanges/{n}")).await;
    assert!(detail.contains("*** (masked)") && detail.contains("2a 2a 2a 2a"));
    let (raw, hex, base64) = ("canary", "63 61 6e 61 72 79", "Y2FuYXJ5");
    for path in [
        "/".to_owned(),
        "/rows".to_owned(),
        format!("/exchanges/{n}"),
        format!("/api/v1/exchanges/{n}"),
    ] {
        let text = page.text(&path).await;
        let shown = [raw, hex, base64].iter().any(|form| text.contains(form));
        assert!(!shown, "{path}");
    }
}
