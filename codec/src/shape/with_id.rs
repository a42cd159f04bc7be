//! Shapes of what clients ask of servers before 0.6.

use super::part::{Part, Parts, closed_kind, name, u8, u32, u64};
use super::primitives;
use crate::commands::topics::compression_name;
use crate::commands::with_id::MAX_CHOSEN_ID;

const ID: Part = Part::AtMost {
    name: "id",
    most: MAX_CHOSEN_ID,
};

const NAME: Part = name("name_length", "name");

pub(super) const STREAM: Parts = &[ID, NAME];

pub(super) const TOPIC: Parts = &[
    primitives::STREAM,
    ID,
    u32("partitions_count"),
    closed_kind("compression_algorithm", compression_name),
    u64("message_expiry"),
    u64("max_topic_size"),
    u8("replication_factor"),
    NAME,
];

pub(super) const GROUP: Parts = &[primitives::STREAM, primitives::TOPIC, ID, NAME];
