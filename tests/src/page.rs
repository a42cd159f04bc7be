//! The page as its user is told of it.

use std::net::SocketAddr;
use std::sync::Arc;

use parallax_proxy::live::PageConfig;
use parallax_web::Access;

use crate::get_with_token;

/// A page on a free port of this machine, with a token.
///
/// # Panics
/// The system has no random numbers.
pub fn free_page() -> PageConfig {
    PageConfig {
        listen: "127.0.0.1:0".to_owned(),
        access: Arc::new(Access::with_token().expect("there are random numbers")),
    }
}

/// A page's address as it is printed, with the token that opens it.
#[derive(Debug, Clone)]
pub struct PageAddress {
    /// Where it is served.
    pub socket: SocketAddr,
    /// What opens it.
    pub token: String,
}

impl PageAddress {
    /// Reads it as it is printed.
    ///
    /// # Panics
    /// It is no such address.
    pub fn of(printed: &str) -> Self {
        let rest = printed.strip_prefix("http://").expect("it is HTTP");
        let (socket, token) = rest.split_once("/?token=").expect("it has a token");
        Self {
            socket: socket.parse().expect("it is an address"),
            token: token.to_owned(),
        }
    }

    /// For a browser: a path of it, like `exchanges?errors=1`, with the token, which leads
    /// to the same without.
    pub fn at(&self, path: &str) -> String {
        let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
        let sign = if path.contains('?') { '&' } else { '?' };
        let fragment = if fragment.is_empty() {
            String::new()
        } else {
            format!("#{fragment}")
        };
        let Self { socket, token } = self;
        let path = path.trim_start_matches('/');
        format!("http://{socket}/{path}{sign}token={token}{fragment}")
    }

    /// Where the API is described.
    pub fn document(&self) -> String {
        format!("http://{}/api/v1/openapi.json", self.socket)
    }

    /// The whole response to a tool's GET, head included.
    pub async fn get(&self, target: &str) -> String {
        get_with_token(self.socket, target, &self.token).await
    }
}
