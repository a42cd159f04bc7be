//! What differs between exchanges and between captures: laws that hold for any.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::difference::{
    CaptureSide, Comparer, FieldDifference, Row, Rules, Scope, compare_captures,
};
use parallax_captures::limits::DIFFERING_FIELDS;
use parallax_captures::{
    Alteration, BinaryContent, ConnectionId, Content, Dialect, Exchange, HttpContent, Times,
};
use parallax_codec::commands::{ConsumerOffset, PollMessages, PolledMessages, StoreConsumerOffset};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::{Encode as _, Reply, Request, classic};
use proptest::prelude::*;

fn exchange(n: u64, request: Request, status: u32, reply: Reply) -> Arc<Exchange> {
    let time = Timestamp::UNIX_EPOCH;
    let body = if status == 0 {
        reply.encode()
    } else {
        Bytes::new()
    };
    Arc::new(Exchange {
        n,
        conn: ConnectionId(1),
        dialect: Dialect::Classic,
        times: Times {
            request_first: time,
            request_last: time,
            reply: Some((time, time)),
        },
        content: Content::Binary(BinaryContent {
            code: request.code(),
            request_frame: classic::encode_request(request.code(), &request.encode()),
            request: Some(request),
            status: Some(status),
            reply_frame: classic::encode_reply(status, &body),
            result: None,
            reply: (status == 0).then_some(reply),
            eviction: None,
        }),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    })
}

fn named(name: &str) -> Identifier {
    Identifier::Named(name.to_owned())
}

fn consumer(number: u32) -> Consumer {
    Consumer {
        kind: ConsumerKind::Consumer,
        id: Identifier::Numeric(number),
    }
}

fn poll(value: u64) -> Request {
    Request::PollMessages(PollMessages {
        consumer: consumer(7),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(0),
        partition_layout: PartitionLayout::Flagged,
        strategy: PollingStrategy {
            kind: PollingKind::Offset,
            value,
        },
        count: 2,
        auto_commit: false,
    })
}

fn store(offset: u64) -> Request {
    Request::StoreConsumerOffset(StoreConsumerOffset {
        consumer: consumer(7),
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(0),
        partition_layout: PartitionLayout::Flagged,
        offset,
        ack: None,
    })
}

fn polled(messages: Vec<(u64, u64, &'static [u8])>) -> Reply {
    let message = |(offset, timestamp, payload): (u64, u64, &'static [u8])| Message {
        header: MessageHeader {
            checksum: timestamp,
            id: u128::from(offset),
            offset,
            timestamp,
            origin_timestamp: timestamp,
            user_headers_length: 0,
            payload_length: u32::try_from(payload.len()).unwrap(),
            reserved: 0,
        },
        payload: Bytes::from_static(payload),
        user_headers: Bytes::new(),
    };
    Reply::PolledMessages(PolledMessages {
        partition_id: 0,
        current_offset: 9,
        count: u32::try_from(messages.len()).unwrap(),
        layout: MessageLayout::Headers64,
        messages: messages.into_iter().map(message).collect(),
        left_over: Bytes::new(),
    })
}

fn differences(a: &Exchange, b: &Exchange, rules: &Rules) -> Vec<FieldDifference> {
    Comparer::new(rules, Scope::Whole).compare(a, b)
}

fn paths(found: &[FieldDifference]) -> Vec<&str> {
    found.iter().map(|one| one.path.as_str()).collect()
}

#[test]
fn a_payload_that_differs_is_told_and_a_time_is_not() {
    let a = exchange(1, poll(0), 0, polled(vec![(0, 5, b"one"), (1, 6, b"two")]));
    let b = exchange(1, poll(0), 0, polled(vec![(0, 8, b"one"), (1, 9, b"2")]));
    let found = differences(&a, &b, &Rules::built_in());
    assert_eq!(paths(&found), ["response.messages[1].payload"]);
    assert_eq!(found[0].a, Some("two".into()));
    assert_eq!(found[0].b, Some("2".into()));
}

#[test]
fn a_message_too_many_is_one_difference_and_their_number_another() {
    let a = exchange(1, poll(0), 0, polled(vec![(0, 5, b"one")]));
    let b = exchange(1, poll(0), 0, polled(vec![(0, 5, b"one"), (1, 6, b"two")]));
    let found = differences(&a, &b, &Rules::built_in());
    assert_eq!(paths(&found), ["response.count", "response.messages[1]"]);
    assert_eq!(found[1].a, None);
}

#[test]
fn a_rule_hides_its_field_in_its_command_alone_and_is_told_when_it_hides_nothing() {
    let text = "poll_*: response.messages\nstore_*: response.messages[*].payload\n";
    let rules = Rules::parse(".parallaxignore", text).unwrap();
    let mut comparer = Comparer::new(&rules, Scope::Whole);
    let a = exchange(1, poll(0), 0, polled(vec![(0, 5, b"one")]));
    let b = exchange(1, poll(0), 0, polled(vec![(0, 5, b"two")]));
    assert!(comparer.compare(&a, &b).is_empty());
    assert_eq!(comparer.hidden(), 1);
    let unused: Vec<String> = comparer.unused_rules().map(ToString::to_string).collect();
    let expected = "store_*: response.messages[*].payload (.parallaxignore, line 2)";
    assert_eq!(unused, [expected]);
}

#[test]
fn an_error_on_one_side_is_told_by_its_number() {
    let a = exchange(1, store(3), 0, Reply::Empty);
    let b = exchange(1, store(3), 4100, Reply::Empty);
    let found = differences(&a, &b, &Rules::built_in());
    assert_eq!(paths(&found), ["status"]);
    assert_eq!(found[0].b, Some(4100.into()));
}

#[test]
fn beyond_so_many_fields_the_differences_are_counted_together() {
    let rules = Rules::built_in();
    let mut comparer = Comparer::new(&rules, Scope::Reply);
    let body = |value: u64| {
        let fields: Vec<_> = (0..=DIFFERING_FIELDS)
            .map(|field| format!("\"f{field}\":{value}"))
            .collect();
        let mut exchange = Exchange::clone(&exchange(1, Request::Ping, 0, Reply::Empty));
        exchange.content = Content::Http(HttpContent {
            method: "GET".to_owned(),
            target: "/stats".to_owned(),
            http_status: Some(200),
            request_body: Bytes::new(),
            response_body: format!("{{{}}}", fields.join(",")).into(),
            poll: None,
            answer: None,
        });
        exchange
    };
    let found = comparer.compare(&body(1), &body(2));
    assert_eq!(found.len(), DIFFERING_FIELDS + 1);
    let fields: Vec<_> = comparer.fields().collect();
    assert_eq!(fields.len(), DIFFERING_FIELDS + 1);
    assert_eq!(fields.last(), Some(&("*", "further fields", 1)));
}

/// An exchange by a small number: of equal numbers the requests are equal, and of
/// every other one the reply as well.
fn any_exchange(n: u64, (request, reply): (u64, u64)) -> Arc<Exchange> {
    match request % 3 {
        0 => exchange(n, poll(request), 0, polled(vec![(reply, n, b"payload")])),
        1 => exchange(
            n,
            store(request),
            u32::try_from(reply).unwrap(),
            Reply::Empty,
        ),
        _ => {
            let offset = ConsumerOffset {
                partition_id: 0,
                current_offset: reply,
                stored_offset: request,
            };
            exchange(n, Request::GetStats, 0, Reply::ConsumerOffset(offset))
        }
    }
}

fn capture(numbers: &[(u64, u64)]) -> Vec<Arc<Exchange>> {
    (1..)
        .zip(numbers)
        .map(|(n, one)| any_exchange(n, *one))
        .collect()
}

fn numbers() -> impl Strategy<Value = Vec<(u64, u64)>> {
    prop::collection::vec((0_u64..9, 0_u64..3), 0..30)
}

/// What stands side by side and what differs there, the first side first.
fn rows(
    a: &[Arc<Exchange>],
    b: &[Arc<Exchange>],
) -> (Vec<String>, parallax_captures::difference::Counted) {
    let rules = Rules::built_in();
    let mut comparer = Comparer::new(&rules, Scope::Whole);
    let mut told = Vec::new();
    let side = |exchanges| CaptureSide {
        exchanges,
        connections: &[],
    };
    let counted = compare_captures(side(a), side(b), &rules, &mut comparer, |row| match row {
        Row::Connections { .. } => {}
        Row::Differs { differences, .. } => told.extend(differences.iter().map(|d| d.path.clone())),
        Row::OnlyInA(_) => told.push("only in a".to_owned()),
        Row::OnlyInB(_) => told.push("only in b".to_owned()),
    });
    let by_field: u64 = comparer.fields().map(|(_, _, count)| count).sum();
    assert_eq!(
        by_field, counted.differences,
        "the table of fields sums up to the headline"
    );
    (told, counted)
}

proptest! {
    #[test]
    fn a_capture_does_not_differ_from_itself(numbers in numbers()) {
        let capture = capture(&numbers);
        let (told, counted) = rows(&capture, &capture);
        prop_assert!(told.is_empty(), "{:?}", told);
        prop_assert_eq!(counted.equal, capture.len() as u64);
        prop_assert!(!counted.is_different());
    }

    #[test]
    fn two_exchanges_differ_in_the_same_fields_from_either_side(
        a in (0_u64..9, 0_u64..3),
        b in (0_u64..9, 0_u64..3),
    ) {
        let (a, b) = (any_exchange(1, a), any_exchange(2, b));
        let rules = Rules::built_in();
        let back: Vec<_> = differences(&b, &a, &rules)
            .into_iter()
            .map(|one| FieldDifference { a: one.b, b: one.a, path: one.path })
            .collect();
        prop_assert_eq!(differences(&a, &b, &rules), back);
    }

    #[test]
    fn the_rows_sum_up_to_the_headline_and_every_exchange_is_counted_once(
        a in numbers(),
        b in numbers(),
    ) {
        let (a, b) = (capture(&a), capture(&b));
        let (told, counted) = rows(&a, &b);
        let how_many = |what: &str| told.iter().filter(|row| *row == what).count() as u64;
        prop_assert_eq!(how_many("only in a"), counted.only_in_a);
        prop_assert_eq!(how_many("only in b"), counted.only_in_b);
        let fields = told.iter().filter(|row| !row.starts_with("only in")).count() as u64;
        prop_assert_eq!(fields, counted.differences);
        let pairs = counted.equal + counted.differing;
        prop_assert_eq!(pairs + counted.only_in_a, a.len() as u64);
        prop_assert_eq!(pairs + counted.only_in_b, b.len() as u64);
    }
}

#[test]
fn what_parallax_injected_is_told_and_not_held_against_a_server() {
    let served = exchange(1, store(7), 0, Reply::Empty);
    let mut refused = exchange(1, store(7), 4100, Reply::Empty);
    Arc::make_mut(&mut refused).altered = Some(Box::new(Alteration {
        injected: Some("store_consumer_offset error=invalid_offset".to_owned()),
        answered_otherwise: true,
        ..Alteration::default()
    }));
    let found = differences(&served, &refused, &Rules::built_in());
    assert_eq!(paths(&found), ["injected"]);
}
