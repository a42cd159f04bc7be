//! What is mirrored besides First and Next, where that is asked for.

use parallax_captures::{Exchange, VerdictKind};
use parallax_codec::commands::{ConsumerOffset, GetConsumerOffset};
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{Last, Offset, Timestamp};
use parallax_codec::primitives::{ConsumerKind, Identifier, PartitionLayout};
use parallax_codec::{Dialect, Reply, Request};
use serde_json::json;

use super::*;
use crate::mirror::MirrorAlso;
use crate::mirror::tcp::stub::{Act, Stub};

const ALL: [MirrorAlso; 4] = [
    MirrorAlso::Offset,
    MirrorAlso::Last,
    MirrorAlso::Timestamp,
    MirrorAlso::GetOffset,
];

fn bench(http: &str, tcp: Option<&Stub>, also: &[MirrorAlso]) -> Bench {
    let bench = Bench::new(http, |config| {
        config.upstream = tcp.map(|tcp| tcp.address.clone());
        config.also = also.to_vec();
    });
    bench.mirror.login(ConnectionId(1), password());
    bench
}

/// An HTTP server that says that this offset is stored, and has messages 0 and 1.
async fn http_with(stored: Option<u64>) -> (String, Arc<Mutex<Vec<Seen>>>) {
    server(move |request, _| match (request.line.as_str(), stored) {
        (line, _) if line.ends_with("/login") => login("t"),
        (line, Some(stored)) if line.contains("/consumer-offsets?") => Json(json!({
            "partition_id": 2, "current_offset": 26, "stored_offset": stored,
        }))
        .into_response(),
        (line, None) if line.contains("/consumer-offsets?") => {
            let missing = r#"{"id":20,"code":"resource_not_found","reason":"","field":null}"#;
            (StatusCode::NOT_FOUND, missing).into_response()
        }
        _ => messages(2),
    })
    .await
}

fn get_offset(kind: ConsumerKind, reply: Option<Reply>, status: u32) -> Exchange {
    let named = |name: &str| Identifier::Named(name.to_owned());
    let request = Request::GetConsumerOffset(GetConsumerOffset {
        consumer: parallax_codec::primitives::Consumer {
            kind,
            id: named("qw_sink_metrics"),
        },
        stream: named("otel"),
        topic: named("metrics"),
        partition_id: Some(2),
        partition_layout: PartitionLayout::Flagged,
    });
    let mut exchange = exchange(0, 0, request, status);
    if let parallax_captures::Content::Binary(content) = &mut exchange.content {
        content.reply = reply;
    }
    exchange
}

fn reply(stored_offset: u64) -> Reply {
    Reply::ConsumerOffset(ConsumerOffset {
        partition_id: 2,
        current_offset: 26,
        stored_offset,
    })
}

#[tokio::test]
async fn polls_of_an_offset_a_time_or_the_last_are_put_to_http_as_they_are() {
    for (strategy, asked) in [
        (Offset, "kind=offset&value=0"),
        (Timestamp, "kind=timestamp&value=0"),
        (Last, "kind=last&value=0"),
    ] {
        let (address, seen) = http_with(None).await;
        let bench = bench(&address, None, &ALL);
        let request = poll(Consumer, Some(2), strategy);
        let full = answered(exchange(0, 0, request, 0), &answer(2, 1, 0..2));
        expect(&bench.verdict(full).await, VerdictKind::Agree, &["All 2"]);
        let seen = seen.lock().unwrap();
        assert!(seen[1].line.contains(asked), "{:?}", seen[1].line);
    }
}

#[tokio::test]
async fn what_is_not_asked_for_is_not_mirrored() {
    let (address, seen) = http_with(None).await;
    let bench = bench(&address, None, &[MirrorAlso::Last]);
    let others = [
        exchange(0, 0, poll(Consumer, Some(2), Offset), 0),
        exchange(0, 0, poll(Consumer, Some(2), Timestamp), 0),
        get_offset(Consumer, None, 3007),
    ];
    for other in others {
        let n = bench.analyst.record(other).n;
        let recorded = bench.journal().exchange(n).unwrap();
        bench.mirror.poll(&recorded, None);
    }
    // First always is.
    expect(&bench.verdict(first()).await, VerdictKind::Agree, &[]);
    assert_eq!(seen.lock().unwrap().len(), 2, "a login and First");
}

#[tokio::test]
async fn a_stored_offset_is_the_same_over_http_or_none_is_stored() {
    for (stored, tcp) in [(Some(7), reply(7)), (None, Reply::Empty)] {
        let (address, seen) = http_with(stored).await;
        let bench = bench(&address, None, &ALL);
        let verdict = bench.verdict(get_offset(Consumer, Some(tcp), 0)).await;
        expect(&verdict, VerdictKind::Agree, &["Both say", "stored"]);
        assert!(
            seen.lock().unwrap()[1]
                .line
                .ends_with("consumer_id=qw_sink_metrics&partition_id=2")
        );
    }
}

#[tokio::test]
async fn a_groups_stored_offset_is_not_comparable() {
    let (address, seen) = http_with(Some(7)).await;
    let bench = bench(&address, None, &ALL);
    let verdict = bench.verdict(get_offset(Group, Some(reply(7)), 0)).await;
    expect(
        &verdict,
        VerdictKind::NotComparable,
        &["HTTP has no groups"],
    );
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_stored_offset_that_differs_is_asked_of_both_again() {
    let asked = || get_offset(Consumer, Some(reply(7)), 0);
    for (then, kind) in [
        // It was stored in between.
        ([9, 9], VerdictKind::Transient),
        ([7, 7], VerdictKind::Diverge),
        ([8, 9], VerdictKind::NotComparable),
    ] {
        let (address, _) = http_with(Some(9)).await;
        let tcp = Stub::start(Dialect::Classic, move |_, before| {
            Act::Reply(0, reply(then[before]))
        })
        .await;
        let verdict = bench(&address, Some(&tcp), &ALL).verdict(asked()).await;
        expect(&verdict, kind, &["offset 7", "offset 9", "Asked again"]);
        assert_eq!(tcp.asked().len(), 2);
    }
    // Where TCP cannot be asked again, it may have been stored in between.
    let (address, _) = http_with(Some(9)).await;
    let verdict = bench(&address, None, &ALL).verdict(asked()).await;
    expect(
        &verdict,
        VerdictKind::NotComparable,
        &["may have been stored"],
    );
}
