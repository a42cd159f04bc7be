//! What a stand-in is started with.

use std::net::{Ipv4Addr, SocketAddr};

use parallax_codec::primitives::Secret;

/// Addresses, credentials and faults.
#[derive(Debug, Clone)]
pub struct StandinConfig {
    /// Where to speak TCP; port 0 lets the system choose.
    pub tcp: SocketAddr,
    /// Where to speak HTTP; port 0 lets the system choose.
    pub http: SocketAddr,
    /// The root user's name.
    pub username: String,
    /// The root user's password.
    pub password: Secret,
    /// What is broken.
    pub faults: Vec<FalseFirstOffset>,
}

impl Default for StandinConfig {
    /// Free ports of this machine alone, Iggy's public default credentials,
    /// nothing broken.
    fn default() -> Self {
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self {
            tcp: any_port,
            http: any_port,
            username: "iggy".to_owned(),
            password: Secret::new("iggy"),
            faults: Vec::new(),
        }
    }
}

/// A partition whose first message claims another offset than 0, as when a byte
/// range of its segment file was changed: reads that meet the message are refused
/// with 4100 and the offset it claims (recording `group-next-4100`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FalseFirstOffset {
    /// The stream's name.
    pub stream: String,
    /// The topic's name.
    pub topic: String,
    /// The partition.
    pub partition_id: u32,
    /// What the first message claims.
    pub claimed_offset: u64,
}

impl FalseFirstOffset {
    /// Whether the fault is in this partition.
    pub(super) fn is_at(&self, stream: &str, topic: &str, partition: u32) -> bool {
        self.stream == stream && self.topic == topic && self.partition_id == partition
    }
}
