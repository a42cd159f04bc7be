//! What a stand-in is started with.

use std::net::{Ipv4Addr, SocketAddr};

use parallax_codec::Dialect;
use parallax_codec::primitives::Secret;

use super::faults::PlacedFault;

/// Addresses, credentials, dialect and fault.
#[derive(Debug, Clone)]
pub struct StandinConfig {
    /// Where to speak TCP; port 0 lets the system choose.
    pub tcp: SocketAddr,
    /// Where to speak HTTP; port 0 lets the system choose.
    pub http: SocketAddr,
    /// The root user's name.
    pub username: String,
    /// The root user's password.
    pub password: Secret,
    /// What it speaks over TCP, and with it which server it stands in for: a
    /// server of one version speaks one dialect.
    pub dialect: Dialect,
    /// What is broken.
    pub fault: Option<PlacedFault>,
}

impl Default for StandinConfig {
    /// Free ports of this machine alone, Iggy's public default credentials, the
    /// classic dialect, nothing broken.
    fn default() -> Self {
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self {
            tcp: any_port,
            http: any_port,
            username: "iggy".to_owned(),
            password: Secret::new("iggy"),
            dialect: Dialect::Classic,
            fault: None,
        }
    }
}
