//! Several nodes over one state: who leads, who answers what, and where to poll. As SDK
//! 0.11.0 is written to meet them: `iggy` 0.11.0, `leader_aware.rs`, `poll_routing.rs` and
//! `tcp/tcp_client.rs`. Server 0.9.0-edge.5 does not know where to poll yet (103, 123, 14).

use std::net::SocketAddr;

use parallax_codec::commands::{
    AttachConsumerSession, ClusterMetadata, ClusterNode, PollMessages, PollRouting,
};
use parallax_codec::{Dialect, Effect, Reply, Request};

use super::Model;
use super::refusal::Refusal;

/// The nodes, and which of them leads.
#[derive(Debug)]
pub(super) struct Cluster {
    nodes: Vec<SocketAddr>,
    leader: usize,
}

impl Model {
    /// From now on these are its nodes, and the first leads.
    pub(in crate::standin) fn form_cluster(&mut self, nodes: Vec<SocketAddr>) {
        self.cluster = Some(Cluster { nodes, leader: 0 });
    }

    /// Another node leads.
    pub(in crate::standin) fn elect(&mut self, node: usize) {
        if let Some(cluster) = &mut self.cluster {
            cluster.leader = node;
        }
    }

    /// The nodes; of a server without a cluster the one that it speaks of.
    pub(crate) fn cluster(&self) -> ClusterMetadata {
        let Some(Cluster { nodes, leader }) = &self.cluster else {
            let http_port = self.http.port();
            return ClusterMetadata {
                name: "single-node".to_owned(),
                nodes: vec![ClusterNode {
                    http_port,
                    ..node("iggy-node".to_owned(), self.tcp, true)
                }],
            };
        };
        let nodes = nodes.iter().enumerate();
        ClusterMetadata {
            name: "stand-in".to_owned(),
            nodes: nodes
                .map(|(n, tcp)| node(format!("node-{n}"), *tcp, n == *leader))
                .collect(),
        }
    }

    /// Why a node does not do what the client asks of it: it follows another. Servers of
    /// the classic dialect do everything all the same (server 0.8.0 knows that it follows,
    /// and says it in its metadata alone).
    pub(super) fn not_here(&self, client: u32, request: &Request) -> Option<Refusal> {
        let cluster = self.cluster.as_ref()?;
        let is_leaders = match request {
            Request::PollMessages(_) | Request::PollMessagesOnPrimary(_) => true,
            Request::AttachConsumerSession(_) => false,
            request => request.effect() != Effect::Reads,
        };
        let follows = self.clients.node(client) != cluster.leader;
        (follows && is_leaders && self.dialect == Dialect::Vsr)
            .then(Refusal::transient_not_accepted)
    }

    /// Where to poll, or to store an offset: the leader has every partition.
    ///
    /// # Errors
    /// There is no cluster; the client has no session.
    pub(super) fn routing(&self, client: u32) -> Result<Reply, Refusal> {
        let Some(Cluster { nodes, leader }) = &self.cluster else {
            return Err(Refusal::feature_unavailable());
        };
        let (client_id, session) = self.clients.session(client)?;
        let leader = nodes.get(*leader).map(|tcp| (*leader, *tcp));
        let (n, tcp) = leader.ok_or_else(Refusal::transient_not_accepted)?;
        Ok(Reply::PollRouting(PollRouting {
            consumer_session: AttachConsumerSession {
                client_id,
                session,
                metadata_watermark: 0,
            },
            primary: node(format!("node-{n}"), tcp, true),
        }))
    }

    /// From now on the client polls for the one that has this session.
    ///
    /// # Errors
    /// There is no cluster, or no such session.
    pub(super) fn attach(
        &mut self,
        client: u32,
        attach: AttachConsumerSession,
    ) -> Result<(), Refusal> {
        if self.cluster.is_none() {
            return Err(Refusal::feature_unavailable());
        }
        let session = (attach.client_id, attach.session);
        self.clients.attach(client, session)
    }

    /// A poll where it was routed to.
    ///
    /// # Errors
    /// There is no cluster; what any poll is refused with.
    pub(super) fn poll_on_primary(
        &mut self,
        client: u32,
        poll: &PollMessages,
        now: u64,
    ) -> Result<Reply, Refusal> {
        if self.cluster.is_none() {
            return Err(Refusal::feature_unavailable());
        }
        let client = self.clients.acts_for(client);
        self.poll(client, poll, now).map(Reply::PolledMessages)
    }

    /// A session that a connection has opened.
    pub(in crate::standin) fn session_opened(&mut self, client: u32, session: (u128, u64)) {
        self.clients.set_session(client, session);
    }
}

fn node(name: String, tcp: SocketAddr, leads: bool) -> ClusterNode {
    ClusterNode {
        name,
        ip: tcp.ip().to_string(),
        tcp_port: tcp.port(),
        quic_port: 0,
        http_port: 0,
        websocket_port: 0,
        role: (!leads).into(),
        status: 0,
    }
}
