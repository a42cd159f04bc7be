//! Which ways there are, and which of them lead to one server.

use std::sync::Arc;

use parallax_captures::RouteName;

use crate::cluster::Endpoint;
use crate::credentials::Credentials;
use crate::faults::{Fault, Injector};
use crate::tls::Tls;

/// One way through parallax: from where clients connect to a server.
#[derive(Debug, Clone)]
pub struct RouteConfig {
    /// Its name; `None` where it is the only one.
    pub name: Option<RouteName>,
    /// Where clients connect, `host:port`; port 0 takes a free one.
    pub listen: String,
    /// The server's binary protocol, `host:port`.
    pub upstream: String,
    /// Base URL of the server's HTTP API; `None` where it is not asked.
    pub http: Option<String>,
    /// To ask HTTP as this user instead of the client's own.
    pub http_credentials: Option<Credentials>,
    /// TLS of each side.
    pub tls: Tls,
    /// Where clients reach the listener, if that is not where it listens.
    pub advertise: Option<Endpoint>,
    /// The cluster that the server is a node of. Its nodes are one server to whatever is
    /// concluded: an offset that was stored through one is stored at all. Of routes
    /// without a cluster each leads to a server of its own, unless their upstream is
    /// the same.
    pub cluster: Option<RouteName>,
    /// Faults that are injected into what its clients see.
    pub faults: Vec<Fault>,
}

impl RouteConfig {
    /// On a free port of this machine, before the server at `upstream`: no name, no HTTP.
    pub fn before(upstream: impl std::fmt::Display) -> Self {
        Self {
            name: None,
            listen: "127.0.0.1:0".to_owned(),
            upstream: upstream.to_string(),
            http: None,
            http_credentials: None,
            tls: Tls::default(),
            advertise: None,
            cluster: None,
            faults: Vec::new(),
        }
    }

    /// What injects its faults, if it has any.
    pub(super) fn injector(&self) -> Option<Arc<Injector>> {
        let faults = self.faults.iter().cloned();
        let any = !self.faults.is_empty();
        any.then(|| Arc::new(Injector::new(self.name.as_ref(), faults)))
    }

    /// Whether both lead to one server: what is known of offsets, groups and names by one
    /// holds for the other.
    pub fn is_same_server(&self, other: &Self) -> bool {
        match (&self.cluster, &other.cluster) {
            (Some(one), Some(two)) => one == two,
            (None, None) => self.upstream == other.upstream,
            _ => false,
        }
    }

    /// What the server is called: as its cluster, else as the route.
    pub fn server_name(&self) -> Option<&RouteName> {
        self.cluster.as_ref().or(self.name.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(upstream: &str, cluster: Option<&str>) -> RouteConfig {
        RouteConfig {
            cluster: cluster.map(|name| RouteName::new(name).unwrap()),
            ..RouteConfig::before(upstream)
        }
    }

    #[test]
    fn nodes_of_one_cluster_are_one_server_and_others_by_their_address() {
        for (one, two, same) in [
            (route("a:1", None), route("b:1", None), false),
            (route("a:1", None), route("a:1", None), true),
            (route("a:1", Some("c")), route("b:1", Some("c")), true),
            (route("a:1", Some("c")), route("b:1", Some("d")), false),
            (route("a:1", Some("c")), route("a:1", None), false),
        ] {
            assert_eq!(one.is_same_server(&two), same, "{one:?} {two:?}");
        }
    }
}
