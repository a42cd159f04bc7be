use parallax_codec::commands::ClusterNode;
use parallax_codec::{Reply, Request};

use super::Behaviour;
use crate::standin::model::{Asked, Model, Refusal};

/// The cluster's leader is at another address than the one that the client came
/// to: it goes there, past whatever stands in between (case E7).
pub(super) struct LeaderElsewhere;

impl Behaviour for LeaderElsewhere {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let is_asked = matches!(asked.request, Request::GetClusterMetadata);
        let mut reply = model.answer_soundly(asked)?;
        if let Reply::ClusterMetadata(cluster) = &mut reply
            && is_asked
        {
            for node in &mut cluster.nodes {
                node.role = 1;
            }
            cluster.nodes.push(ClusterNode {
                name: "iggy-leader".to_owned(),
                ip: "192.0.2.1".to_owned(),
                tcp_port: 8090,
                quic_port: 0,
                http_port: 3000,
                websocket_port: 0,
                role: 0,
                status: 0,
            });
        }
        Ok(reply)
    }
}
