//! Several nodes over one state.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::config::StandinConfig;
use super::model::Model;
use super::server::{Shared, listen, now};
use super::tcp::{self, Node};

/// A running cluster of stand-in nodes that speak TCP. All share one state, so that what
/// one is told all know at once; each has its address, and one of them leads. In the VSR
/// dialect a node that follows refuses with 58 what only the leader does. Dropping it
/// stops it, too, but does not wait.
pub struct StandinCluster {
    nodes: Vec<(SocketAddr, Arc<Node>)>,
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl StandinCluster {
    /// Starts a node on each of these addresses, of which port 0 lets the system choose;
    /// the first leads. Of the configuration its addresses are not used.
    ///
    /// # Errors
    /// An address cannot be listened on; the error names it.
    pub async fn start(config: &StandinConfig, addresses: &[SocketAddr]) -> anyhow::Result<Self> {
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let mut model = Model::new(config, (config.tcp, config.http), now());
        let mut listeners = Vec::new();
        for (number, address) in addresses.iter().enumerate() {
            let listener = listen(*address, "TCP").await?;
            let address = listener.local_addr()?;
            listeners.push((listener, address, Arc::new(Node::new(number, &stop))));
        }
        model.form_cluster(listeners.iter().map(|(_, address, _)| *address).collect());
        let shared = Arc::new(Shared::new(model));
        let mut nodes = Vec::new();
        for (listener, address, node) in listeners {
            nodes.push((address, Arc::clone(&node)));
            tasks.spawn(tcp::serve(
                listener,
                node,
                Arc::clone(&shared),
                tasks.clone(),
            ));
        }
        Ok(Self {
            nodes,
            shared,
            stop,
            tasks,
        })
    }

    /// Where the nodes listen.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|(address, _)| *address).collect()
    }

    /// From now on this node leads, counted from 0; the connections stay.
    pub fn elect(&self, node: usize) {
        self.shared.model().elect(node);
    }

    /// Closes the connections to a node, which goes on to listen.
    pub fn close_connections(&self, node: usize) {
        if let Some((_, node)) = self.nodes.get(node) {
            node.close_connections();
        }
    }

    /// How many connections each node has ever accepted.
    pub fn accepted(&self) -> Vec<u64> {
        self.nodes.iter().map(|(_, node)| node.accepted()).collect()
    }

    /// Closes every connection and returns when all is done.
    pub async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

impl Drop for StandinCluster {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
