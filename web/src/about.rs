use std::net::SocketAddr;
use std::sync::Arc;

use jiff::Timestamp;
use parallax_captures::{FaultInForce, RouteName};

/// What the page says of the program that shows it.
#[derive(Debug, Clone)]
pub struct About {
    /// The program's version.
    pub version: String,
    /// Where the journal's exchanges come from.
    pub source: Source,
    /// Faults that are being injected into what passes.
    pub faults: Vec<Arc<FaultInForce>>,
}

/// Where a journal's exchanges come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Clients that go through parallax now, by these routes.
    Live(Vec<LiveRoute>),
    /// A file or directory, as it is.
    File {
        /// Its name.
        name: String,
        /// When its first and its last exchange began; `None` where there is none.
        time: Option<(Timestamp, Timestamp)>,
    },
}

/// From where clients connect to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRoute {
    /// Its name, where there are several.
    pub name: Option<RouteName>,
    /// Where clients connect.
    pub listen: SocketAddr,
    /// The server's address, as configured.
    pub upstream: String,
    /// Base address of the server's HTTP API; `None` where the mirror is off.
    pub http: Option<String>,
}

impl Source {
    /// Whether clients go through parallax now, and HTTP is asked by no route.
    pub(crate) fn is_unmirrored(&self) -> bool {
        matches!(self, Self::Live(routes) if routes.iter().all(|route| route.http.is_none()))
    }
}
