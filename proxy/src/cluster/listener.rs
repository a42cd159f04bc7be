//! Which listener stands for which node.

use std::net::{IpAddr, SocketAddr};

use super::Endpoint;

/// A listener of parallax and the node that it forwards to.
#[derive(Debug, Clone)]
pub struct Listener {
    /// Where it listens.
    pub bound: SocketAddr,
    /// Where clients reach it, if that is not where it listens: behind a port mapping, or
    /// by a name that a certificate is for.
    pub advertise: Option<Endpoint>,
    /// The node, as it is advertised.
    pub node: Endpoint,
    /// Whether clients speak TLS with it.
    pub is_tls: bool,
}

impl Listener {
    /// Where a client reaches it that has reached parallax at `reached`: on that address,
    /// where the listener listens on every address.
    pub fn endpoint(&self, reached: IpAddr) -> Endpoint {
        if let Some(endpoint) = &self.advertise {
            return endpoint.clone();
        }
        let ip = match self.bound.ip() {
            ip if ip.is_unspecified() => reached.to_canonical(),
            ip => ip,
        };
        SocketAddr::new(ip, self.bound.port()).into()
    }

    /// Whether a client that has reached parallax there came by it.
    fn is_at(&self, reached: SocketAddr) -> bool {
        let (own, there) = (self.bound.ip(), reached.ip().to_canonical());
        self.bound.port() == reached.port() && (own.is_unspecified() || own.to_canonical() == there)
    }
}

/// Every listener of this parallax.
#[derive(Debug, Clone, Default)]
pub struct Listeners(Vec<Listener>);

impl Listeners {
    /// These. Of several for one node a client is told of the one that it came by, else of the
    /// first with which it speaks as it does there, with TLS or without.
    pub const fn new(listeners: Vec<Listener>) -> Self {
        Self(listeners)
    }

    /// What stands for a node, for a client that has reached parallax at `reached`;
    /// `None` where no listener forwards to it.
    pub fn standing_for(&self, node: &Endpoint, reached: SocketAddr) -> Option<Endpoint> {
        let came_by = self.0.iter().find(|listener| listener.is_at(reached));
        let unlike = |listener: &&Listener| {
            let is_unlike = came_by.is_some_and(|one| one.is_tls != listener.is_tls);
            (!listener.is_at(reached), is_unlike)
        };
        let standing = self.0.iter().filter(|listener| listener.node == *node);
        // Of equals the first.
        let listener = standing.min_by_key(unlike)?;
        Some(listener.endpoint(reached.ip()))
    }

    /// Whether this is parallax itself, for a client that has reached it at `reached`.
    pub fn lead_to(&self, endpoint: &Endpoint, reached: IpAddr) -> bool {
        let mut listeners = self.0.iter();
        listeners.any(|listener| listener.endpoint(reached) == *endpoint)
    }

    /// The same, and whether it may be for all that is known: the port is one of
    /// parallax's, and a name, or an address of this machine, may stand for its host.
    pub fn may_lead_to(&self, endpoint: &Endpoint, reached: IpAddr) -> bool {
        self.0.iter().any(|listener| {
            let own = listener.endpoint(reached);
            let is_every_address = listener.advertise.is_none()
                && listener.bound.ip().is_unspecified()
                && reached.is_unspecified();
            let is_unclear = is_every_address || own.ip().is_none() || endpoint.ip().is_none();
            own == *endpoint || own.port() == endpoint.port() && is_unclear
        })
    }

    /// Where they are, for a person.
    pub fn told(&self, reached: IpAddr) -> String {
        let listeners = self.0.iter();
        let told: Vec<_> = listeners
            .map(|listener| listener.endpoint(reached).to_string())
            .collect();
        told.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(bound: &str, advertise: Option<&str>) -> Listener {
        Listener {
            bound: bound.parse().unwrap(),
            advertise: advertise.map(|text| text.parse().unwrap()),
            node: "10.0.0.1:8090".parse().unwrap(),
            is_tls: false,
        }
    }

    #[test]
    fn of_several_for_a_node_a_client_is_told_of_its_own_else_of_one_that_speaks_alike() {
        let of = |bound: &str, node: &str, is_tls| Listener {
            node: node.parse().unwrap(),
            is_tls,
            ..listener(bound, None)
        };
        let listeners = Listeners::new(vec![
            of("127.0.0.1:1", "10.0.0.1:8090", false),
            of("127.0.0.1:2", "10.0.0.1:8090", true),
            of("127.0.0.1:3", "10.0.0.2:8090", false),
            of("127.0.0.1:4", "10.0.0.2:8090", true),
            of("127.0.0.1:5", "10.0.0.3:8090", false),
        ]);
        for (came_by, node, told) in [
            (1, 1, 1),
            (2, 1, 2),
            (1, 2, 3),
            (2, 2, 4),
            (2, 3, 5),
            (9, 2, 3),
        ] {
            let node = format!("10.0.0.{node}:8090").parse().unwrap();
            let told: Endpoint = format!("127.0.0.1:{told}").parse().unwrap();
            let reached = ([127, 0, 0, 1], came_by).into();
            assert_eq!(
                listeners.standing_for(&node, reached),
                Some(told),
                "{came_by}"
            );
        }
    }

    #[test]
    fn a_listener_is_told_as_the_client_can_reach_it() {
        let reached = "192.168.0.5".parse().unwrap();
        for (bound, advertise, told) in [
            ("127.0.0.1:8190", None, "127.0.0.1:8190"),
            ("0.0.0.0:8190", None, "192.168.0.5:8190"),
            ("[::]:8190", None, "192.168.0.5:8190"),
            ("0.0.0.0:8190", Some("iggy.example:9"), "iggy.example:9"),
        ] {
            let endpoint = listener(bound, advertise).endpoint(reached);
            assert_eq!(endpoint.to_string(), told);
        }
        // A socket that takes both families shows an IPv4 client's way so.
        let mapped = "::ffff:192.168.0.5".parse().unwrap();
        let endpoint = listener("[::]:8190", None).endpoint(mapped);
        assert_eq!(endpoint.to_string(), "192.168.0.5:8190");
    }

    #[test]
    fn a_node_without_a_listener_has_nobody_to_stand_for_it() {
        let listeners = Listeners::new(vec![listener("127.0.0.2:8190", None)]);
        let reached = "127.0.0.2".parse().unwrap();
        let client = ([127, 0, 0, 2], 8190).into();
        let standing = |text: &str| listeners.standing_for(&text.parse().unwrap(), client);
        assert_eq!(standing("10.0.0.1:8090"), "127.0.0.2:8190".parse().ok());
        assert_eq!(standing("10.0.0.1:8091"), None);
        assert!(listeners.lead_to(&"127.0.0.2:8190".parse().unwrap(), reached));
        assert!(!listeners.lead_to(&"10.0.0.1:8090".parse().unwrap(), reached));
    }

    #[test]
    fn a_name_or_an_unknown_address_with_a_port_of_parallaxs_may_be_parallax() {
        let may = |bound, advertise, text: &str, reached: &str| {
            let listeners = Listeners::new(vec![listener(bound, advertise)]);
            listeners.may_lead_to(&text.parse().unwrap(), reached.parse().unwrap())
        };
        let (every, own) = ("0.0.0.0", "127.0.0.1");
        assert!(may("127.0.0.1:8190", None, "localhost:8190", own));
        assert!(may("127.0.0.1:8190", None, "iggy.example:8190", own));
        assert!(may(
            "127.0.0.1:8190",
            Some("a.example:1"),
            "b.example:1",
            own
        ));
        assert!(may("0.0.0.0:8190", None, "10.0.0.1:8190", every));
        assert!(!may("127.0.0.1:8190", None, "127.0.0.1:8090", own));
        assert!(!may("127.0.0.1:8190", None, "iggy.example:8090", own));
        assert!(!may("127.0.0.1:8190", None, "127.0.0.2:8190", own));
        assert!(!may("0.0.0.0:8190", None, "10.0.0.1:8090", every));
    }
}
