//! What is asked, what is not, and what waits.

use super::*;

#[tokio::test]
async fn after_a_failed_poll_of_a_group_every_partition_is_asked() {
    let (address, seen) = server(|request, _| {
        let invalid =
            r#"{"id":4100,"code":"invalid_offset","reason":"Invalid offset: 24","field":"offset"}"#;
        match request.line.as_str() {
            "POST /users/login" => login("t"),
            "GET /streams/otel/topics/metrics" => {
                Json(json!({ "id": 0, "partitions_count": 3 })).into_response()
            }
            line if line.contains("partition_id=2") => {
                (StatusCode::BAD_REQUEST, invalid).into_response()
            }
            line => messages(u32::from(line.contains("partition_id=1"))),
        }
    })
    .await;
    let bench = Bench::logged_in(&address);
    for _ in 0..2 {
        let verdict = bench.verdict(failed_next()).await;
        let words = [
            "partition 2",
            "Invalid offset: 24",
            "partitions 0 and 1 answer",
        ];
        expect(&verdict, VerdictKind::NotComparable, &words);
    }
    let looked = |line: &str| {
        seen.lock()
            .unwrap()
            .iter()
            .filter(|seen| seen.line == line)
            .count()
    };
    assert_eq!(
        looked("GET /streams/otel/topics/metrics"),
        2,
        "the count may have changed since"
    );
    assert_eq!(seen.lock().unwrap().len(), 1 + 2 * (1 + 3));
    let codes: Vec<u16> = bench
        .journal()
        .findings()
        .iter()
        .map(|found| found.code.0)
        .collect();
    assert!(codes.contains(&102) && codes.contains(&104), "{codes:?}");
}

#[tokio::test]
async fn what_cannot_be_compared_is_not_asked() {
    let (address, seen) = server(|_, _| status(500)).await;
    let bench = Bench::logged_in(&address);
    let empty = answered(
        exchange(0, 0, poll(Group, None, Next), 0),
        &answer(0, 26, 0..0),
    );
    expect(
        &bench.verdict(empty).await,
        VerdictKind::NotComparable,
        &["HTTP has no groups"],
    );
    let unanswered = Exchange {
        times: parallax_captures::Times {
            reply: None,
            ..first().times
        },
        ..first()
    };
    expect(
        &bench.verdict(unanswered).await,
        VerdictKind::NotComparable,
        &["not answered"],
    );
    for request in [poll(Consumer, Some(2), Last), Request::Ping] {
        let n = bench.analyst.record(exchange(0, 0, request, 0)).n;
        bench
            .mirror
            .poll(&bench.journal().exchange(n).unwrap(), None);
    }
    assert_eq!(
        bench.mirror.jobs.capacity(),
        MIRROR_QUEUE,
        "not even queued"
    );
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_busy_mirror_counts_what_it_does_not_mirror() {
    let (address, _) = server(|_, _| status(500)).await;
    let bench = Bench::logged_in(&address);
    let n = bench.analyst.record(first()).n;
    let exchange = bench.journal().exchange(n).unwrap();
    // Nothing is taken from the queue meanwhile: this task does not wait.
    for _ in 0..MIRROR_QUEUE + 7 {
        bench.mirror.poll(&exchange, None);
    }
    assert_eq!(bench.journal().totals().polls_not_mirrored, 7);
}

#[tokio::test]
async fn a_poll_that_the_journal_dropped_while_it_waited_is_counted_not_kept() {
    let (address, seen) = server(|_, _| status(500)).await;
    let config = MirrorConfig::new(&address, Some(password())).unwrap();
    let bench = Bench::with_journal(config, Journal::with_limits(1, usize::MAX));
    let n = bench.analyst.record(first()).n;
    let queued = bench.journal().exchange(n).unwrap();
    bench.mirror.poll(&queued, None);
    let dropped = Arc::downgrade(&queued);
    drop(queued);
    bench.analyst.record(exchange(0, 0, Request::Ping, 0));
    assert!(dropped.upgrade().is_none(), "the queue keeps it");
    let counted = async {
        while bench.journal().totals().polls_not_mirrored == 0 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, counted).await.expect("counted");
    assert!(seen.lock().unwrap().is_empty());
}
