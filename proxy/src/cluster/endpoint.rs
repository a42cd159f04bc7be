//! Where a node speaks TCP.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use parallax_codec::commands::ClusterNode;

/// A host, by name or by address, and a port.
///
/// Two are equal where `iggy` 0.10.0 and 0.11.0 take them for the same before they ask
/// anybody (`leader_aware.rs`): addresses by value, names without regard to case,
/// `localhost` as 127.0.0.1 and `[::]` as `[::1]`. A name and the address that it stands for
/// are two.
///
/// ```
/// use parallax_proxy::cluster::Endpoint;
/// let endpoint: Endpoint = "LOCALHOST:8090".parse()?;
/// assert_eq!(endpoint, "127.0.0.1:8090".parse()?);
/// assert_eq!(endpoint.to_string(), "LOCALHOST:8090");
/// # Ok::<(), parallax_proxy::cluster::EndpointError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// As it was given, an IPv6 address without brackets.
    host: String,
    port: u16,
}

/// What is no `host:port`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no address of a node: write host:port, as 10.0.0.1:8090, [::1]:8090 or \
     iggy.example:8090"
)]
pub struct EndpointError(String);

/// What a host is compared by.
#[derive(PartialEq, Eq, Hash)]
enum Host {
    Address(IpAddr),
    Name(String),
}

impl Endpoint {
    /// Where a node says that it speaks TCP; `None` where it does not (port 0).
    pub fn of(node: &ClusterNode) -> Option<Self> {
        let ip = node.ip.trim_start_matches('[').trim_end_matches(']');
        (node.tcp_port != 0).then(|| Self {
            host: ip.to_owned(),
            port: node.tcp_port,
        })
    }

    /// The host as it is put into a reply. An IPv6 address has brackets: SDK 0.10 puts the
    /// port behind what it is given, and 0.11 adds brackets only where there are none.
    pub fn host(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        }
    }

    /// The port, never 0 in what a node advertises.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The host's address; `None` for a name other than `localhost`.
    pub fn ip(&self) -> Option<IpAddr> {
        match self.key() {
            Host::Address(ip) => Some(ip),
            Host::Name(_) => None,
        }
    }

    fn key(&self) -> Host {
        if self.host.eq_ignore_ascii_case("localhost") {
            return Host::Address(Ipv4Addr::LOCALHOST.into());
        }
        match self.host.parse() {
            Ok(IpAddr::V6(Ipv6Addr::UNSPECIFIED)) => Host::Address(Ipv6Addr::LOCALHOST.into()),
            Ok(ip) => Host::Address(ip),
            Err(_) => Host::Name(self.host.to_ascii_lowercase()),
        }
    }
}

impl From<SocketAddr> for Endpoint {
    fn from(address: SocketAddr) -> Self {
        Self {
            host: address.ip().to_string(),
            port: address.port(),
        }
    }
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, EndpointError> {
        let refused = || EndpointError(text.to_owned());
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(address.into());
        }
        let (host, port) = text.rsplit_once(':').ok_or_else(refused)?;
        let is_name = !host.is_empty() && !host.contains([':', '[', ']', '/', '@', ' ']);
        match port.parse() {
            Ok(port) if is_name => Ok(Self {
                host: host.to_owned(),
                port,
            }),
            _ => Err(refused()),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host(), self.port)
    }
}

impl PartialEq for Endpoint {
    fn eq(&self, other: &Self) -> bool {
        self.port == other.port && self.key() == other.key()
    }
}

impl Eq for Endpoint {}

impl Hash for Endpoint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.key(), self.port).hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(text: &str) -> Endpoint {
        text.parse().unwrap()
    }

    /// The pairs of `iggy` 0.10.0 and 0.11.0, `leader_aware.rs`, and more like them.
    #[test]
    fn two_are_the_same_where_the_sdks_say_so() {
        for (one, other) in [
            ("127.0.0.1:8090", "localhost:8090"),
            ("LocalHost:8090", "localhost:8090"),
            ("[::]:8090", "[::1]:8090"),
            ("[2001:DB8::1]:1", "[2001:db8:0::1]:1"),
            ("Iggy.Example:8090", "iggy.example:8090"),
        ] {
            assert_eq!(endpoint(one), endpoint(other));
        }
        for (one, other) in [
            ("127.0.0.1:8090", "127.0.0.1:8091"),
            ("192.168.1.1:8090", "127.0.0.1:8090"),
            ("iggy.example:8090", "127.0.0.1:8090"),
            ("localhost:8090", "[::1]:8090"),
        ] {
            assert_ne!(endpoint(one), endpoint(other));
        }
    }

    #[test]
    fn an_ipv6_node_is_the_same_with_brackets_and_without_and_told_with_them() {
        for ip in ["::1", "[::1]"] {
            let node = ClusterNode {
                name: String::new(),
                ip: ip.to_owned(),
                tcp_port: 8090,
                quic_port: 0,
                http_port: 0,
                websocket_port: 0,
                role: 0,
                status: 0,
            };
            let of_node = Endpoint::of(&node).unwrap();
            assert_eq!(of_node, endpoint("[::1]:8090"));
            assert_eq!(of_node.host(), "[::1]");
            assert_eq!(of_node.to_string(), "[::1]:8090");
        }
    }

    #[test]
    fn what_is_no_endpoint_is_refused_and_the_error_says_how_to_write_one() {
        for text in [
            "",
            "8090",
            ":8090",
            "::1:8090",
            "host:",
            "host:70000",
            "http://a:1",
        ] {
            let error = Endpoint::from_str(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!("`{text}`")) && error.contains("host:port"),
                "{error}"
            );
        }
    }
}
