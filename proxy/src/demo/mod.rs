//! The scenario that parallax was made for, with everything embedded: a stand-in
//! server whose partition 2 is broken, and a sink that reads it as a group.

mod client;
mod sink;

pub(crate) use sink::{prepare_topic, run_sink};

/// The stream of the scenario.
pub(crate) const STREAM: &str = "otel";
/// The topic of the scenario.
pub(crate) const TOPIC: &str = "metrics";
/// The consumer group of the scenario.
pub(crate) const GROUP: &str = "qw_sink_metrics";
/// Partitions of the topic.
pub(crate) const PARTITIONS: u32 = 3;
/// The partition whose first message claims a wrong offset.
pub(crate) const BROKEN_PARTITION: u32 = 2;
/// The offset that it claims.
pub(crate) const CLAIMED_OFFSET: u64 = 24;
