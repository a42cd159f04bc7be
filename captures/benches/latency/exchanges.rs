//! Exchanges like those of a busy server.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::decoding::{AnyFrame, decode};
use parallax_captures::{Annotation, ConnectionId, Content, Dialect, Exchange, Times};
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::commands::{DeleteConsumerOffset, PollMessages, StoreConsumerOffset};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::{Direction, Encode as _, code};

/// Connections that take turns.
pub(crate) const CONNECTIONS: u64 = 256;

/// Streams that they name.
const STREAMS: u64 = 8;

/// The first of a proxy's exchanges, which were long ago.
const FIRST: u64 = 1_024;

/// An hour, in microseconds.
const HOUR: u64 = 3_600_000_000;

/// Exchanges without end, made anew of few, so that reading them costs no more than it
/// does where one was just paired.
pub(crate) struct Traffic {
    templates: Vec<Exchange>,
    connections: u64,
    number: u64,
    now: Timestamp,
    runs_for: u64,
}

impl Traffic {
    /// Polls of one consumer on one connection.
    pub(crate) fn of_one() -> Self {
        Self {
            templates: vec![exchange(&poll(0, PollingKind::Next), code::POLL_MESSAGES)],
            connections: 1,
            number: 0,
            now: at(0),
            runs_for: HOUR,
        }
    }

    /// Three commands, two strategies and eight streams on 256 connections.
    pub(crate) fn of_many() -> Self {
        let templates = (0..STREAMS).flat_map(|stream| {
            [
                exchange(&poll(stream, PollingKind::Next), code::POLL_MESSAGES),
                exchange(&poll(stream, PollingKind::Offset), code::POLL_MESSAGES),
                exchange(&store(stream), code::STORE_CONSUMER_OFFSET),
                exchange(&delete(stream), code::DELETE_CONSUMER_OFFSET),
            ]
        });
        Self {
            templates: templates.collect(),
            connections: CONNECTIONS,
            number: 0,
            now: at(0),
            runs_for: HOUR,
        }
    }

    /// The same of a proxy that has just begun, whose slices of time are narrow.
    pub(crate) fn just_begun(mut self) -> Self {
        self.runs_for = 0;
        self
    }

    /// The next one, and how long it took. They follow each other at 50,000 a
    /// second, in a proxy that runs since an hour.
    pub(crate) fn next(&mut self) -> (&Exchange, Duration) {
        let number = self.number;
        self.number += 1;
        let templates = self.templates.len() as u64;
        let which = usize::try_from(chance(number) % templates).unwrap();
        let exchange = &mut self.templates[which];
        exchange.conn = ConnectionId(1 + number % self.connections);
        // Making times is not what is measured.
        if number.is_multiple_of(64) {
            let ago = if number < FIRST { 0 } else { self.runs_for };
            self.now = at(ago + number * 20);
        }
        exchange.times.request_first = self.now;
        (exchange, latency(number))
    }

    /// The same, and its stream is one that nobody named before.
    pub(crate) fn next_inventing(&mut self) -> (&Exchange, Duration) {
        let number = self.number;
        let Content::Binary(content) = &mut self.templates[0].content else {
            unreachable!()
        };
        if let Some(parallax_codec::Request::PollMessages(poll)) = &mut content.request {
            poll.stream = Identifier::Named(format!("stream_{number}"));
        }
        self.next()
    }
}

/// Spread as numbers of chance are, and the same each time.
fn chance(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
}

/// Most within a millisecond, one of a thousand within ten.
pub(crate) fn latency(number: u64) -> Duration {
    let chance = chance(number ^ 0x5555);
    let spread = 100 + (chance % 30) * (chance % 31);
    let slow = if chance.is_multiple_of(1000) { 10 } else { 1 };
    Duration::from_micros(spread * slow)
}

fn at(microsecond: u64) -> Timestamp {
    let begin = Timestamp::from_second(1_700_000_000).unwrap();
    begin + SignedDuration::from_micros(i64::try_from(microsecond).unwrap())
}

fn exchange(request: &[u8], code: u32) -> Exchange {
    let frame = |direction, bytes: &_| AnyFrame::kept(Dialect::Classic, direction, bytes).unwrap();
    let request = frame(Direction::ToServer, &encode_request(code, request));
    let reply = match code {
        code::POLL_MESSAGES => [&[0; 4][..], &7_u64.to_le_bytes(), &[0; 4]].concat(),
        _ => Vec::new(),
    };
    let reply = frame(Direction::ToClient, &encode_reply(0, &reply));
    Exchange {
        n: 0,
        conn: ConnectionId(1),
        dialect: Dialect::Classic,
        times: Times {
            request_first: at(0),
            request_last: at(0),
            reply: Some((at(100), at(100))),
        },
        content: Content::Binary(decode(&request, Some(&reply), None).content),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: Annotation::default(),
        altered: None,
    }
}

fn named(name: &str, number: u64) -> Identifier {
    Identifier::Named(format!("{name}_{number}"))
}

fn reader() -> Consumer {
    Consumer {
        kind: ConsumerKind::Consumer,
        id: named("reader", 1),
    }
}

fn poll(stream: u64, kind: PollingKind) -> Vec<u8> {
    let poll = PollMessages {
        consumer: reader(),
        stream: named("stream", stream),
        topic: named("topic", stream),
        partition_layout: PartitionLayout::Flagged,
        partition_id: Some(1),
        strategy: PollingStrategy { kind, value: 0 },
        count: 100,
        auto_commit: false,
    };
    poll.encode().to_vec()
}

fn store(stream: u64) -> Vec<u8> {
    let store = StoreConsumerOffset {
        consumer: reader(),
        stream: named("stream", stream),
        topic: named("topic", stream),
        partition_layout: PartitionLayout::Flagged,
        partition_id: Some(1),
        offset: 7,
        ack: None,
    };
    store.encode().to_vec()
}

fn delete(stream: u64) -> Vec<u8> {
    let delete = DeleteConsumerOffset {
        consumer: reader(),
        stream: named("stream", stream),
        topic: named("topic", stream),
        partition_layout: PartitionLayout::Flagged,
        partition_id: Some(1),
        ack: None,
    };
    delete.encode().to_vec()
}
