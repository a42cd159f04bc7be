//! PX508: a server names nodes at addresses that are not parallax's (case E7).

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use parallax_captures::catalog::ADVERTISES_AROUND;
use parallax_captures::{Exchange, Finding};
use parallax_codec::Reply;
use parallax_codec::commands::ClusterNode;

use crate::bounded::Bounded;
use crate::cluster::{Endpoint, Listeners};
use crate::limits::ADVERTISED_ADDRESSES;

/// What was told already: by where clients connect, and the address that was named.
#[derive(Debug)]
pub(super) struct Advertised {
    /// `None` where there is no parallax between client and server: in a capture.
    listeners: Option<Arc<Listeners>>,
    told: Bounded<(SocketAddr, Endpoint), ()>,
}

impl Default for Advertised {
    fn default() -> Self {
        Self {
            listeners: None,
            told: Bounded::new(ADVERTISED_ADDRESSES),
        }
    }
}

impl Advertised {
    pub(super) fn behind(&mut self, listeners: Arc<Listeners>) {
        self.listeners = Some(listeners);
    }

    /// What a client that has connected to `reached` was told of nodes.
    pub(super) fn finding(&mut self, exchange: &Exchange, reached: SocketAddr) -> Option<Finding> {
        let listeners = self.listeners.as_ref()?;
        let (nodes, goes) = named(exchange.binary()?.reply.as_ref()?)?;
        let around: Vec<_> = nodes
            .iter()
            .filter_map(|node| Some((node, Endpoint::of(node)?)))
            .filter(|(_, endpoint)| !listeners.may_lead_to(endpoint, reached.ip()))
            .collect();
        let told = &mut self.told;
        let mut is_new = false;
        for (_, endpoint) in &around {
            let key = (&reached, endpoint);
            if told.get(&key).is_none() {
                told.entry(&key);
                is_new = true;
            }
        }
        if !is_new {
            return None;
        }
        let addresses: BTreeSet<_> = around
            .iter()
            .map(|(node, endpoint)| format!("{} at {endpoint}{}", node.name, role(node)))
            .collect();
        let addresses: Vec<_> = addresses.into_iter().collect();
        let evidence = vec![
            format!(
                "the server advertises {}; parallax listens at {}, and not there",
                addresses.join(", "),
                listeners.told(reached.ip())
            ),
            goes.to_owned(),
        ];
        let place = format!("clients of {reached}");
        let time = exchange.times.request_last;
        Some(Finding::new(
            ADVERTISES_AROUND,
            place,
            exchange.n,
            time,
            evidence,
        ))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.told.forgotten()
    }
}

/// The nodes that a reply names and that a client may go to, and when it goes there. Of a
/// cluster of one node no client goes on while it is connected.
fn named(reply: &Reply) -> Option<(&[ClusterNode], &'static str)> {
    match reply {
        Reply::ClusterMetadata(metadata) if metadata.nodes.len() > 1 => Some((
            &metadata.nodes,
            "SDKs 0.10 and 0.11 go to the leader's address after they have logged in; 0.11 goes \
             to any of them when a connection is lost or a request is refused with 58",
        )),
        Reply::PollRouting(routing) => Some((
            std::slice::from_ref(&routing.primary),
            "SDK 0.11 goes there with polls that commit and with offsets to store",
        )),
        _ => None,
    }
}

const fn role(node: &ClusterNode) -> &'static str {
    match node.role {
        0 => " (leader)",
        _ => "",
    }
}
