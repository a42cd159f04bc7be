//! Where a client goes on to that asks who leads the cluster.

use std::net::{IpAddr, SocketAddr};

use parallax_codec::commands::ClusterMetadata;

use crate::cluster::{Endpoint, Listeners};

/// Where the leader is, seen from a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Leader {
    /// At this address, which is another than the client's connection goes to.
    Elsewhere(String),
    /// At this address, which is or may be parallax's: another listener, or another name
    /// of where the client is.
    Unclear(String),
}

impl Leader {
    /// Where a client that has connected to `reached` is led; `None` where it
    /// stays. From `iggy` 0.10.0 and 0.11.0, `leader_aware.rs`: a cluster of one
    /// node leads nobody on, otherwise the first healthy leader does, if its address
    /// is not the one that the client was told to connect to. That one is a text
    /// which is not on the wire; what it came to is.
    pub(super) fn of(
        metadata: &ClusterMetadata,
        reached: SocketAddr,
        listeners: Option<&Listeners>,
    ) -> Option<Self> {
        const LEADER: u8 = 0;
        const HEALTHY: u8 = 0;
        let [_, _, ..] = metadata.nodes.as_slice() else {
            return None;
        };
        let leader = metadata
            .nodes
            .iter()
            .find(|node| node.role == LEADER && node.status == HEALTHY)?;
        let address = format!("{}:{}", leader.ip, leader.tcp_port);
        let ip: Option<IpAddr> = match leader.ip.as_str() {
            "localhost" => Some(IpAddr::from([127, 0, 0, 1])),
            text => text.parse().ok(),
        };
        let is_parallax = |leader| {
            let endpoint = Endpoint::of(leader);
            let listeners = listeners.zip(endpoint);
            listeners.is_some_and(|(all, endpoint)| all.may_lead_to(&endpoint, reached.ip()))
        };
        let same_port = leader.tcp_port == reached.port();
        match ip {
            Some(ip) if same_port && ip == reached.ip() => None,
            // A name, or one of many addresses of this machine.
            None if same_port => Some(Self::Unclear(address)),
            Some(_) if same_port && reached.ip().is_unspecified() => Some(Self::Unclear(address)),
            _ if is_parallax(leader) => Some(Self::Unclear(address)),
            _ => Some(Self::Elsewhere(address)),
        }
    }
}
