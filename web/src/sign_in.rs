//! How one gets in: by the address that parallax printed, or by this form.

use std::sync::Arc;

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use crate::access::{Attempt, Kind, token_in};
use crate::api;
use crate::app::App;
use crate::problem::Problem;
use crate::view::layout::bare_page;

/// Where the form goes.
pub(crate) const SIGN_IN: &str = "/sign-in";

/// What the sender of a request is told instead of an answer; `None` where the request may
/// go on.
pub(crate) fn kept_out(app: &App, request: &Request) -> Option<Response> {
    let uri = request.uri();
    let has_session = app.access.has_session(request, app.port);
    if let Some((token, query)) = uri.query().and_then(token_in) {
        let clean = address(uri.path(), &query);
        let attempt = if has_session {
            Attempt::Right
        } else {
            app.access.attempt(token.as_bytes())
        };
        return Some(match attempt {
            Attempt::Right => signed_in(app, &clean),
            failed => refused(app, request.headers(), uri.path(), &clean, Some(failed)),
        });
    }
    let needs_no_secret = uri.path() == SIGN_IN || uri.path().starts_with("/static/");
    if has_session || needs_no_secret {
        return None;
    }
    match app.access.authorized(request) {
        Some(Attempt::Right) => None,
        failed => {
            let wanted = address(uri.path(), uri.query().unwrap_or_default());
            Some(refused(app, request.headers(), uri.path(), &wanted, failed))
        }
    }
}

/// The form, for whoever asks for it.
pub(crate) async fn show(State(app): State<Arc<App>>) -> Markup {
    page(&app, "/", None, false)
}

/// What the form sends: `secret`, and `to` where it leads.
pub(crate) async fn sign_in(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: OriginalUri,
    form: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Response {
    let pairs = form.map_or_else(|_| Vec::new(), |Form(pairs)| pairs);
    let field = |wanted: &str| {
        let found = pairs.iter().find(|(name, _)| name == wanted);
        found.map_or("", |(_, value)| value.as_str())
    };
    let to = our_own(field("to"));
    match app.access.attempt(field("secret").trim().as_bytes()) {
        Attempt::Right => signed_in(&app, &to),
        failed => refused(&app, &headers, uri.path(), &to, Some(failed)),
    }
}

fn address(path: &str, query: &str) -> String {
    match query {
        "" => our_own(path),
        _ => our_own(&format!("{path}?{query}")),
    }
}

/// The address, where it is a path of ours; else the overview's. A browser takes `//host`
/// and `/\host` for another site.
fn our_own(to: &str) -> String {
    let begins = to.starts_with('/') && !to.starts_with("//") && !to.contains('\\');
    let is_path = to.parse::<Uri>().is_ok_and(|uri| uri.authority().is_none());
    let to = if begins && is_path { to } else { "/" };
    to.to_owned()
}

/// On to the page, with the cookie and without the token: no history has it.
fn signed_in(app: &App, to: &str) -> Response {
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response();
    if let Some(cookie) = app.access.session_cookie(app.port) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// What someone unknown gets: a program a sentence, a person the form.
fn refused(
    app: &App,
    headers: &HeaderMap,
    path: &str,
    wanted: &str,
    attempt: Option<Attempt>,
) -> Response {
    let kind = app.access.kind().name();
    let (status, wait) = match attempt {
        Some(Attempt::Refused(wait)) => (StatusCode::TOO_MANY_REQUESTS, wait.as_secs() + 1),
        _ => (StatusCode::UNAUTHORIZED, 0),
    };
    let wrong = attempt.map(|attempt| match attempt {
        Attempt::Refused(_) => format!("Too many were wrong. Try again in {wait} seconds."),
        _ if app.access.kind() == Kind::Token => {
            "That is not the token of this run: parallax makes a new one at each start.".to_owned()
        }
        _ => "That is not the password.".to_owned(),
    });
    let mut response = if path.starts_with(api::ROOT) {
        let how = format!(
            "This needs the {kind}: send the header Authorization: Bearer and the {kind}, or open \
             the address that parallax printed."
        );
        let what = wrong.map_or(how.clone(), |wrong| format!("{wrong} {how}"));
        Problem::new(status, what).told_at(path)
    } else {
        // A browser that follows another site's link leaves the cookie behind.
        let from_elsewhere = headers
            .get("sec-fetch-site")
            .is_some_and(|site| site == "cross-site");
        let page = page(app, wanted, wrong.as_deref(), from_elsewhere);
        (status, page).into_response()
    };
    if wait > 0 {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, wait.into());
    } else {
        let how = header::HeaderValue::from_static("Bearer realm=\"parallax\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
    }
    response
}

fn page(app: &App, wanted: &str, wrong: Option<&str>, from_elsewhere: bool) -> Markup {
    let (label, how) = match app.access.kind() {
        Kind::Token => (
            "Token",
            "Open the address that parallax printed when it started, the whole of it, or paste \
             the token here: what stands in it after token=",
        ),
        Kind::Password => ("Password", "This page has a password."),
    };
    let body = html! {
        section.sign-in {
            h1 { "Sign in" }
            @if from_elsewhere {
                p { "You come from another site. If you have signed in here before, "
                    a href=(wanted) { "go on to the page" } "." }
            }
            p { (how) }
            @if let Some(wrong) = wrong { p.bad id="wrong" role="alert" { (wrong) } }
            form method="post" action=(SIGN_IN) {
                label for="secret" { (label) }
                input id="secret" name="secret" type="password" required
                    autocomplete="current-password" aria-describedby=[wrong.map(|_| "wrong")];
                input type="hidden" name="to" value=(wanted);
                button { "Sign in" }
            }
        }
    };
    bare_page("Sign in", &body)
}

#[cfg(test)]
mod tests {
    use super::our_own;

    #[test]
    fn one_is_led_to_a_page_of_ours_only() {
        for own in ["/", "/exchanges?where=a%20%3D%3D%201", "/exchanges/7"] {
            assert_eq!(our_own(own), own);
        }
        for other in [
            "",
            "//evil.example",
            "/\\evil.example",
            "http://evil.example/",
            "evil.example",
            "/a\r\nSet-Cookie: x",
            "javascript:alert(1)",
        ] {
            assert_eq!(our_own(other), "/", "{other}");
        }
    }
}
