//! Three nodes.

use std::net::SocketAddr;

use parallax_captures::RouteName;
use parallax_codec::Dialect;
use parallax_proxy::live::{Proxy, ProxyConfig, RouteConfig};
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

/// Parallax with a route for each node, named after its number.
pub(crate) async fn parallax_before(cluster: &StandinCluster, rewrite_addresses: bool) -> Proxy {
    let name = |name: &str| Some(RouteName::new(name).unwrap());
    let addresses = cluster.addresses();
    let routes = addresses
        .iter()
        .enumerate()
        .map(|(n, address)| RouteConfig {
            name: name(&format!("node-{n}")),
            cluster: name("standin"),
            ..RouteConfig::before(address)
        });
    let config = ProxyConfig {
        routes: routes.collect(),
        rewrite_addresses,
        ..ProxyConfig::before(addresses[0])
    };
    Proxy::start(config).await.unwrap()
}
