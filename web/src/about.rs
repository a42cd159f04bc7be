use std::net::SocketAddr;

use jiff::Timestamp;

/// What the page says of the program that shows it.
#[derive(Debug, Clone)]
pub struct About {
    /// The program's version.
    pub version: String,
    /// Where the journal's exchanges come from.
    pub source: Source,
}

/// Where a journal's exchanges come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Clients that go through parallax now.
    Live {
        /// Where clients connect.
        listen: SocketAddr,
        /// The server's address, as configured.
        upstream: String,
        /// Base address of the server's HTTP API; `None` where the mirror is
        /// off.
        http: Option<String>,
    },
    /// A file or directory, as it is.
    File {
        /// Its name.
        name: String,
        /// When its first and its last exchange began; `None` where there is none.
        time: Option<(Timestamp, Timestamp)>,
    },
}
