//! Three nodes.

use std::net::SocketAddr;

use parallax_codec::Dialect;
use parallax_proxy::standin::{StandinCluster, StandinConfig};

/// At 127.0.0.2, .3 and .4; the first leads.
pub(crate) async fn three(dialect: Dialect) -> StandinCluster {
    let config = StandinConfig {
        dialect,
        ..StandinConfig::default()
    };
    let addresses = [2, 3, 4].map(|host| SocketAddr::from(([127, 0, 0, host], 0)));
    StandinCluster::start(&config, &addresses).await.unwrap()
}
