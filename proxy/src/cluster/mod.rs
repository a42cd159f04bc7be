//! The addresses that servers advertise: which of them lead around parallax, and how
//! they are replaced by the listeners that stand for their nodes. Pure, but for what
//! [`RewriteAddresses`] logs.
//!
//! Three replies carry such addresses: that to 12 (`get_cluster_metadata`) in both
//! dialects, and in the VSR dialect those to 103 and 123, where to poll and where to store
//! an offset. Of what `iggy` does with them (0.10.0 and 0.11.0, `leader_aware.rs`; 0.11.0,
//! `tcp/tcp_client.rs` and `poll_routing.rs`):
//!
//! - both versions, after a login: of two nodes or more the first healthy leader is gone
//!   to, if its address is not the one that the client is connected to;
//! - 0.11.0 remembers the address of every node, also of one that is alone, and tries them
//!   when a connection is lost;
//! - 0.11.0, of two nodes or more, goes through the other nodes when a request is refused
//!   with 58 for a second;
//! - 0.11.0, of two nodes or more, sends polls that commit, and stored offsets, on a
//!   connection of their own to the node that the reply to 103 or 123 names, even where
//!   that is the one it is connected to already.

mod endpoint;
mod in_path;
mod listener;
mod rewrite;

pub use endpoint::{Endpoint, EndpointError};
pub use in_path::RewriteAddresses;
pub use listener::{Listener, Listeners};
pub use rewrite::{Replaced, Rewritten, names_nodes, rewrite};
