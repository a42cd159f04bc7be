//! Both sides asked once more where they differ, and where Next was to begin.

use parallax_captures::{Exchange, VerdictKind};
use parallax_codec::commands::ConsumerOffset;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next};
use parallax_codec::{Dialect, Reply, Request};
use serde_json::json;

use super::*;
use crate::mirror::tcp::stub::{Act, Stub, messages as tcp_messages, refused};

/// A mirror of an HTTP server that answers with messages 0 and 1 of partition 2, and
/// of this server on TCP.
async fn bench(tcp: &Stub) -> Bench {
    let (address, _) = server(|request, _| match request.line.as_str() {
        line if line.ends_with("/login") => login("t"),
        _ => messages(2),
    })
    .await;
    with_tcp(&address, tcp)
}

fn with_tcp(http: &str, tcp: &Stub) -> Bench {
    let upstream = Some(tcp.address.clone());
    let bench = Bench::new(http, |config| config.upstream = upstream);
    bench.mirror.login(ConnectionId(1), password());
    bench
}

fn failed_first() -> Exchange {
    exchange(0, 0, poll(Consumer, Some(2), First), 4100)
}

#[tokio::test]
async fn a_failure_that_tcp_repeats_diverges_and_both_pairs_are_kept() {
    let tcp = Stub::start(Dialect::Classic, |_, _| refused(4100)).await;
    let verdict = bench(&tcp).await.verdict(failed_first()).await;
    expect(&verdict, VerdictKind::Diverge, &["in the same way"]);
    let again = verdict.asked_again.as_ref().unwrap();
    assert_eq!(
        (
            verdict.answers.len(),
            again.tcp_before.len(),
            again.answers.len()
        ),
        (1, 1, 1)
    );
    let exchange = Exchange {
        verdict: Some(verdict),
        ..failed_first()
    };
    let told = parallax_captures::json::exchange(&exchange);
    let again = &told["comparison"]["asked_again"];
    assert_eq!(again["verdict"], "diverge");
    assert_eq!(again["tcp_before"][0]["error"], "invalid_offset");
    assert_eq!(again["answers"][0]["response"]["count"], 2);
    assert_eq!(again["tcp_after"][0]["status"], 4100);
    assert_eq!(tcp.asked().len(), 2);
    let times: Vec<_> = [
        &told["comparison"]["answers"][0],
        &again["tcp_before"][0],
        &again["answers"][0],
        &again["tcp_after"][0],
    ]
    .iter()
    .flat_map(|answer| [&answer["asked"], &answer["answered"]])
    .map(|time| time.as_str().unwrap().parse::<jiff::Timestamp>().unwrap())
    .collect();
    assert!(
        times.is_sorted(),
        "each was asked after the one before: {times:?}"
    );
}

#[tokio::test]
async fn a_failure_that_passes_is_transient() {
    let tcp = Stub::start(Dialect::Classic, |_, _| tcp_messages(&answer(2, 1, 0..2))).await;
    let verdict = bench(&tcp).await.verdict(failed_first()).await;
    expect(&verdict, VerdictKind::Transient, &["both agree"]);
}

#[tokio::test]
async fn a_log_that_moves_while_it_is_asked_proves_nothing() {
    let tcp = Stub::start(Dialect::Classic, |_, before| match before {
        0 => tcp_messages(&answer(2, 9, 5..10)),
        _ => tcp_messages(&answer(2, 9, 8..10)),
    })
    .await;
    let verdict = bench(&tcp).await.verdict(failed_first()).await;
    expect(&verdict, VerdictKind::NotComparable, &["log moved"]);
}

#[tokio::test]
async fn what_agrees_is_asked_once_and_tcp_not_at_all() {
    let tcp = Stub::start(Dialect::Classic, |_, _| refused(4100)).await;
    let verdict = bench(&tcp).await.verdict(first()).await;
    expect(&verdict, VerdictKind::Agree, &[]);
    assert!(verdict.asked_again.is_none());
    assert!(tcp.seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn where_tcp_cannot_be_asked_again_the_first_verdict_stays_and_says_why() {
    let tcp = Stub::start(Dialect::Classic, |_, _| Act::Close).await;
    let verdict = bench(&tcp).await.verdict(failed_first()).await;
    expect(&verdict, VerdictKind::Diverge, &["4100"]);
    assert!(verdict.asked_again.is_none());
    for words in ["TCP could not be asked again", "closed the connection"] {
        assert!(verdict.basis.contains(words), "{}", verdict.basis);
    }
}

#[tokio::test]
async fn more_that_differs_than_is_asked_again_keeps_its_first_verdict() {
    let tcp = Stub::start(Dialect::Classic, |_, _| refused(4100)).await;
    let bench = bench(&tcp).await;
    let mut left_out = 0;
    for _ in 0..3 * crate::limits::ASKED_AGAIN_PER_SECOND {
        let verdict = bench.verdict(failed_first()).await;
        expect(&verdict, VerdictKind::Diverge, &["4100"]);
        left_out += usize::from(verdict.basis.contains("a second that are asked again"));
        if left_out > 0 {
            return;
        }
    }
    panic!("the rate was not reached");
}

#[tokio::test]
async fn after_a_failure_of_more_partitions_than_the_limit_nothing_is_asked_again() {
    let (address, _) = server(|request, _| match request.line.as_str() {
        line if line.ends_with("/login") => login("t"),
        "GET /streams/otel/topics/metrics" => {
            Json(json!({ "id": 0, "partitions_count": 9 })).into_response()
        }
        line => {
            let id = line.split("partition_id=").nth(1).unwrap();
            messages(id.split('&').next().unwrap().parse().unwrap())
        }
    })
    .await;
    let tcp = Stub::start(Dialect::Classic, |_, _| refused(4100)).await;
    let any = exchange(0, 0, poll(Group, None, First), 4100);
    let verdict = with_tcp(&address, &tcp).verdict(any).await;
    expect(&verdict, VerdictKind::Diverge, &["4100"]);
    assert!(verdict.basis.contains("9 partitions"), "{}", verdict.basis);
    assert!(tcp.seen.lock().unwrap().is_empty());
}

/// An empty Next of the group, of partition 2.
fn empty_next() -> Exchange {
    let request = poll(Group, Some(2), Next);
    answered(exchange(0, 0, request, 0), &answer(2, 1, 0..0))
}

fn stored(stored_offset: u64) -> Act {
    Act::Reply(
        0,
        Reply::ConsumerOffset(ConsumerOffset {
            partition_id: 2,
            current_offset: 1,
            stored_offset,
        }),
    )
}

#[tokio::test]
async fn an_empty_next_of_a_group_is_compared_where_its_stored_offset_says_it_began() {
    let (address, seen) = server(|request, _| match request.line.as_str() {
        line if line.ends_with("/login") => login("t"),
        line if line.contains("kind=offset&value=2") => Json(json!({
            "partition_id": 2, "current_offset": 1, "count": 0, "messages": [],
        }))
        .into_response(),
        _ => messages(2),
    })
    .await;
    let tcp = Stub::start(Dialect::Classic, |_, _| stored(1)).await;
    let verdict = with_tcp(&address, &tcp).verdict(empty_next()).await;
    expect(&verdict, VerdictKind::Agree, &["Both find no message"]);
    assert!(
        verdict
            .basis
            .contains("stored for group qw_sink_metrics is 1"),
        "{}",
        verdict.basis
    );
    assert!(seen.lock().unwrap()[1].line.contains("kind=offset&value=2"));
    assert!(matches!(tcp.asked()[..], [Request::GetConsumerOffset(_)]));
}

#[tokio::test]
async fn an_empty_next_that_hides_messages_diverges_when_tcp_goes_on_hiding_them() {
    let tcp = Stub::start(Dialect::Classic, |request, _| match request {
        Request::GetConsumerOffset(_) => Act::Reply(0, Reply::Empty),
        _ => tcp_messages(&answer(2, 1, 0..0)),
    })
    .await;
    // The messages of the sample were appended before this poll.
    let mut empty = empty_next();
    let sent = jiff::Timestamp::from_second(1_800_000_000).unwrap();
    empty.times.request_first = sent;
    let verdict = bench(&tcp).await.verdict(empty).await;
    expect(&verdict, VerdictKind::Diverge, &["they were there"]);
    assert!(verdict.basis.contains("no offset is stored"));
}

#[tokio::test]
async fn a_consumers_stored_offset_is_asked_over_http() {
    let (address, seen) = server(|request, _| match request.line.as_str() {
        line if line.ends_with("/login") => login("t"),
        line if line.contains("/consumer-offsets?") => {
            let missing =
                r#"{"id":20,"code":"resource_not_found","reason":"Not found","field":null}"#;
            (StatusCode::NOT_FOUND, missing).into_response()
        }
        _ => Json(json!({
            "partition_id": 2, "current_offset": 0, "count": 0, "messages": [],
        }))
        .into_response(),
    })
    .await;
    let bench = Bench::logged_in(&address);
    let request = poll(Consumer, Some(2), Next);
    let empty = answered(exchange(0, 0, request, 0), &answer(2, 0, 0..0));
    let verdict = bench.verdict(empty).await;
    expect(&verdict, VerdictKind::Agree, &["Both find no message"]);
    let lines: Vec<String> = seen.lock().unwrap()[1..]
        .iter()
        .map(|seen| seen.line.clone())
        .collect();
    assert_eq!(
        lines[0],
        "GET /streams/otel/topics/metrics/consumer-offsets?consumer_id=qw_sink_metrics\
         &partition_id=2"
    );
    assert!(lines[1].contains("kind=first"), "{lines:?}");
}

#[tokio::test]
async fn where_nobody_tells_the_stored_offset_an_empty_next_is_not_compared() {
    let tcp = Stub::start(Dialect::Classic, |_, _| refused(5000)).await;
    let verdict = bench(&tcp).await.verdict(empty_next()).await;
    let words = ["is not known", "Asked where it began", "5000"];
    expect(&verdict, VerdictKind::NotComparable, &words);
}

#[tokio::test]
async fn a_next_that_commits_is_compared_where_the_ledger_says_it_was_to_begin() {
    let tcp = Stub::start(Dialect::Classic, |_, _| tcp_messages(&answer(2, 1, 0..2))).await;
    let bench = bench(&tcp).await;
    let gave = |offsets| {
        let request = poll(Group, None, Next);
        answered(exchange(0, 0, request, 0), &answer(2, 1, offsets))
    };
    let expected = |offset| {
        Some(ExpectedStart {
            offset,
            learned: "No poll has moved it.".to_owned(),
        })
    };
    let verdict = bench.verdict_of(gave(0..2), expected(0)).await;
    expect(&verdict, VerdictKind::Agree, &["All 2 messages"]);
    assert!(verdict.basis.contains("No poll has moved it."));
    let verdict = bench.verdict_of(gave(1..2), expected(0)).await;
    expect(&verdict, VerdictKind::Diverge, &["began at offset 1"]);
    // Without it the contents alone are compared, and TCP is not asked: the poll
    // has moved what is stored.
    let before = tcp.asked().len();
    let verdict = bench.verdict(gave(0..2)).await;
    assert!(verdict.basis.starts_with("Contents only"));
    assert_eq!(tcp.asked().len(), before);
}
