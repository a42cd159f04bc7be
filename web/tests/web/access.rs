//! Who sees the page: whoever was told the token, or knows the password.

use std::sync::Arc;

use parallax_web::Access;
use parallax_web::limits::{BODY_BYTES, SIGN_IN_ATTEMPTS};

use crate::http::{Answer, Page};
use crate::sample;

const PASSWORD: &str = "canary of the page & more";

async fn with_token() -> Page {
    Page::over(sample::broken_partition()).await
}

async fn with_password(listen: &str) -> Page {
    let names = vec!["debug.example".to_owned()];
    let access = Access::with_password(PASSWORD.to_owned(), names).unwrap();
    Page::to(access, listen, sample::broken_partition(), sample::about()).await
}

async fn get_with(page: &Page, path: &str, header: &str) -> Answer {
    let host = page.address;
    page.ask(&format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\n{header}\r\nConnection: close\r\n\r\n"
    ))
    .await
}

/// The form, sent by the sign-in page.
async fn sign_in(page: &Page, body: &str) -> Answer {
    let (host, length) = (page.address, body.len());
    page.ask(&format!(
        "POST /sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    ))
    .await
}

#[tokio::test]
async fn without_the_token_nothing_is_shown_but_how_to_get_in() {
    let page = with_token().await;
    for path in [
        "/",
        "/exchanges?errors=1",
        "/exchanges/1",
        "/rows",
        "/panels",
        "/events",
        "/findings/PX102",
        "/latency",
        "/nothing",
        "/api/v1/exchanges",
        "/api/v1/openapi.json",
        "/api/v1/nothing",
    ] {
        for header in ["X: x", "Cookie: parallax-1=x", "Authorization: Bearer x"] {
            let answer = get_with(&page, path, header).await;
            assert_eq!(answer.status, 401, "{path} {header}");
            assert_eq!(
                answer.header("www-authenticate"),
                Some("bearer realm=\"parallax\"")
            );
            assert!(
                !answer.body.contains("otel") && !answer.body.contains("evidence"),
                "{path}"
            );
            let is_api = path.starts_with("/api/");
            assert_eq!(
                answer.body.contains("Authorization: Bearer"),
                is_api,
                "{path}"
            );
            assert_eq!(
                answer.body.contains("<form method=\"post\""),
                !is_api,
                "{path}"
            );
        }
    }
    let wanted = page
        .ask_at("/exchanges?where=a%20%3D%3D%20%22%3E")
        .await
        .body;
    let wanted_there = "name=\"to\" value=\"/exchanges?where=a%20%3D%3D%20%22%3E\"";
    assert!(wanted.contains(wanted_there), "{wanted}");
    assert_eq!(page.ask_at("/static/parallax.css").await.status, 200);
    assert_eq!(page.ask_at("/sign-in").await.status, 200);
}

#[tokio::test]
async fn the_printed_address_leads_on_without_the_token() {
    let page = with_token().await;
    let token = page.token().to_owned();
    assert!(
        page.printed
            .starts_with(&format!("http://{}/?token=", page.address))
    );
    for (asked, clean) in [
        (format!("/?token={token}"), "/"),
        (
            format!("/exchanges?errors=1&token={token}"),
            "/exchanges?errors=1",
        ),
        (format!("/exchanges/1?token={token}"), "/exchanges/1"),
    ] {
        let answer = page.ask_at(&asked).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, Some(clean))
        );
        // Nobody else is told of it, not even by the address that led there.
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let cookie = answer.header("set-cookie").unwrap();
        let (pair, attributes) = cookie.split_once(';').unwrap();
        assert_eq!(attributes, " path=/; httponly; samesite=strict");
        let name = format!("parallax-{}=", page.address.port());
        assert!(pair.starts_with(&name) && !pair.contains(&token), "{pair}");
        let there = get_with(&page, clean, &format!("Cookie: other=1; {pair}")).await;
        assert_eq!(there.status, 200);
        assert!(!there.body.contains(&token) && !there.head.contains(&token));
        // An old bookmark, of a run before this.
        let old = get_with(&page, "/latency?token=old", &format!("Cookie: {pair}")).await;
        assert_eq!(
            (old.status, old.header("location")),
            (303, Some("/latency"))
        );
    }
    let wrong = page.ask_at("/?token=0123").await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.body.contains("not the token of this run") && !wrong.body.contains("0123"));
    assert_eq!(wrong.header("set-cookie"), None);
}

#[tokio::test]
async fn the_form_lets_in_and_leads_to_where_one_wanted_to_go() {
    let page = with_token().await;
    let token = page.token().to_owned();
    let body = format!("secret=+{token}+&to=%2Fexchanges%3Ferrors%3D1");
    let answer = sign_in(&page, &body).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/exchanges?errors=1"))
    );
    assert!(answer.header("set-cookie").is_some());
    let elsewhere = sign_in(&page, &format!("secret={token}&to=%2F%2Fevil.example")).await;
    assert_eq!(elsewhere.header("location"), Some("/"));
    for wrong in [
        "",
        "secret=",
        "secret=x&to=/latency",
        "%%%",
        &"x".repeat(BODY_BYTES + 1),
    ] {
        let answer = sign_in(&page, wrong).await;
        assert_eq!((answer.status, answer.header("set-cookie")), (401, None));
        assert!(answer.body.contains("role=\"alert\""));
    }
    let host = page.address;
    let forged = format!(
        "POST /sign-in HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n\
         Content-Length: 0\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(page.ask(&forged).await.status, 403);
}

#[tokio::test]
async fn a_link_from_another_site_leads_on_by_a_link_of_our_own() {
    let page = with_token().await;
    let answer = get_with(&page, "/latency", "Sec-Fetch-Site: cross-site").await;
    assert_eq!(answer.status, 401);
    assert!(
        answer
            .body
            .contains("<a href=\"/latency\">go on to the page</a>")
    );
}

#[tokio::test]
async fn tools_say_the_password_as_bearer_or_basic() {
    let page = with_password("127.0.0.1:0").await;
    assert_eq!(page.printed, format!("http://{}/", page.address));
    let basic = "Authorization: Basic YW55Ym9keTpjYW5hcnkgb2YgdGhlIHBhZ2UgJiBtb3Jl";
    let bearer = format!("Authorization: Bearer {PASSWORD}");
    for header in [basic, &bearer] {
        let answer = get_with(&page, "/api/v1/access", header).await;
        assert_eq!(answer.status, 200, "{header}");
        assert_eq!(
            answer.body,
            "{\"needs\":\"password\",\"refused\":0,\"wrong\":0}"
        );
    }
    let form = page.ask_at("/").await;
    assert_eq!(form.status, 401);
    assert!(form.body.contains("This page has a password"));
    let signed_in = sign_in(&page, "secret=canary+of+the+page+%26+more&to=/").await;
    assert_eq!(signed_in.status, 303);
    assert!(!signed_in.header("set-cookie").unwrap().contains("canary"));
}

#[tokio::test]
async fn a_password_cannot_be_guessed_at_leisure() {
    let page = with_password("127.0.0.1:0").await;
    let cookie = sign_in(&page, "secret=canary+of+the+page+%26+more").await;
    let cookie = cookie.header("set-cookie").unwrap();
    let cookie = format!("Cookie: {}", cookie.split(';').next().unwrap());
    for n in 0..SIGN_IN_ATTEMPTS {
        let answer = match n % 3 {
            0 => sign_in(&page, "secret=x").await,
            1 => get_with(&page, "/?token=x", "X: x").await,
            _ => get_with(&page, "/api/v1/figures", "Authorization: Bearer x").await,
        };
        assert_eq!(answer.status, 401, "{n}");
    }
    let right = format!("Authorization: Bearer {PASSWORD}");
    let tool = get_with(&page, "/api/v1/figures", &right).await;
    assert_eq!(tool.status, 429);
    assert!(tool.header("retry-after").unwrap().parse::<u64>().unwrap() <= 60);
    let person = sign_in(&page, "secret=canary+of+the+page+%26+more").await;
    assert_eq!((person.status, person.header("set-cookie")), (429, None));
    assert!(person.body.contains("Try again in"));
    let inside = get_with(&page, "/api/v1/access", &cookie).await;
    assert_eq!(inside.status, 200, "who is in stays in");
    assert_eq!(
        inside.body,
        "{\"needs\":\"password\",\"refused\":2,\"wrong\":10}"
    );
}

#[tokio::test]
async fn with_a_password_other_machines_may_come_by_address_or_given_name() {
    let page = Arc::new(with_password("0.0.0.0:0").await);
    let port = page.address.port();
    for (host, status) in [
        (format!("127.0.0.1:{port}"), 200),
        ("192.168.7.9:9000".to_owned(), 200),
        (format!("debug.example:{port}"), 200),
        (format!("evil.example:{port}"), 421),
    ] {
        let request = format!(
            "GET / HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {PASSWORD}\r\n\
             Connection: close\r\n\r\n"
        );
        assert_eq!(page.ask(&request).await.status, status, "{host}");
    }
}
