//! Known differences, met in what real servers answered.

use std::path::Path;

use jiff::Timestamp;
use parallax_captures::known::{
    BARE_NOT_FOUND, BLANK_WHEN_EMPTY, DEFAULT_PARTITION, HEADERS_AS_BASE64, KnownDifference,
    ONE_HEADER_PER_KEY, TOPIC_TEXT_SWAPPED,
};
use parallax_captures::poll::{Poll, PollAnswer};
use parallax_captures::verdict::{MirrorOutcome, Verdict, VerdictKind};
use parallax_captures::{Exchange, json};
use parallax_codec::ErrorCode;
use parallax_codec::primitives::ConsumerKind::Consumer;
use parallax_codec::primitives::PollingKind::First;

use super::sample::{answer, mirrored, named, poll};
use super::{Plan, TcpOutcome, When, judge, outcome, plan};
use crate::offline::{Reading, read_capture};

fn read(name: &str) -> Reading {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    read_capture(&root.join(name)).unwrap()
}

/// What a real server answered over HTTP to the first poll whose target has this
/// in it, as curl printed it while it was recorded: the packet capture ends
/// earlier.
fn http(folder: &str, target: &str) -> MirrorOutcome {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    let printed = std::fs::read_to_string(root.join(folder).join("http.out")).unwrap();
    let mut lines = printed.lines();
    lines
        .find(|line| line.starts_with("GET ") && line.contains(target))
        .unwrap();
    let (body, status) = lines.next().unwrap().rsplit_once(" -> ").unwrap();
    outcome(status.parse().unwrap(), body.as_bytes())
}

/// What a recorded server answered on TCP to the poll of this topic.
fn tcp(folder: &str, topic: &str) -> TcpOutcome {
    let reading = read(&format!("{folder}/polls.pcap"));
    let of_topic = |exchange: &&std::sync::Arc<Exchange>| {
        exchange
            .poll()
            .is_some_and(|poll| poll.topic == named(topic))
    };
    TcpOutcome::of(reading.exchanges.iter().find(of_topic).unwrap()).unwrap()
}

fn verdict(poll: &Poll, tcp: &TcpOutcome, http: MirrorOutcome) -> Verdict {
    let when = When {
        tcp: Timestamp::UNIX_EPOCH,
        http_is_later: true,
    };
    let Plan::Ask(questions) = plan(poll, tcp, Some(3), None) else {
        panic!("nothing to ask");
    };
    let partition = questions.polls[0].partition_id.unwrap();
    judge(poll, tcp, when, &questions, vec![mirrored(partition, http)])
}

fn expect(verdict: &Verdict, kind: VerdictKind, known: &[&'static KnownDifference]) {
    assert_eq!(verdict.kind, kind, "{verdict:?}");
    assert_eq!(verdict.known, known, "{verdict:?}");
    for one in known {
        let said = verdict.reason.contains(one.id) && verdict.reason.contains(one.versions);
        assert!(said, "{}", verdict.reason);
    }
    assert_eq!(
        verdict.reason.contains("Known, harmless"),
        !known.is_empty(),
        "{}",
        verdict.reason
    );
}

fn first(partition_id: u32) -> Poll {
    poll(Consumer, Some(partition_id), First)
}

/// Partition 0 of the recordings ends at offset 26; the poll was answered with
/// nothing.
fn nothing() -> TcpOutcome {
    TcpOutcome::Answered(answer(0, 26, 0..0))
}

#[test]
fn server_0_8_tells_no_current_offset_over_http_where_there_is_no_message() {
    let http = http("http_server-0.8.0", "kind=first&value=0&count=0");
    expect(
        &verdict(&first(0), &nothing(), http),
        VerdictKind::Agree,
        &[&BLANK_WHEN_EMPTY],
    );
}

#[test]
fn server_0_9_tells_it_so_that_nothing_is_to_be_known() {
    let http = http("http_server-0.9-edge", "kind=first&value=0&count=0");
    expect(
        &verdict(&first(0), &nothing(), http),
        VerdictKind::Agree,
        &[],
    );
}

#[test]
fn both_servers_agree_about_an_empty_topic() {
    for folder in ["http_server-0.8.0", "http_server-0.9-edge"] {
        let http = http(folder, "/topics/empty/messages");
        let tcp = TcpOutcome::Answered(answer(0, 0, 0..0));
        expect(&verdict(&first(0), &tcp, http), VerdictKind::Agree, &[]);
    }
}

#[test]
fn an_unknown_topic_is_swapped_with_its_stream_on_0_8_and_not_named_at_all_on_0_9() {
    for (recorded, http_folder, known) in [
        (
            "server-0.8.0_sdk-0.10.0",
            "http_server-0.8.0",
            &TOPIC_TEXT_SWAPPED,
        ),
        (
            "server-0.9-edge_sdk-0.11-edge",
            "http_server-0.9-edge",
            &BARE_NOT_FOUND,
        ),
    ] {
        let tcp = tcp(recorded, "nope");
        assert_eq!(tcp, TcpOutcome::Refused(ErrorCode(2010)));
        let poll = Poll {
            topic: named("nope"),
            ..first(0)
        };
        let seen = verdict(&poll, &tcp, http(http_folder, "/topics/nope/messages"));
        expect(&seen, VerdictKind::Agree, &[known]);
    }
}

#[test]
fn an_unknown_partition_has_the_same_code_both_ways() {
    for folder in ["http_server-0.8.0", "http_server-0.9-edge"] {
        let tcp = TcpOutcome::Refused(ErrorCode::PARTITION_NOT_FOUND);
        let seen = verdict(&first(99), &tcp, http(folder, "partition_id=99"));
        expect(&seen, VerdictKind::Agree, &[]);
    }
}

#[test]
fn an_http_poll_of_the_default_partition_is_known_for_what_it_is() {
    let reading = read("broken-segment_server-0.8.0/group-next-4100.pcap");
    let judged = |exchange: &&std::sync::Arc<Exchange>| {
        exchange.verdict.is_some() && exchange.status() == Some(4100)
    };
    let exchange = reading.exchanges.iter().find(judged).unwrap();
    let verdict = exchange.verdict.as_ref().unwrap();
    assert_eq!(verdict.known, [&DEFAULT_PARTITION]);
    assert!(verdict.reason.contains("http_default_partition"));
    let known = &json::exchange(exchange)["comparison"]["known"];
    assert_eq!(known[0]["id"], "http_default_partition");
    assert!(known[0]["versions"].is_string() && known[0]["what"].is_string());
}

#[test]
fn headers_that_only_look_different_are_known() {
    let with = |headers: &str| -> PollAnswer {
        let body = format!(
            r#"{{"partition_id":0,"current_offset":0,"count":1,"messages":[{{"header":
            {{"checksum":1,"id":1,"offset":0,"timestamp":1,"origin_timestamp":1}},"payload":"eA==",
            "user_headers":{headers}}}]}}"#
        );
        match outcome(200, body.as_bytes()) {
            MirrorOutcome::Answered(answer) => answer,
            other => panic!("{other:?}"),
        }
    };
    let pair = |value: &str| {
        let value = format!(r#"{{"kind":"string","value":"{value}"}}"#);
        format!(r#"{{"key":{{"kind":"string","value":"YQ=="}},"value":{value}}}"#)
    };
    let twice = with(&format!("[{},{}]", pair("MQ=="), pair("Mg==")));
    let last = with(&format!("[{}]", pair("Mg==")));
    let encrypted = with(r#""//79""#);
    let first = first(0);
    let judged = |tcp: &PollAnswer, http: &PollAnswer| {
        let http = MirrorOutcome::Answered(http.clone());
        verdict(&first, &TcpOutcome::Answered(tcp.clone()), http)
    };
    expect(
        &judged(&twice, &last),
        VerdictKind::Agree,
        &[&ONE_HEADER_PER_KEY],
    );
    expect(
        &judged(&encrypted, &encrypted),
        VerdictKind::Agree,
        &[&HEADERS_AS_BASE64],
    );
    expect(&judged(&last, &last), VerdictKind::Agree, &[]);
    // None of them excuses what really differs.
    expect(&judged(&last, &encrypted), VerdictKind::Diverge, &[]);
}
