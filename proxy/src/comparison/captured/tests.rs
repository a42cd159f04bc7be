//! Captures in which both were polled.

use std::path::Path;

use bytes::Bytes;
use jiff::{Timestamp, ToSpan as _};
use parallax_captures::http_poll::{parse_answer, target};
use parallax_captures::poll::PollAnswer;
use parallax_captures::{
    ConnectionId, Content, Dialect, Exchange, HttpContent, Times, Verdict, VerdictKind,
};
use parallax_codec::Request;
use parallax_codec::commands::TopicRef;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next};
use serde_json::json;

use super::Captured;
use crate::comparison::sample::{answer, named, poll};
use crate::findings::sample as tcp;
use crate::limits::{CAPTURED_CHANGES, CAPTURED_NEAR, CAPTURED_POLLS};
use crate::offline::read_capture;

const BROKEN_SEGMENT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../captures/recorded/broken-segment_server-0.8.0/group-next-4100.pcap"
);

#[test]
fn the_recorded_mystery_is_explained_by_the_http_polls_beside_it() {
    let reading = read_capture(Path::new(BROKEN_SEGMENT)).unwrap();
    let failed: Vec<_> = reading
        .exchanges
        .iter()
        .filter(|exchange| exchange.code().is_some() && exchange.status() == Some(4100))
        .collect();
    assert_eq!(failed.len(), 3, "every third of the nine polls of Next");
    for exchange in &failed {
        let verdict = exchange.verdict.as_ref().unwrap();
        assert_eq!(verdict.kind, VerdictKind::NotComparable);
        for word in [
            "partition 2",
            "Invalid offset: 24",
            "partitions 0 and 1 answer",
        ] {
            assert!(verdict.reason.contains(word), "{}", verdict.reason);
        }
        let codes: Vec<u16> = exchange.findings.iter().map(|code| code.0).collect();
        assert_eq!(codes, [102, 103, 104, 501]);
    }
    let told = |code: u16| {
        let place = "otel/metrics, group qw_sink_metrics: next, 4100 invalid_offset";
        let found = reading.findings.iter();
        let mut found = found.filter(|found| found.code.0 == code && found.place == place);
        found.next().unwrap().evidence.join("; ")
    };
    assert!(told(102).contains("Invalid offset: 24"));
    assert!(told(103).contains("InvalidOffset(0)"));
    assert!(told(104).contains("no partition named, so partition 0: answered"));
    assert!(told(501).contains("3 times"));
    assert!(reading.findings.iter().all(|found| found.code.0 != 101));
    // The polls that succeeded say the same as HTTP, message by message.
    let answered = reading
        .exchanges
        .iter()
        .filter(|exchange| exchange.binary().is_some() && exchange.poll_answer().is_some());
    let verdicts: Vec<_> = answered.filter_map(|e| e.verdict.as_ref()).collect();
    assert!(verdicts.len() >= 3, "{verdicts:?}");
    assert!(
        verdicts
            .iter()
            .all(|verdict| verdict.kind == VerdictKind::Agree)
    );
}

/// A poll of First over HTTP of partition 1, this many seconds after the epoch.
fn http(n: u64, second: i64, messages: &PollAnswer) -> Exchange {
    let listed: Vec<_> = messages
        .messages
        .iter()
        .map(|message| {
            json!({
                "header": {
                    "checksum": message.checksum,
                    "id": message.id.to_string(),
                    "offset": message.offset,
                    "timestamp": message.timestamp,
                    "origin_timestamp": message.origin_timestamp,
                },
                "payload": base64(&message.payload),
                "user_headers": null,
            })
        })
        .collect();
    let body = json!({
        "partition_id": messages.partition_id,
        "current_offset": messages.current_offset,
        "count": messages.count,
        "messages": listed,
    });
    let body = serde_json::to_vec(&body).unwrap();
    let asked = poll(Consumer, Some(messages.partition_id), First);
    request(
        n,
        second,
        HttpContent {
            method: "GET".to_owned(),
            target: target(&asked),
            http_status: Some(200),
            request_body: Bytes::new(),
            answer: parse_answer(200, &body).ok(),
            response_body: Bytes::from(body),
            poll: Some(asked),
        },
    )
}

fn request(n: u64, second: i64, content: HttpContent) -> Exchange {
    let time = Timestamp::from_second(second).unwrap();
    Exchange {
        n,
        conn: ConnectionId(9),
        dialect: Dialect::Http,
        times: Times {
            request_first: time,
            request_last: time,
            reply: Some((time, time + 1.millisecond())),
        },
        content: Content::Http(content),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// The verdict on the one TCP poll among these.
fn verdict(exchanges: &[Exchange]) -> Verdict {
    let mut captured = Captured::default();
    for exchange in exchanges {
        captured.see(exchange);
    }
    let verdicts = exchanges.iter().filter_map(|one| captured.verdict(one));
    let mut verdicts: Vec<_> = verdicts.collect();
    assert_eq!(verdicts.len(), 1);
    verdicts.remove(0)
}

fn expect(verdict: &Verdict, kind: VerdictKind, words: &str) {
    assert_eq!(verdict.kind, kind, "{verdict:?}");
    assert!(verdict.reason.contains(words), "{}", verdict.reason);
}

fn first(n: u64, second: i64, messages: &PollAnswer) -> Exchange {
    let request = tcp::poll(Consumer, Some(1), First);
    tcp::answered(tcp::exchange(n, second, request, 0), messages)
}

#[test]
fn an_http_poll_counts_where_it_is_near_in_time() {
    let ten = answer(1, 26, 0..10);
    let near = i64::try_from(CAPTURED_NEAR.as_secs()).unwrap();
    for second in [-near, near] {
        let seen = verdict(&[first(1, 0, &ten), http(2, second, &ten)]);
        expect(&seen, VerdictKind::Agree, "All 10");
        let told = if second < 0 {
            "60.000 s earlier"
        } else {
            "60.000 s later"
        };
        assert!(seen.basis.contains(told), "{}", seen.basis);
    }
    let failed = || tcp::exchange(1, 0, tcp::poll(Consumer, Some(1), First), 4100);
    for poll in [first(1, 0, &ten), failed()] {
        let seen = verdict(&[poll, http(2, near + 1, &ten)]);
        expect(&seen, VerdictKind::NotComparable, "61.000 s later");
        assert!(seen.answers.is_empty());
    }
    let seen = verdict(&[failed(), http(2, 1, &ten)]);
    expect(&seen, VerdictKind::Diverge, "4100");
    assert!(seen.basis.contains("1.000 s later"), "{}", seen.basis);
}

#[test]
fn polls_before_and_after_a_purge_are_not_compared() {
    let ten = answer(1, 26, 0..10);
    let topic = |topic: &str| TopicRef {
        stream: named("otel"),
        topic: named(topic),
    };
    let purge = |request, status| tcp::exchange(2, 1, request, status);
    let over_http = |target: &str| {
        request(
            2,
            1,
            HttpContent {
                method: "DELETE".to_owned(),
                target: target.to_owned(),
                http_status: Some(204),
                request_body: Bytes::new(),
                response_body: Bytes::new(),
                poll: None,
                answer: None,
            },
        )
    };
    for (between, counts) in [
        (purge(Request::PurgeTopic(topic("metrics")), 0), false),
        (purge(Request::DeleteTopic(topic("metrics")), 0), false),
        (purge(Request::PurgeTopic(topic("traces")), 0), true),
        (purge(Request::PurgeTopic(topic("metrics")), 41), true),
        (over_http("/streams/otel/topics/metrics/purge"), false),
        (over_http("/streams/1/topics/metrics"), false),
        (over_http("/streams/otel/topics/traces/purge"), true),
        (
            over_http("/streams/otel/topics/metrics/consumer-groups/1"),
            true,
        ),
    ] {
        let shown = format!("{:?}", between.content);
        let seen = verdict(&[first(1, 0, &ten), between, http(3, 2, &ten)]);
        if counts {
            assert_eq!(seen.kind, VerdictKind::Agree, "{shown}: {seen:?}");
        } else {
            expect(&seen, VerdictKind::NotComparable, "exchange 2");
        }
    }
    let before = purge(Request::PurgeTopic(topic("metrics")), 0);
    let seen = verdict(&[before, first(1, 5, &ten), http(3, 6, &ten)]);
    expect(&seen, VerdictKind::Agree, "All 10");
}

#[test]
fn no_more_is_said_than_what_both_returned() {
    let next = tcp::poll(Group, None, Next);
    let next = tcp::answered(tcp::exchange(1, 0, next, 0), &answer(1, 26, 5..15));
    let seen = verdict(&[next, http(2, 1, &answer(1, 26, 0..10))]);
    expect(
        &seen,
        VerdictKind::Agree,
        "The 5 messages that both returned",
    );
    assert!(seen.reason.contains("other 5"), "{}", seen.reason);
}

#[test]
fn what_was_gone_when_the_later_one_asked_is_no_divergence() {
    let (old, new) = (answer(1, 200, 0..5), answer(1, 300, 100..105));
    let seen = verdict(&[http(1, 0, &old), first(2, 30, &new)]);
    expect(&seen, VerdictKind::NotComparable, "which HTTP gave");
    let seen = verdict(&[first(1, 0, &old), http(2, 30, &new)]);
    expect(&seen, VerdictKind::NotComparable, "which TCP gave");
    let grown = verdict(&[
        http(1, 0, &answer(1, 2, 0..3)),
        first(2, 10, &answer(1, 4, 0..5)),
    ]);
    expect(&grown, VerdictKind::Stale, "HTTP was asked earlier");
}

#[test]
fn http_polls_that_have_no_room_are_forgotten_and_counted() {
    let one = answer(1, 26, 0..1);
    let mut captured = Captured::default();
    let polls = u64::try_from(CAPTURED_POLLS).unwrap();
    for n in 1..=polls + 3 {
        captured.see(&http(n, 0, &one));
    }
    assert_eq!(captured.forgotten(), 3);
    // What is merely over is not missed.
    captured.settled_before(Timestamp::from_second(1_000).unwrap());
    assert_eq!(captured.forgotten(), 3);
    let late = captured.verdict(&first(polls + 4, 1_000, &one)).unwrap();
    expect(&late, VerdictKind::NotComparable, "1000.000 s earlier");
}

#[test]
fn a_change_that_has_no_room_may_have_been_of_any_topic() {
    let ten = answer(1, 26, 0..10);
    let mut captured = Captured::default();
    captured.see(&http(1, 0, &ten));
    let poll = first(2, 2, &ten);
    let purge = || {
        let topic = TopicRef {
            stream: named("otel"),
            topic: named("traces"),
        };
        tcp::exchange(3, 1, Request::PurgeTopic(topic), 0)
    };
    for _ in 0..CAPTURED_CHANGES {
        captured.see(&purge());
    }
    let seen = captured.verdict(&poll).unwrap();
    assert_eq!(seen.kind, VerdictKind::Agree, "{seen:?}");
    assert_eq!(captured.forgotten(), 0);
    captured.see(&purge());
    assert_eq!(captured.forgotten(), 1);
    let seen = captured.verdict(&poll).unwrap();
    expect(&seen, VerdictKind::NotComparable, "different logs");
}
