//! Shapes of [`primitives`](crate::primitives).

use super::part::{
    Case, Content, Part, Parts, Width, closed_kind, exact, flag, given, group, name, u32,
};
use crate::primitives::{ConsumerKind, Permissions, PollingKind, partition_meaning};

const IDENTIFIER: Parts = &[Part::Union {
    kind: "kind",
    cases: &[
        Case {
            number: 1,
            meaning: "numeric",
            parts: &[exact("length", Width::U8, 4), u32("value")],
        },
        Case {
            number: 2,
            meaning: "string",
            parts: &[name("length", "value")],
        },
    ],
}];

/// A stream, topic, user, consumer or group.
pub(super) const fn identifier(name: &'static str) -> Part {
    group(name, IDENTIFIER)
}

pub(super) const STREAM: Part = identifier("stream");
pub(super) const TOPIC: Part = identifier("topic");

pub(super) const CONSUMER: Part = group(
    "consumer",
    &[closed_kind("kind", consumer_kind), identifier("id")],
);

fn consumer_kind(number: u8) -> &'static str {
    let mut kinds = [ConsumerKind::Consumer, ConsumerKind::Group].into_iter();
    let kind = kinds.find(|kind| kind.number() == number);
    kind.map_or("unknown", ConsumerKind::name)
}

/// A partition's number in a reply.
pub(super) const fn partition(name: &'static str) -> Part {
    Part::Meaning {
        name,
        numbers: &[u32::MAX - 1, u32::MAX],
        of: partition_meaning,
    }
}

/// A partition with the flag that every VSR server has.
pub(super) const FLAGGED: [Part; 2] = [given("partition_given"), u32("partition_id")];

pub(super) const STRATEGY: Part = closed_kind("strategy", strategy_name);

fn strategy_name(number: u8) -> &'static str {
    let mut kinds = PollingKind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.number() == number);
    kind.map_or("unknown", PollingKind::name)
}

pub(super) const PARTITIONING: Part = group(
    "partitioning",
    &[Part::Union {
        kind: "kind",
        cases: &[
            Case {
                number: 1,
                meaning: "balanced",
                parts: &[exact("length", Width::U8, 0)],
            },
            Case {
                number: 2,
                meaning: "partition_id",
                parts: &[exact("length", Width::U8, 4), u32("partition_id")],
            },
            Case {
                number: 3,
                meaning: "messages_key",
                parts: &[Part::Sized {
                    length: "length",
                    width: Width::U8,
                    name: "messages_key",
                    content: Content::Bytes,
                    at_least: 1,
                }],
            },
        ],
    }],
);

pub(super) const ACK: Part = closed_kind("ack", ack_name);

fn ack_name(number: u8) -> &'static str {
    match number {
        0 => "none",
        1 => "quorum",
        _ => "unknown",
    }
}

/// Options to the end of a request.
pub(super) const OPTIONS: Part = Part::Options {
    length: None,
    name: "options",
};

/// Options in a reply.
pub(super) const SIZED_OPTIONS: Part = Part::Options {
    length: Some("options_length"),
    name: "options",
};

/// Permissions behind their length.
pub(super) const PERMISSIONS: Part = Part::SizedGroup {
    length: "permissions_length",
    name: "permissions",
    parts: GLOBAL_PERMISSIONS,
};

const GLOBAL_PERMISSIONS: Parts = &{
    let [a, b, c, d, e, f, g, h, i, j] = Permissions::GLOBAL;
    [
        flag(a),
        flag(b),
        flag(c),
        flag(d),
        flag(e),
        flag(f),
        flag(g),
        flag(h),
        flag(i),
        flag(j),
        Part::Chain {
            follow: "streams_follow",
            list: "streams",
            element: "stream",
            parts: STREAM_PERMISSIONS,
        },
    ]
};

const STREAM_PERMISSIONS: Parts = &{
    let [a, b, c, d, e, f] = Permissions::STREAM;
    [
        u32("stream_id"),
        flag(a),
        flag(b),
        flag(c),
        flag(d),
        flag(e),
        flag(f),
        Part::Chain {
            follow: "topics_follow",
            list: "topics",
            element: "topic",
            parts: TOPIC_PERMISSIONS,
        },
    ]
};

const TOPIC_PERMISSIONS: Parts = &{
    let [a, b, c, d] = Permissions::TOPIC;
    [u32("topic_id"), flag(a), flag(b), flag(c), flag(d)]
};

/// Permissions that a request may leave out.
pub(super) const OPTIONAL_PERMISSIONS: [Part; 2] = [
    given("permissions_given"),
    Part::IfFlag {
        flag: "permissions_given",
        parts: &[PERMISSIONS],
    },
];
