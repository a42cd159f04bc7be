//! Scenes with everything embedded: a stand-in server with a fault, and a client
//! whose behaviour shows it. The one that parallax was made for is a server whose
//! partition 2 is broken, and a sink that reads it as a group.

pub(crate) mod client;
mod scenes;
mod sink;

pub use scenes::{Scene, SceneError, play};
pub(crate) use sink::{prepare_topic, run_sink};

use crate::standin::{Fault, PlacedFault};

/// The stream of the scenes.
pub const STREAM: &str = "otel";
/// Their topic.
pub const TOPIC: &str = "metrics";
/// Their consumer group.
pub const GROUP: &str = "qw_sink_metrics";
/// Partitions of the topic.
pub const PARTITIONS: u32 = 3;
/// The partition that a fault is in.
pub const BROKEN_PARTITION: u32 = 2;
/// The offset that the first message claims in the scene that is played by default.
pub(crate) const CLAIMED_OFFSET: u64 = 24;

/// A fault where the scenes look for it.
pub fn placed(fault: Fault) -> PlacedFault {
    PlacedFault {
        fault,
        stream: STREAM.to_owned(),
        topic: TOPIC.to_owned(),
        partition_id: BROKEN_PARTITION,
    }
}
