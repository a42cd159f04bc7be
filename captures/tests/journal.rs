//! The journal keeps what it promises, and no more.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::catalog::{ARGUMENT_NOT_ON_WIRE, SAME_FAILURE_AGAIN};
use parallax_captures::limits::{
    CONNECTION_TEXT_BYTES, FINDING_EXCHANGES, JOURNAL_CLOSED_CONNECTIONS, JOURNAL_FINDINGS,
    JOURNAL_SLICE,
};
use parallax_captures::poll::{PollAnswer, PolledMessage, UserHeaders};
use parallax_captures::verdict::{
    AskedAgain, AskedBy, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome,
};
use parallax_captures::{
    BinaryContent, Change, Connection, ConnectionId, Content, Dialect, Exchange, Finding, Journal,
    Times, Verdict, VerdictKind,
};
use parallax_codec::commands::PolledMessages;
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::PollingKind;
use parallax_codec::{Reply, code};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn poll(status: u32) -> Exchange {
    Exchange {
        n: 0,
        conn: ConnectionId(1),
        dialect: Dialect::Classic,
        times: Times {
            request_first: at(0),
            request_last: at(0),
            reply: Some((at(1), at(1))),
        },
        content: Content::Binary(BinaryContent {
            code: code::POLL_MESSAGES,
            request_frame: Bytes::from_static(&[0; 100]),
            request: None,
            status: Some(status),
            reply_frame: Bytes::from_static(&[0; 8]),
            result: None,
            reply: None,
            eviction: None,
        }),
        undecoded: None,
        verdict: None,
        findings: Vec::new(),
        muted_findings: Vec::new(),
        route: None,
        annotation: parallax_captures::Annotation::default(),
        altered: None,
    }
}

fn finding(place: &str, exchange: u64) -> Finding {
    let evidence = vec![format!("seen in {exchange}")];
    Finding::new(SAME_FAILURE_AGAIN, place, exchange, at(0), evidence)
}

fn agree() -> Verdict {
    Verdict {
        kind: VerdictKind::Agree,
        reason: String::new(),
        basis: String::new(),
        differences: Vec::new(),
        answers: Vec::new(),
        asked_again: None,
        known: Vec::new(),
        muted: None,
    }
}

#[test]
fn exchanges_are_numbered_from_one_and_found_by_number() {
    let journal = Journal::new();
    assert_eq!(
        [1, 2, 3],
        [0, 4100, 0].map(|status| journal.record(poll(status)))
    );
    assert_eq!(journal.exchange(2).unwrap().status(), Some(4100));
    assert!(journal.exchange(0).is_none() && journal.exchange(4).is_none());
    assert_eq!(journal.totals().errors, 1);
}

#[test]
fn more_exchanges_than_the_limit_drop_the_oldest_and_count_them() {
    let journal = Journal::with_limits(10, usize::MAX);
    for _ in 0..25 {
        journal.record(poll(0));
    }
    let kept: Vec<_> = journal.exchanges().iter().map(|e| e.n).collect();
    assert_eq!(kept, (16..=25).collect::<Vec<_>>());
    assert_eq!(journal.totals().exchanges_dropped, 15);
    assert!(journal.exchange(15).is_none());
    assert_eq!(journal.exchange(16).unwrap().n, 16);
}

#[test]
fn more_bytes_than_the_limit_drop_the_oldest_but_never_the_newest() {
    let journal = Journal::with_limits(usize::MAX, 1);
    journal.record(poll(0));
    journal.record(poll(0));
    let kept: Vec<_> = journal.exchanges().iter().map(|e| e.n).collect();
    assert_eq!(kept, [2]);
}

/// A verdict that rests on an answer of this many bytes.
fn rests_on(bytes: usize) -> Verdict {
    let message = PolledMessage {
        offset: 0,
        id: 1,
        timestamp: 0,
        origin_timestamp: 0,
        checksum: 0,
        payload: Bytes::from(vec![0; bytes]),
        payload_left_out: 0,
        user_headers: UserHeaders::Decoded(Vec::new()),
    };
    let answer = PollAnswer {
        partition_id: 0,
        current_offset: 0,
        count: 1,
        messages: vec![message],
    };
    let mut verdict = agree();
    verdict.answers.push(MirrorAnswer {
        asked_by: AskedBy::Mirror,
        partition_id: Some(0),
        target: String::new(),
        latency: None,
        times: None,
        outcome: MirrorOutcome::Answered(answer),
    });
    verdict
}

#[test]
fn verdicts_count_among_the_bytes_and_drop_the_oldest_too() {
    const MIB: usize = 1024 * 1024;
    let journal = Journal::with_limits(usize::MAX, 8 * MIB);
    for _ in 0..32 {
        let n = journal.record(poll(4100));
        journal.set_verdict(n, rests_on(MIB));
        assert!(journal.exchanges().len() <= 8);
    }
    assert_eq!(
        journal.exchanges().len(),
        7,
        "7 MiB, and what is around them"
    );
    // What a dropped verdict counted is free again.
    for _ in 0..64 {
        journal.record(poll(0));
    }
    assert_eq!(journal.exchanges().len(), 7 + 64);
    for n in 33..=38 {
        journal.set_verdict(n, rests_on(MIB));
    }
    let kept: Vec<_> = journal.exchanges().iter().map(|e| e.n).collect();
    assert_eq!(kept, (32..=96).collect::<Vec<_>>());
}

#[test]
fn what_both_sides_answered_again_counts_among_the_bytes() {
    const MIB: usize = 1024 * 1024;
    let journal = Journal::with_limits(usize::MAX, 8 * MIB);
    let again = || {
        let answers = rests_on(MIB).answers;
        let MirrorOutcome::Answered(body) = &answers[0].outcome else {
            panic!("{answers:?}");
        };
        let tcp = vec![TcpAnswer {
            partition_id: 0,
            strategy: PollingKind::First,
            value: 0,
            latency: Duration::ZERO,
            times: None,
            outcome: TcpOutcome::Answered(body.clone()),
        }];
        AskedAgain {
            kind: VerdictKind::Agree,
            reason: String::new(),
            differences: Vec::new(),
            tcp_before: tcp.clone(),
            answers,
            tcp_after: tcp,
        }
    };
    for _ in 0..8 {
        let n = journal.record(poll(4100));
        let asked_again = Some(Box::new(again()));
        journal.set_verdict(
            n,
            Verdict {
                asked_again,
                ..agree()
            },
        );
    }
    assert_eq!(journal.exchanges().len(), 2, "3 MiB each");
}

#[test]
fn decoded_messages_count_beside_their_frame() {
    let mut small = poll(0);
    let Content::Binary(content) = &mut small.content else {
        panic!("binary");
    };
    let message = Message {
        header: MessageHeader::default(),
        payload: Bytes::new(),
        user_headers: Bytes::new(),
    };
    content.reply = Some(Reply::PolledMessages(PolledMessages {
        partition_id: 0,
        current_offset: 0,
        count: 1000,
        messages: vec![message; 1000],
        layout: MessageLayout::Undetermined,
        left_over: Bytes::new(),
    }));
    let journal = Journal::with_limits(usize::MAX, 10 * 1000 * size_of::<Message>());
    for _ in 0..20 {
        journal.record(small.clone());
    }
    assert_eq!(journal.exchanges().len(), 9);
}

#[test]
fn a_verdict_or_finding_of_a_dropped_exchange_is_counted_and_harms_nothing() {
    let journal = Journal::with_limits(1, usize::MAX);
    journal.record(poll(0));
    journal.record(poll(0));
    journal.set_verdict(1, agree());
    journal.add_finding(finding("here", 1));
    assert_eq!(journal.totals().verdicts_of(VerdictKind::Agree), 1);
    assert_eq!(journal.findings().len(), 1);
    assert!(journal.exchange(2).unwrap().verdict.is_none());
}

#[test]
fn the_latest_come_newest_first_and_page_by_number() {
    let journal = Journal::new();
    for n in 0..9 {
        journal.record(poll(n % 2));
    }
    let numbers = |before, most| -> Vec<_> {
        let well = |e: &Exchange| e.status() == Some(0);
        let latest = journal.latest(before, most, &well);
        latest.iter().map(|e| e.n).collect()
    };
    assert_eq!(numbers(None, 3), [9, 7, 5]);
    assert_eq!(numbers(Some(5), 3), [3, 1]);
    assert!(numbers(Some(1), 3).is_empty());
}

#[test]
fn a_search_goes_through_every_slice_both_ways() {
    let journal = Journal::new();
    let kept = 2 * JOURNAL_SLICE as u64 + 3;
    for _ in 0..kept {
        journal.record(poll(0));
    }
    let any = |_: &Exchange| true;
    let all = journal.latest(None, usize::MAX, &any);
    let numbers: Vec<_> = all.iter().map(|e| e.n).collect();
    assert_eq!(numbers, (1..=kept).rev().collect::<Vec<_>>());
    let early = |e: &Exchange| e.n <= 2;
    assert_eq!(journal.latest(None, 5, &early).len(), 2);
    let last = |e: &Exchange| e.n == kept;
    assert_eq!(journal.next_after(0, &last).unwrap().n, kept);
    assert!(journal.next_after(kept, &any).is_none());
}

#[test]
fn who_searches_slowly_does_not_hold_up_who_records() {
    let journal = &Journal::new();
    journal.record(poll(0));
    let (searching, is_searching) = std::sync::mpsc::channel();
    let (recorded, is_recorded) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            is_searching.recv().unwrap();
            journal.record(poll(0));
            recorded.send(()).unwrap();
        });
        let slow = |_: &Exchange| {
            searching.send(()).unwrap();
            is_recorded.recv_timeout(Duration::from_secs(20)).is_ok()
        };
        let found = journal.latest(None, 9, &slow);
        assert_eq!(found.len(), 1, "it was recorded while the search looked");
    });
}

#[test]
fn what_is_found_again_at_one_place_is_one_finding_that_counts() {
    let journal = Journal::new();
    for _ in 0..100 {
        let n = journal.record(poll(4100));
        journal.add_finding(finding("otel/metrics", n));
    }
    let found = journal.findings();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].count, 100);
    assert_eq!(found[0].evidence, ["seen in 100"]);
    let named = &found[0].exchanges;
    assert_eq!(named.len(), FINDING_EXCHANGES);
    assert_eq!((named[0], *named.last().unwrap()), (1, 100));
    assert_eq!(journal.exchange(57).unwrap().findings, [SAME_FAILURE_AGAIN]);
}

#[test]
fn graver_findings_come_first() {
    let journal = Journal::new();
    let n = journal.record(poll(4100));
    let late = Finding::new(ARGUMENT_NOT_ON_WIRE, "a", n, at(9), Vec::new());
    journal.add_finding(late);
    journal.add_finding(finding("b", n));
    let codes: Vec<_> = journal.findings().iter().map(|f| f.code).collect();
    assert_eq!(codes, [SAME_FAILURE_AGAIN, ARGUMENT_NOT_ON_WIRE]);
}

#[test]
fn more_findings_than_the_limit_are_counted_as_dropped() {
    let journal = Journal::new();
    for place in 0..JOURNAL_FINDINGS + 2 {
        journal.add_finding(finding(&place.to_string(), 1));
    }
    assert_eq!(journal.findings().len(), JOURNAL_FINDINGS);
    assert_eq!(journal.totals().findings_dropped, 2);
}

#[test]
fn the_longest_closed_connections_are_forgotten_and_open_ones_are_not() {
    let journal = Journal::new();
    let address = "127.0.0.1:1".parse().unwrap();
    let closed = i64::try_from(JOURNAL_CLOSED_CONNECTIONS).unwrap();
    for n in 0..=closed + 1 {
        let id = ConnectionId(u64::try_from(n).unwrap());
        journal.open_connection(Connection::opened(id, address, address, at(n)));
        if n > 0 {
            journal.update_connection(id, |c| c.closed = Some((at(n), "done".to_owned())));
        }
    }
    assert!(journal.connection(ConnectionId(0)).is_some(), "open");
    assert!(
        journal.connection(ConnectionId(1)).is_none(),
        "closed first"
    );
    assert!(journal.connection(ConnectionId(2)).is_some());
}

#[test]
fn latency_is_from_the_requests_first_byte_to_the_replys_last() {
    let journal = Journal::new();
    journal.record(poll(0));
    let latency = journal.exchange(1).unwrap().latency();
    assert_eq!(latency, Some(Duration::from_secs(1)));
    assert_eq!(journal.latencies().series().next().unwrap().2.len(), 1);
}

/// A poll of connection 7 that begins at this second and takes one.
fn attempt(second: i64, status: u32) -> Exchange {
    let mut exchange = poll(status);
    exchange.conn = ConnectionId(7);
    exchange.times = Times {
        request_first: at(second),
        request_last: at(second),
        reply: Some((at(second + 1), at(second + 1))),
    };
    exchange
}

/// How many latencies were recorded, and the longest in whole seconds.
fn latencies(journal: &Journal) -> (u64, u64) {
    let latencies = journal.latencies();
    let (_, _, histogram) = latencies.series().next().unwrap();
    // Within 1 %.
    (histogram.len(), (histogram.max() + 500_000) / 1_000_000)
}

#[test]
fn attempts_that_were_told_not_now_count_as_one_operation_with_its_whole_latency() {
    let journal = Journal::new();
    for second in [0, 2, 4] {
        journal.record(attempt(second, 57));
    }
    journal.record(attempt(8, 0));
    assert_eq!(latencies(&journal), (1, 9));
    journal.record(attempt(20, 0));
    assert_eq!(latencies(&journal), (2, 9), "another poll");
}

#[test]
fn an_operation_that_was_given_up_counts_when_its_connection_ends() {
    let journal = Journal::new();
    let address = "127.0.0.1:8090".parse().unwrap();
    let id = ConnectionId(7);
    journal.open_connection(Connection::opened(id, address, address, at(0)));
    for second in [0, 3] {
        journal.record(attempt(second, 58));
    }
    assert_eq!(journal.latencies().series().count(), 0);
    journal.update_connection(id, |c| c.closed = Some((at(9), "done".to_owned())));
    assert_eq!(latencies(&journal), (1, 4));
}

#[test]
fn every_change_is_announced() {
    let journal = Journal::new();
    let mut changes = journal.changes();
    let n = journal.record(poll(4100));
    journal.set_verdict(n, agree());
    journal.add_finding(finding("here", n));
    let seen: Vec<_> = std::iter::from_fn(|| changes.try_recv().ok()).collect();
    assert_eq!(
        seen,
        [
            Change::Exchange(n),
            Change::Exchange(n),
            Change::Finding(SAME_FAILURE_AGAIN),
            Change::Exchange(n),
        ]
    );
}

#[test]
fn what_a_client_says_of_itself_is_kept_up_to_the_limit() {
    let journal = Journal::new();
    let address = "127.0.0.1:1".parse().unwrap();
    let id = ConnectionId(1);
    journal.open_connection(Connection::opened(id, address, address, at(0)));
    let long = || Some("V".repeat(1_000_000));
    journal.update_connection(id, |connection| {
        connection.user = long();
        connection.client_version = long();
        connection.server_version = long();
    });
    journal.update_connection(id, |connection| connection.bytes_to_server += 1);
    let kept = journal.connection(id).unwrap();
    for text in [kept.user, kept.client_version, kept.server_version] {
        let text = text.unwrap();
        assert_eq!(text.len(), CONNECTION_TEXT_BYTES);
        assert!(text.ends_with("(cut, 1000000 bytes)"), "{text}");
    }
}

#[test]
fn what_is_only_good_to_know_makes_room_for_what_is_wrong() {
    let journal = Journal::new();
    let time = Timestamp::UNIX_EPOCH;
    for place in 0..JOURNAL_FINDINGS {
        let place = format!("reader {place}");
        journal.add_finding(Finding::new(
            ARGUMENT_NOT_ON_WIRE,
            place,
            1,
            time,
            Vec::new(),
        ));
    }
    let wrong = Finding::new(SAME_FAILURE_AGAIN, "sink", 1, time, Vec::new());
    journal.add_finding(wrong.clone());
    journal.add_finding(wrong);
    let findings = journal.findings();
    assert_eq!(findings.len(), JOURNAL_FINDINGS);
    let kept = findings
        .iter()
        .find(|kept| kept.code == SAME_FAILURE_AGAIN)
        .unwrap();
    assert_eq!(kept.count, 2);
    assert_eq!(journal.totals().findings_dropped, 1);
}
