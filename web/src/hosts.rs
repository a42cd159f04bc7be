//! Under which names the page is reached.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::Request;
use axum::http::header;

/// Names under which this machine reaches its own page, with the port: a page
/// from elsewhere that made its name resolve to this machine sends its own name
/// (DNS rebinding, as in CVE-2018-14505).
#[derive(Debug)]
pub(crate) struct AllowedHosts {
    /// With their port.
    own: Vec<String>,
    /// With or without one, as they were given.
    given: Vec<String>,
    /// Whether other machines reach it: under addresses that it does not know all.
    by_any_address: bool,
}

impl AllowedHosts {
    /// Of a page that is bound to this address, and has these names besides.
    pub(crate) fn of(address: SocketAddr, given: &[String]) -> Self {
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
        Self {
            own: hosts,
            given: given.to_vec(),
            by_any_address: !address.ip().is_loopback(),
        }
    }

    /// Whether a request names one of them, and nothing else.
    pub(crate) fn allow(&self, request: &Request) -> bool {
        let known = |host: &str| self.know(host);
        let mut headers = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (headers.next(), headers.next()) else {
            return false;
        };
        let in_target = request.uri().authority();
        host.to_str().is_ok_and(known) && in_target.is_none_or(|host| known(host.as_str()))
    }

    fn know(&self, host: &str) -> bool {
        let is = |name: &String| name.eq_ignore_ascii_case(host);
        let name = without_port(host);
        let is_name = |given: &String| given.eq_ignore_ascii_case(name);
        self.own.iter().any(is)
            || self.given.iter().any(|given| is(given) || is_name(given))
            // Nobody can make an address resolve to another.
            || self.by_any_address && is_address(name)
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_address(name: &str) -> bool {
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    match bare {
        Some(ip) => ip.parse::<Ipv6Addr>().is_ok(),
        None => name.parse::<Ipv4Addr>().is_ok(),
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
        AllowedHosts::of(address, &[]).allow(&request.body(Body::empty()).unwrap())
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

    #[test]
    fn a_page_for_others_has_every_address_and_the_names_that_it_was_given() {
        let given = ["debug.example".to_owned(), "proxied.example:443".to_owned()];
        let hosts = AllowedHosts::of("0.0.0.0:8191".parse().unwrap(), &given);
        for host in [
            "192.168.7.3:8191",
            "192.168.7.3:9000",
            "10.0.0.1",
            "[fe80::1]:8191",
            "[fe80::1]",
            "localhost:8191",
            "debug.example:8191",
            "Debug.Example",
            "proxied.example:443",
        ] {
            assert!(hosts.know(host), "{host}");
        }
        for host in [
            "evil.example:8191",
            "10.0.0.1.evil.example:8191",
            "proxied.example:444",
            "debug.example.evil.example",
            "fe80::1",
            "",
        ] {
            assert!(!hosts.know(host), "{host}");
        }
    }
}
