//! Shapes of what stores, asks for and deletes offsets.

use super::part::{Part, Parts, if_more, u64};
use super::primitives::{ACK, CONSUMER, FLAGGED, STREAM, TOPIC, partition};

pub(super) const KEY_CLASSIC: Parts = &[CONSUMER, STREAM, TOPIC, Part::Partition { after: 0 }];

pub(super) const KEY_VSR: Parts = &{
    let [given, id] = FLAGGED;
    [CONSUMER, STREAM, TOPIC, given, id]
};

pub(super) const STORE_CLASSIC: Parts = &[
    CONSUMER,
    STREAM,
    TOPIC,
    Part::Partition { after: 8 },
    u64("offset"),
];

pub(super) const STORE_VSR: Parts = &{
    let [given, id] = FLAGGED;
    [
        CONSUMER,
        STREAM,
        TOPIC,
        given,
        id,
        u64("offset"),
        if_more(&[ACK]),
    ]
};

pub(super) const DELETE_VSR: Parts = &{
    let [given, id] = FLAGGED;
    [CONSUMER, STREAM, TOPIC, given, id, if_more(&[ACK])]
};

pub(super) const CONSUMER_OFFSET: Parts = &[
    partition("partition_id"),
    u64("current_offset"),
    u64("stored_offset"),
];
