//! The server that the SDK tests run against: the stand-in, or a real one.

use std::net::SocketAddr;

use parallax_codec::Dialect;
use parallax_proxy::standin::{Standin, StandinConfig};
use tokio::net::lookup_host;

/// A server, and where it listens.
pub struct Server {
    /// The binary protocol.
    pub tcp: SocketAddr,
    /// Base URL of the HTTP API.
    pub http: String,
    /// `None` where it is a real server.
    _standin: Option<Standin>,
}

impl Server {
    /// The real server of the classic dialect that `PARALLAX_TEST_TCP`
    /// (`host:port`) and `PARALLAX_TEST_HTTP` (`http://host:port`) name, else a
    /// stand-in. A real one's root user has to be `iggy` / `iggy`.
    pub async fn start() -> Self {
        Self::of(Dialect::Classic, "PARALLAX_TEST_TCP", "PARALLAX_TEST_HTTP").await
    }

    /// The same in the VSR dialect, by `PARALLAX_TEST_VSR_TCP` and
    /// `PARALLAX_TEST_VSR_HTTP`.
    pub async fn start_vsr() -> Self {
        let (tcp, http) = ("PARALLAX_TEST_VSR_TCP", "PARALLAX_TEST_VSR_HTTP");
        Self::of(Dialect::Vsr, tcp, http).await
    }

    async fn of(dialect: Dialect, tcp_variable: &str, http_variable: &str) -> Self {
        match (std::env::var(tcp_variable), std::env::var(http_variable)) {
            (Ok(tcp), Ok(http)) => {
                let mut addresses = lookup_host(&tcp)
                    .await
                    .unwrap_or_else(|_| panic!("{tcp_variable} is host:port"));
                Self {
                    tcp: addresses.next().expect("the name has an address"),
                    http,
                    _standin: None,
                }
            }
            (Err(_), Err(_)) => {
                let config = StandinConfig {
                    dialect,
                    ..StandinConfig::default()
                };
                let standin = Standin::start(config).await.expect("the stand-in starts");
                Self {
                    tcp: standin.tcp,
                    http: format!("http://{}", standin.http),
                    _standin: Some(standin),
                }
            }
            _ => panic!("set both {tcp_variable} and {http_variable}, or neither"),
        }
    }
}
