//! Shapes of consumer groups.

use super::part::{Part, Parts, counted, group, name, to_end, u32, u64};
use super::primitives::{STREAM, TOPIC, identifier};

pub(super) const GROUP_REF: Parts = &[STREAM, TOPIC, identifier("group")];

pub(super) const CREATE: Parts = &[STREAM, TOPIC, name("name_length", "name")];

const GROUP: [Part; 4] = [
    u32("id"),
    u32("partitions_count"),
    u32("members_count"),
    name("name_length", "name"),
];

pub(super) const GROUPS: Parts = &[to_end("groups", &[group("group", &GROUP)])];

const PARTITIONS: Part = counted("partitions_count", "partitions", &[u32("partition_id")]);

pub(super) const GROUP_DETAILS: Parts = &{
    let [a, b, c, d] = GROUP;
    let members = counted(
        "members_count",
        "members",
        &[group(
            "member",
            &[u32("id"), u32("partitions_count"), PARTITIONS],
        )],
    );
    [a, b, c, d, members]
};

pub(super) const ASSIGNMENT: Parts = &[u64("generation"), u32("partitions_count"), PARTITIONS];
