//! Shapes of topics, partitions and segments.

use super::part::{Part, Parts, counted, group, kind, name, to_end, u8, u32, u64};
use super::primitives::{OPTIONS, SIZED_OPTIONS, STREAM, TOPIC};
use crate::commands::topics::compression_name;

pub(super) const TOPIC_REF: Parts = &[STREAM, TOPIC];
pub(super) const CHANGE_PARTITIONS: Parts = &[STREAM, TOPIC, u32("partitions_count")];
pub(super) const DELETE_SEGMENTS: Parts =
    &[STREAM, TOPIC, u32("partition_id"), u32("segments_count")];

const NAME: Part = name("name_length", "name");
const COMPRESSION: Part = kind("compression_algorithm", compression_name);

/// What a client says of a topic, but for its partitions.
const SETTINGS: [Part; 5] = [
    COMPRESSION,
    u64("message_expiry"),
    u64("max_topic_size"),
    u8("replication_factor"),
    NAME,
];

pub(super) const CREATE: Parts = &{
    let [a, b, c, d, e] = SETTINGS;
    [STREAM, u32("partitions_count"), a, b, c, d, e]
};

pub(super) const CREATE_WITH_OPTIONS: Parts = &[STREAM, u32("partitions_count"), NAME, OPTIONS];

pub(super) const UPDATE: Parts = &{
    let [a, b, c, d, e] = SETTINGS;
    [STREAM, TOPIC, a, b, c, d, e]
};

pub(super) const UPDATE_WITH_OPTIONS: Parts = &[STREAM, TOPIC, NAME, OPTIONS];

pub(super) const TOPIC_CLASSIC: Parts = &CLASSIC;

const CLASSIC: [Part; 10] = {
    let [a, b, c, d, e, f] = BEGINNING;
    let [g, h, i] = END;
    [a, b, c, d, e, f, u8("replication_factor"), g, h, i]
};

pub(super) const TOPIC_VSR: Parts = &VSR;

const VSR: [Part; 11] = {
    let [a, b, c, d, e, f] = BEGINNING;
    let [g, h, i] = END;
    let derived = Part::Options {
        length: Some("derived_options_length"),
        name: "derived_options",
    };
    [a, b, c, d, e, f, g, h, i, SIZED_OPTIONS, derived]
};

const BEGINNING: [Part; 6] = [
    u32("id"),
    u64("created_at"),
    u32("partitions_count"),
    u64("message_expiry"),
    COMPRESSION,
    u64("max_topic_size"),
];

const END: [Part; 3] = [u64("size_bytes"), u64("messages_count"), NAME];

pub(super) const TOPICS_CLASSIC: Parts = &[to_end("topics", &[group("topic", TOPIC_CLASSIC)])];
pub(super) const TOPICS_VSR: Parts = &[
    u32("topics_count"),
    counted("topics_count", "topics", &[group("topic", TOPIC_VSR)]),
];

pub(super) const DETAILS_CLASSIC: Parts = &{
    let [a, b, c, d, e, f, g, h, i, j] = CLASSIC;
    [a, b, c, d, e, f, g, h, i, j, PARTITIONS]
};

pub(super) const DETAILS_VSR: Parts = &{
    let [a, b, c, d, e, f, g, h, i, j, k] = VSR;
    [a, b, c, d, e, f, g, h, i, j, k, PARTITIONS]
};

const PARTITIONS: Part = counted(
    "partitions_count",
    "partitions",
    &[group(
        "partition",
        &[
            u32("id"),
            u64("created_at"),
            u32("segments_count"),
            u64("current_offset"),
            u64("size_bytes"),
            u64("messages_count"),
        ],
    )],
);
