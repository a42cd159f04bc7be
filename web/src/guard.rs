//! What holds for every request and every answer.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::problem::Problem;

/// Names under which this machine reaches its own page, with the port: a page
/// from elsewhere that made its name resolve to this machine sends its own name
/// (DNS rebinding, as in CVE-2018-14505).
#[derive(Debug)]
pub(crate) struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    pub(crate) fn of(address: SocketAddr) -> Self {
        let port = address.port();
        let own = match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let names = ["localhost", "127.0.0.1", "[::1]", &own];
        let mut hosts: Vec<_> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(names.map(str::to_owned));
        }
        Self(hosts)
    }

    fn allow(&self, request: &Request) -> bool {
        let known = |host: &str| self.0.iter().any(|own| own.eq_ignore_ascii_case(host));
        let mut headers = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (headers.next(), headers.next()) else {
            return false;
        };
        let in_target = request.uri().authority();
        host.to_str().is_ok_and(known) && in_target.is_none_or(|host| known(host.as_str()))
    }
}

pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = if !app.hosts.allow(&request) {
        let what = "This page answers to localhost, 127.0.0.1 and [::1] with its own port only. \
                    Open it under the address that parallax printed.";
        Problem::new(StatusCode::MISDIRECTED_REQUEST, what).into_response()
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let what = "This page only shows: nothing can be sent to it.";
        let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, what);
        ([(header::ALLOW, "GET, HEAD")], problem).into_response()
    } else {
        next.run(request).await
    };
    secure(response.headers_mut());
    response
}

fn secure(headers: &mut HeaderMap) {
    for (name, value) in SECURITY {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}

const SECURITY: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn allowed(uri: &str, hosts: &[&str]) -> bool {
        let mut request = Request::builder().uri(uri);
        for host in hosts {
            request = request.header("host", *host);
        }
        let address = "127.0.0.1:8191".parse().unwrap();
        AllowedHosts::of(address).allow(&request.body(Body::empty()).unwrap())
    }

    #[test]
    fn only_this_machines_own_names_with_the_pages_port_are_hosts() {
        for host in [
            "localhost:8191",
            "LocalHost:8191",
            "127.0.0.1:8191",
            "[::1]:8191",
        ] {
            assert!(allowed("/", &[host]), "{host}");
        }
        for host in [
            "localhost",
            "localhost:80",
            "evil.example:8191",
            "127.0.0.1.evil.example:8191",
            "",
        ] {
            assert!(!allowed("/", &[host]), "{host}");
        }
    }

    #[test]
    fn a_missing_a_second_or_a_contradicting_host_is_refused() {
        assert!(!allowed("/", &[]));
        assert!(!allowed("/", &["localhost:8191", "evil.example:8191"]));
        assert!(!allowed("http://evil.example:8191/", &["localhost:8191"]));
    }
}
