//! Shapes of [`messages`](crate::messages), and of what sends and polls them.

use super::part::{Part, Parts, Width, counted, exact, flag, group, to_end, u32, u64, u128};
use super::primitives::{CONSUMER, FLAGGED, PARTITIONING, STRATEGY, STREAM, TOPIC, partition};
use crate::dialect::Dialect;
use crate::messages::{BATCH_HEADER_SIZE, HeaderLayout};

pub(super) const POLL_CLASSIC: Parts = &[
    CONSUMER,
    STREAM,
    TOPIC,
    Part::Partition {
        after: 1 + 8 + 4 + 1,
    },
    STRATEGY,
    u64("value"),
    u32("count"),
    flag("auto_commit"),
];

pub(super) const POLL_VSR: Parts = &{
    let [given, id] = FLAGGED;
    [
        CONSUMER,
        STREAM,
        TOPIC,
        given,
        id,
        STRATEGY,
        u64("value"),
        u32("count"),
        flag("auto_commit"),
    ]
};

pub(super) const POLLED: Parts = &[
    partition("partition_id"),
    u64("current_offset"),
    u32("count"),
    Part::Messages { sent: false },
];

pub(super) const SEND: Parts = &[
    u32("metadata_length"),
    STREAM,
    TOPIC,
    PARTITIONING,
    u32("count"),
    Part::Messages { sent: true },
];

pub(super) const CONFIRMATIONS: Parts = &[
    u32("confirmations_count"),
    counted(
        "confirmations_count",
        "confirmations",
        &[group(
            "confirmation",
            &[
                u32("stream_id"),
                u32("topic_id"),
                u32("partition_id"),
                u64("base_offset"),
            ],
        )],
    ),
];

/// The layouts that polled messages may have in a dialect, the usual one first.
pub const fn polled_messages(dialect: Dialect) -> &'static [(HeaderLayout, Parts)] {
    match dialect {
        Dialect::Classic => &[
            (HeaderLayout::Headers64, &[EACH_64]),
            (HeaderLayout::Headers56, &[EACH_56]),
        ],
        Dialect::Vsr => &[
            (HeaderLayout::Batches, &[RECORDS]),
            (HeaderLayout::Headers64, &[EACH_64]),
            (HeaderLayout::Headers56, &[EACH_56]),
        ],
    }
}

/// The layouts that sent messages may have in a dialect, the usual one first.
pub const fn sent_messages(dialect: Dialect) -> &'static [(HeaderLayout, Parts)] {
    match dialect {
        Dialect::Classic => &[
            (HeaderLayout::Headers64, &[INDEX, EACH_64]),
            (HeaderLayout::Headers56, &[INDEX, EACH_56]),
        ],
        Dialect::Vsr => &[
            (HeaderLayout::Batches, &[RECORDS]),
            (HeaderLayout::Headers64, &[INDEX, EACH_64]),
            (HeaderLayout::Headers56, &[INDEX, EACH_56]),
        ],
    }
}

const INDEX: Part = counted(
    "count",
    "index",
    &[group("entry", &[u32("zero"), u32("end"), u64("zero")])],
);

const EACH_64: Part = to_end(
    "messages",
    &[group(
        "message",
        &[group("header", HEADER_64), Part::MessageContent],
    )],
);

const EACH_56: Part = to_end(
    "messages",
    &[group(
        "message",
        &[group("header", &HEADER_56), Part::MessageContent],
    )],
);

const HEADER_64: Parts = &{
    let [a, b, c, d, e, f, g] = HEADER_56;
    [a, b, c, d, e, f, g, u64("reserved")]
};

const HEADER_56: [Part; 7] = [
    u64("checksum"),
    u128("id"),
    u64("offset"),
    u64("timestamp"),
    u64("origin_timestamp"),
    u32("user_headers_length"),
    u32("payload_length"),
];

const RECORDS: Part = to_end(
    "batches",
    &[group(
        "batch",
        &[
            group(
                "header",
                &[
                    u64("partition_id"),
                    u64("base_offset"),
                    u64("base_timestamp"),
                    u64("origin_timestamp"),
                    u64("batch_length"),
                    u64("batch_checksum"),
                    u32("message_count"),
                    Part::Fixed {
                        name: "reserved",
                        length: BATCH_HEADER_SIZE - 52,
                        zero: true,
                    },
                ],
            ),
            Part::Frames {
                name: "frames",
                element: &[group(
                    "message",
                    &[
                        group(
                            "header",
                            &[
                                u64("checksum"),
                                u128("id"),
                                u32("offset_delta"),
                                u32("timestamp_delta"),
                                u32("user_headers_length"),
                                u32("payload_length"),
                                exact("reserved", Width::U64, 0),
                            ],
                        ),
                        Part::MessageContent,
                    ],
                )],
            },
        ],
    )],
);

pub(super) const FLUSH: Parts = &[STREAM, TOPIC, u32("partition_id"), flag("fsync")];
