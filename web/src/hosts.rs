//! Under which names the page is reached.

use std::net::{IpAddr, SocketAddr};

use axum::extract::Request;
use axum::http::header;

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

    /// Whether a request names one of them, and nothing else.
    pub(crate) fn allow(&self, request: &Request) -> bool {
        let known = |host: &str| self.0.iter().any(|own| own.eq_ignore_ascii_case(host));
        let mut headers = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (headers.next(), headers.next()) else {
            return false;
        };
        let in_target = request.uri().authority();
        host.to_str().is_ok_and(known) && in_target.is_none_or(|host| known(host.as_str()))
    }
}

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
