//! Advertised addresses replaced on the way to the client.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;

use super::{Listeners, Rewritten, names_nodes, rewrite};
use crate::relay::in_path::{
    Decision, Interceptor, Interest, Mark, MarkKind, ReplyFrame, RequestFrame, Rewrite,
    Rewritten as InPlace,
};

/// Has replies that name nodes say where the listeners are that stand for them. One that
/// is longer than [`IN_PATH_GATHERED`](crate::limits::IN_PATH_GATHERED) passes as it is, and
/// is counted there.
#[derive(Debug)]
pub struct RewriteAddresses {
    listeners: Arc<Listeners>,
    /// Where the client has reached parallax.
    reached: SocketAddr,
}

impl RewriteAddresses {
    /// By these listeners, for clients of the one that is bound to `bound`.
    pub fn new(listeners: Arc<Listeners>, bound: SocketAddr) -> Self {
        Self {
            listeners,
            reached: bound,
        }
    }
}

impl Interceptor for RewriteAddresses {
    fn on_connection(&self, reached: SocketAddr) -> Option<Arc<dyn Interceptor>> {
        Some(Arc::new(Self {
            listeners: Arc::clone(&self.listeners),
            reached,
        }))
    }

    fn interest(&self, request: &RequestFrame) -> Interest {
        match request.code() {
            Some(code) if names_nodes(code) => Interest::Header,
            _ => Interest::Nothing,
        }
    }

    fn decide(&self, request: &RequestFrame) -> Decision {
        let Some(command) = request.code() else {
            return Decision::default();
        };
        let (listeners, reached) = (Arc::clone(&self.listeners), self.reached);
        let with = move |reply: &ReplyFrame| in_place(command, reply, &listeners, reached);
        Decision {
            rewrites: vec![Rewrite {
                needs: usize::MAX,
                with: Box::new(with),
            }],
            ..Decision::default()
        }
    }
}

/// What the client gets; `None` where the reply stays as it is.
fn in_place(
    command: u32,
    reply: &ReplyFrame,
    listeners: &Listeners,
    reached: SocketAddr,
) -> Option<InPlace> {
    let frame = Bytes::from([&reply.header[..], &reply.body[..]].concat());
    let rewritten = match rewrite(reply.dialect, command, &frame, listeners, reached) {
        Ok(rewritten) => rewritten,
        Err(error) => {
            tracing::warn!(command, %error, "a reply that names nodes cannot be read and passes as it is");
            return None;
        }
    };
    for address in &rewritten.left {
        tracing::warn!(
            %address,
            "no route stands for this node: a client that goes there leaves parallax"
        );
    }
    let what = told(&rewritten)?;
    for replaced in &rewritten.replaced {
        let (node, from, to) = (&replaced.node, &replaced.from, &replaced.to);
        tracing::info!(node, %from, %to, "advertised address rewritten");
    }
    Some(InPlace {
        frame: rewritten.frame,
        mark: Mark {
            kind: MarkKind::Rewritten,
            what,
        },
    })
}

/// What was replaced, for the journal; `None` where nothing was.
fn told(rewritten: &Rewritten) -> Option<String> {
    let replaced = rewritten.replaced.iter();
    let replaced: Vec<_> = replaced
        .map(|one| format!("{} at {} is told to be at {}", one.node, one.from, one.to))
        .collect();
    (!replaced.is_empty()).then(|| replaced.join(", "))
}

#[cfg(test)]
mod tests {
    use parallax_codec::commands::{ClusterMetadata, ClusterNode};
    use parallax_codec::{Dialect, Encode as _, classic, code};

    use super::*;
    use crate::cluster::Listener;

    fn asked(code: u32) -> RequestFrame {
        let frame = classic::encode_request(code, &[]);
        RequestFrame {
            dialect: Dialect::Classic,
            header: frame,
            body_length: 0,
            body: None,
        }
    }

    fn answered(ip: &str) -> ReplyFrame {
        let node = ClusterNode {
            name: "node-1".to_owned(),
            ip: ip.to_owned(),
            tcp_port: 8090,
            quic_port: 0,
            http_port: 0,
            websocket_port: 0,
            role: 0,
            status: 0,
        };
        let metadata = ClusterMetadata {
            name: "cluster".to_owned(),
            nodes: vec![node],
        };
        let frame = classic::encode_reply(0, &metadata.encode());
        ReplyFrame::of(Dialect::Classic, frame).unwrap()
    }

    /// Parallax on every address, before 10.0.0.1.
    fn everywhere() -> RewriteAddresses {
        let bound = "0.0.0.0:8190".parse().unwrap();
        let listeners = Listeners::new(vec![Listener {
            bound,
            advertise: None,
            node: "10.0.0.1:8090".parse().unwrap(),
            is_tls: false,
        }]);
        RewriteAddresses::new(Arc::new(listeners), bound)
    }

    fn given(interceptor: &dyn Interceptor, reply: &ReplyFrame) -> Option<InPlace> {
        let mut decision = interceptor.decide(&asked(code::GET_CLUSTER_METADATA));
        assert!(decision.marks.is_empty() && decision.rewrites.len() == 1);
        (decision.rewrites.remove(0).with)(reply)
    }

    #[test]
    fn only_questions_whose_answers_name_nodes_are_of_interest() {
        for (code, interest) in [
            (code::GET_CLUSTER_METADATA, Interest::Header),
            (code::POLL_MESSAGES, Interest::Nothing),
            (code::PING, Interest::Nothing),
        ] {
            assert_eq!(everywhere().interest(&asked(code)), interest);
        }
    }

    #[test]
    fn a_client_is_told_of_the_address_at_which_it_reached_parallax() {
        let reached = "192.0.2.7:8190".parse().unwrap();
        let interceptor = everywhere().on_connection(reached).unwrap();
        let given = given(&*interceptor, &answered("10.0.0.1")).unwrap();
        let told = "node-1 at 10.0.0.1:8090 is told to be at 192.0.2.7:8190";
        assert_eq!(
            (given.mark.kind, given.mark.what.as_str()),
            (MarkKind::Rewritten, told)
        );
        let body = &given.frame[8..];
        assert!(body.windows(9).any(|bytes| bytes == b"192.0.2.7"));
    }

    #[test]
    fn what_names_no_node_of_ours_stays_and_is_not_marked() {
        assert!(given(&everywhere(), &answered("10.0.0.9")).is_none());
        let mut cut = answered("10.0.0.1");
        cut.body.truncate(9);
        assert!(given(&everywhere(), &cut).is_none(), "it cannot be read");
    }
}
