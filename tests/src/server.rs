//! The server that the SDK tests run against: the stand-in, or a real one.

use std::net::SocketAddr;

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
    /// The real server that `PARALLAX_TEST_TCP` (`host:port`) and
    /// `PARALLAX_TEST_HTTP` (`http://host:port`) name, else a stand-in. A real
    /// one's root user has to be `iggy` / `iggy`.
    pub async fn start() -> Self {
        let real = (
            std::env::var("PARALLAX_TEST_TCP"),
            std::env::var("PARALLAX_TEST_HTTP"),
        );
        match real {
            (Ok(tcp), Ok(http)) => {
                let mut addresses = lookup_host(&tcp)
                    .await
                    .expect("PARALLAX_TEST_TCP is host:port");
                Self {
                    tcp: addresses.next().expect("PARALLAX_TEST_TCP has an address"),
                    http,
                    _standin: None,
                }
            }
            (Err(_), Err(_)) => {
                let standin = Standin::start(StandinConfig::default())
                    .await
                    .expect("the stand-in starts");
                Self {
                    tcp: standin.tcp,
                    http: format!("http://{}", standin.http),
                    _standin: Some(standin),
                }
            }
            _ => panic!("set both PARALLAX_TEST_TCP and PARALLAX_TEST_HTTP, or neither"),
        }
    }
}
