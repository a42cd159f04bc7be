//! The small values that commands are made of.

mod ack;
mod consumer;
mod identifier;
mod options;
mod partition;
mod partitioning;
mod permissions;
mod polling_strategy;
mod secret;

pub use ack::Ack;
pub use consumer::{Consumer, ConsumerKind};
pub use identifier::Identifier;
pub use options::Options;
pub use partition::{PartitionLayout, partition_meaning};
pub(crate) use partition::{parse_partition, write_partition};
pub use partitioning::Partitioning;
pub use permissions::{Permissions, StreamPermissions, TopicPermissions};
pub use polling_strategy::{PollingKind, PollingStrategy};
pub use secret::Secret;
