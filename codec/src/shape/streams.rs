//! Shapes of streams.

use super::part::{Part, Parts, counted, group, name, to_end, u32, u64};
use super::primitives::{OPTIONS, SIZED_OPTIONS, STREAM};
use super::topics::{TOPIC_CLASSIC, TOPIC_VSR};

pub(super) const STREAM_REF: Parts = &[STREAM];

pub(super) const CREATE_CLASSIC: Parts = &[NAME];
pub(super) const CREATE_VSR: Parts = &[NAME, OPTIONS];
pub(super) const UPDATE_CLASSIC: Parts = &[STREAM, NAME];
pub(super) const UPDATE_VSR: Parts = &[STREAM, NAME, OPTIONS];

const NAME: Part = name("name_length", "name");

pub(super) const STREAM_CLASSIC: Parts = &REPLY;

pub(super) const STREAM_VSR: Parts = &{
    let [a, b, c, d, e, f] = REPLY;
    [a, b, c, d, e, f, SIZED_OPTIONS]
};

const REPLY: [Part; 6] = [
    u32("id"),
    u64("created_at"),
    u32("topics_count"),
    u64("size_bytes"),
    u64("messages_count"),
    NAME,
];

pub(super) const STREAMS_CLASSIC: Parts = &[to_end("streams", &[group("stream", STREAM_CLASSIC)])];
pub(super) const STREAMS_VSR: Parts = &[to_end("streams", &[group("stream", STREAM_VSR)])];

pub(super) const DETAILS_CLASSIC: Parts = &{
    let [a, b, c, d, e, f] = REPLY;
    let topics = counted("topics_count", "topics", &[group("topic", TOPIC_CLASSIC)]);
    [a, b, c, d, e, f, topics]
};

pub(super) const DETAILS_VSR: Parts = &{
    let [a, b, c, d, e, f] = REPLY;
    let topics = counted("topics_count", "topics", &[group("topic", TOPIC_VSR)]);
    [a, b, c, d, e, f, SIZED_OPTIONS, topics]
};
