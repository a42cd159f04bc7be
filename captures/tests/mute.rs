//! What rules mute, and that what is muted is counted apart and not lost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::catalog::{ANSWERS_DIFFER, SAME_FAILURE_AGAIN};
use parallax_captures::limits::VERDICT_DIFFERENCES;
use parallax_captures::verdict::Difference;
use parallax_captures::{
    ConnectionId, Content, Dialect, Exchange, Finding, HttpContent, Journal, Mutes, Poll,
    PollAnswer, Times, Verdict, VerdictKind, json,
};
use parallax_codec::primitives::{ConsumerKind, Identifier, PollingKind};

/// A poll of `otel/metrics` by `sink`, answered for partition 2.
fn poll(partition_id: Option<u32>) -> Exchange {
    let time = Timestamp::UNIX_EPOCH;
    let named = |name: &str| Identifier::Named(name.to_owned());
    Exchange {
        n: 0,
        conn: ConnectionId(1),
        dialect: Dialect::Http,
        times: Times {
            request_first: time,
            request_last: time,
            reply: Some((time, time)),
        },
        content: Content::Http(HttpContent {
            method: "GET".to_owned(),
            target: String::new(),
            http_status: Some(200),
            request_body: Bytes::new(),
            response_body: Bytes::new(),
            poll: Some(Poll {
                consumer_kind: ConsumerKind::Consumer,
                consumer: named("sink"),
                stream: named("otel"),
                topic: named("metrics"),
                partition_id,
                strategy: PollingKind::First,
                value: 0,
                count: 10,
                auto_commit: false,
            }),
            answer: Some(Ok(PollAnswer {
                partition_id: 2,
                current_offset: 0,
                count: 0,
                messages: Vec::new(),
            })),
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

fn unanswered() -> Exchange {
    let mut exchange = poll(None);
    if let Content::Http(content) = &mut exchange.content {
        (content.http_status, content.answer) = (None, None);
    }
    exchange
}

fn diverge(fields: &[&str]) -> Verdict {
    let difference = |field: &&str| Difference {
        field: (*field).to_owned(),
        tcp: "1".to_owned(),
        http: "2".to_owned(),
    };
    Verdict {
        asked_again: None,
        kind: VerdictKind::Diverge,
        reason: String::new(),
        basis: String::new(),
        differences: fields.iter().map(difference).collect(),
        answers: Vec::new(),
        known: Vec::new(),
        muted: None,
    }
}

fn differ(exchange: u64) -> Finding {
    let time = Timestamp::UNIX_EPOCH;
    Finding::new(ANSWERS_DIFFER, "otel/metrics/2", exchange, time, Vec::new())
}

/// A rule for `diverge` and PX105 with these lines besides.
fn rules(lines: &str) -> Mutes {
    let text = format!("[[mute]]\ncodes = [\"diverge\", \"PX105\"]\n{lines}\n");
    Mutes::parse("mute.toml", &text).unwrap()
}

#[test]
fn a_rule_applies_where_all_that_it_names_fits() {
    let verdict = diverge(&["count"]);
    for (lines, applies) in [
        ("", true),
        ("stream = \"otel\"", true),
        (
            "stream = \"ot*\"\ntopic = \"*\"\npartition = 2\nconsumer = \"s*k\"",
            true,
        ),
        ("stream = \"other\"", false),
        ("topic = \"metric\"", false),
        ("topic = \"metrics\"\npartition = 1", false),
        ("consumer = \"sink2\"", false),
        ("field = \"count\"", true),
        ("field = \"current_offset\"", false),
    ] {
        let mutes = rules(lines);
        let exchange = poll(Some(2));
        let muted = mutes.verdict(&exchange, &verdict).is_some();
        assert_eq!(muted, applies, "the verdict, {lines}");
        let muted = mutes.finding(differ(1).code, Some(&exchange), Some(&verdict));
        assert_eq!(muted.is_some(), applies, "the finding, {lines}");
    }
}

#[test]
fn a_code_that_is_not_named_is_not_muted() {
    let mutes = Mutes::parse("mute.toml", "[[mute]]\ncodes = [\"PX105\"]\n").unwrap();
    let exchange = poll(Some(2));
    assert!(mutes.verdict(&exchange, &diverge(&["count"])).is_none());
    let other = Finding {
        code: SAME_FAILURE_AGAIN,
        ..differ(1)
    };
    assert!(mutes.finding(other.code, Some(&exchange), None).is_none());
    assert!(
        Mutes::none()
            .finding(other.code, Some(&exchange), None)
            .is_none()
    );
}

#[test]
fn what_is_not_known_fits_no_rule_that_names_it() {
    let verdict = diverge(&["count"]);
    let in_partition_2 = rules("partition = 2");
    // The reply says which partition it was.
    assert!(in_partition_2.verdict(&poll(None), &verdict).is_some());
    assert!(in_partition_2.verdict(&unanswered(), &verdict).is_none());
    // Of an exchange that is no longer kept nothing is known.
    assert!(in_partition_2.finding(differ(1).code, None, None).is_none());
    assert!(rules("").finding(differ(1).code, None, None).is_some());
    // And of a finding without a comparison no field.
    let field = rules("field = \"*\"");
    let exchange = poll(Some(2));
    assert!(
        field
            .finding(differ(1).code, Some(&exchange), None)
            .is_none()
    );
}

#[test]
fn every_field_that_differs_has_to_be_muted() {
    let exchange = poll(Some(2));
    let both = diverge(&["messages[0].timestamp", "messages[1].checksum"]);
    let timestamps = rules("field = \"messages[*].timestamp\"");
    assert!(timestamps.verdict(&exchange, &both).is_none());
    let only = diverge(&["messages[0].timestamp", "messages[7].timestamp"]);
    assert!(timestamps.verdict(&exchange, &only).is_some());
    let text = "[[mute]]\ncodes = [\"diverge\"]\nfield = \"*.timestamp\"\n\
                [[mute]]\ncodes = [\"diverge\"]\nfield = \"*.checksum\"\n";
    let two_rules = Mutes::parse("mute.toml", text).unwrap();
    assert!(two_rules.verdict(&exchange, &both).is_some());
    // Where the list is full, something else may differ.
    let full = diverge(&vec!["messages[0].timestamp"; VERDICT_DIFFERENCES]);
    assert!(timestamps.verdict(&exchange, &full).is_none());
}

#[test]
fn a_muted_thing_says_which_rule_mutes_it_and_why() {
    let mutes = rules("because = \"old clocks\"");
    let muted = mutes.verdict(&poll(Some(2)), &diverge(&["count"])).unwrap();
    assert_eq!(&*muted, "mute.toml, line 1: old clocks");
}

#[test]
fn muted_findings_and_verdicts_are_counted_apart_and_kept() {
    let journal = Journal::with_limits(2, usize::MAX);
    let n = journal.record(poll(Some(2)));
    let by: parallax_captures::mute::MutedBy = "mute.toml, line 1".into();
    journal.set_verdict(
        n,
        Verdict {
            muted: Some(by.clone()),
            ..diverge(&["count"])
        },
    );
    journal.add_finding(Finding {
        muted: Some(by),
        ..differ(n)
    });
    assert!(journal.findings().is_empty());
    assert_eq!(journal.muted_findings().len(), 1);
    let counts = journal.counts();
    assert_eq!((counts.exchanges, counts.muted), (1, 1));
    assert_eq!(counts.with_verdict(VerdictKind::Diverge), 0);
    assert_eq!(counts.showing_muted(ANSWERS_DIFFER), 1);
    let exchange = json::exchange(&journal.exchange(n).unwrap());
    assert_eq!(exchange["verdict"], "diverge");
    assert_eq!(exchange["verdict_muted"], true);
    assert_eq!(exchange["findings"], serde_json::json!([]));
    assert_eq!(exchange["muted_findings"], serde_json::json!(["PX105"]));
    let finding = json::finding(&journal.muted_findings()[0]);
    assert_eq!(finding["muted"], true);

    // The same, not muted, is another.
    journal.add_finding(differ(n));
    assert_eq!(journal.findings()[0].count, 1);
    assert_eq!(journal.muted_findings()[0].count, 1);
    assert_eq!(journal.counts().showing(ANSWERS_DIFFER), 1);

    // What is dropped is counted no more.
    journal.record(poll(None));
    journal.record(poll(None));
    let counts = journal.counts();
    assert_eq!((counts.exchanges, counts.muted), (2, 0));
    assert_eq!(counts.showing(ANSWERS_DIFFER), 0);
    assert_eq!(counts.showing_muted(ANSWERS_DIFFER), 0);
}
