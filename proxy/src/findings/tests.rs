//! Each finding: what raises it, and what must not.

use parallax_captures::verdict::{AskedBy, MirrorAnswer, MirrorOutcome, Verdict};
use parallax_captures::{Exchange, Finding};
use parallax_codec::Request;
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next};

use super::Findings;
use super::sample::{answered, exchange, poll, store};
use crate::comparison::sample::{answer, mirrored, refusal};
use crate::comparison::{Plan, TcpOutcome, When, comparable_poll, judge, plan};
use crate::limits::{FAILURES_THAT_REPEAT, REPEATED_REQUESTS, SUCCESSES_THAT_CLEAR};

/// No finding.
const NONE: [u16; 0] = [];

fn codes(findings: &[Finding]) -> Vec<u16> {
    let mut codes: Vec<u16> = findings.iter().map(|finding| finding.code.0).collect();
    codes.sort_unstable();
    codes
}

fn told(findings: &[Finding], code: u16) -> String {
    let finding = findings
        .iter()
        .find(|finding| finding.code.0 == code)
        .unwrap();
    finding.evidence.join("\n")
}

/// What the verdict shows where HTTP gives these outcomes to the questions.
fn mirrored_findings(
    exchange: &Exchange,
    outcomes: impl IntoIterator<Item = MirrorOutcome>,
) -> Vec<Finding> {
    let (poll, tcp) = (
        comparable_poll(exchange).unwrap(),
        TcpOutcome::of(exchange).unwrap(),
    );
    let when = When {
        tcp: exchange.times.request_first,
        http_is_later: true,
    };
    let Plan::Ask(questions) = plan(&poll, &tcp, Some(3)) else {
        panic!("nothing to ask");
    };
    let ids = questions
        .polls
        .iter()
        .map(|poll| poll.partition_id.unwrap());
    let answers = ids
        .zip(outcomes)
        .map(|(id, outcome)| mirrored(id, outcome))
        .collect();
    Findings::new().on_verdict(exchange, &judge(&poll, &tcp, when, &questions, answers))
}

fn ok(partition_id: u32) -> MirrorOutcome {
    MirrorOutcome::Answered(answer(partition_id, 26, 0..10))
}

fn invalid() -> MirrorOutcome {
    refusal(400, Some(4100), "Invalid offset: 24")
}

#[test]
fn px101_the_same_partition_answers_over_http() {
    let failed = exchange(7, 0, poll(Consumer, Some(2), First), 4100);
    let findings = mirrored_findings(&failed, [ok(2)]);
    assert_eq!(codes(&findings), [101]);
    assert_eq!(
        findings[0].place,
        "otel/metrics/2, consumer qw_sink_metrics: first, 4100 invalid_offset"
    );
    assert_eq!(findings[0].exchanges, [7]);
    let text = told(&findings, 101);
    assert!(
        text.contains("4100") && text.contains("first offset 0"),
        "{text}"
    );
    let any = exchange(7, 0, poll(Group, None, First), 4100);
    assert_eq!(
        codes(&mirrored_findings(&any, [ok(0), ok(1), ok(2)])),
        [101]
    );
}

#[test]
fn px101_needs_a_fair_question_that_http_answers() {
    let first = exchange(1, 0, poll(Consumer, Some(2), First), 4100);
    assert_eq!(codes(&mirrored_findings(&first, [invalid()])), [102]);
    let other = refusal(404, Some(3007), "gone");
    assert_eq!(codes(&mirrored_findings(&first, [other])), [105]);
    let failed = MirrorOutcome::Failed("timed out".to_owned());
    assert_eq!(codes(&mirrored_findings(&first, [failed])), NONE);
    // Next is another question: that First answers proves nothing.
    let next = exchange(1, 0, poll(Group, None, Next), 4100);
    assert_eq!(
        codes(&mirrored_findings(&next, [ok(0), ok(1), ok(2)])),
        NONE
    );
    // And a poll that TCP answered has not failed.
    let fine = answered(
        exchange(1, 0, poll(Consumer, Some(2), First), 0),
        &answer(2, 26, 0..10),
    );
    assert_eq!(codes(&mirrored_findings(&fine, [invalid()])), [105]);
}

#[test]
fn px105_tells_what_differs_in_answers_that_both_gave() {
    let first = exchange(3, 0, poll(Consumer, Some(2), First), 0);
    let first = answered(first, &answer(2, 26, 0..10));
    let mut changed = answer(2, 26, 0..10);
    changed.messages[3].id += 1;
    let findings = mirrored_findings(&first, [MirrorOutcome::Answered(changed.clone())]);
    assert_eq!(codes(&findings), [105]);
    assert_eq!(
        findings[0].place,
        "otel/metrics/2, consumer qw_sink_metrics: first"
    );
    assert_eq!(findings[0].exchanges, [3]);
    let text = told(&findings, 105);
    assert!(
        text.contains("messages[3].id: TCP 1003, HTTP 1004"),
        "{text}"
    );
    for message in &mut changed.messages {
        message.id += 1;
    }
    let text = told(
        &mirrored_findings(&first, [MirrorOutcome::Answered(changed)]),
        105,
    );
    assert!(text.contains("5 more differences"), "{text}");
    // A group's poll is about the partition of the reply.
    let next = exchange(4, 0, poll(Group, None, Next), 0);
    let next = answered(next, &answer(1, 26, 0..10));
    let invalid = refusal(400, Some(4100), "Invalid offset: 3");
    let findings = mirrored_findings(&next, [invalid]);
    assert_eq!(
        findings[0].place,
        "otel/metrics/1, group qw_sink_metrics: next"
    );
}

#[test]
fn px105_needs_a_divergence() {
    let first = |messages| {
        let first = exchange(3, 0, poll(Consumer, Some(2), First), 0);
        answered(first, &messages)
    };
    for (tcp, http) in [
        (answer(2, 26, 0..10), ok(2)),
        (answer(2, 2, 0..3), ok(2)),
        (
            answer(2, 26, 0..10),
            MirrorOutcome::Answered(answer(2, 26, 5..15)),
        ),
        (answer(2, 26, 0..10), refusal(504, None, "timed out")),
    ] {
        assert_eq!(codes(&mirrored_findings(&first(tcp), [http])), NONE);
    }
}

#[test]
fn px102_and_px104_name_the_partition_and_the_number() {
    let next = exchange(1, 0, poll(Group, None, Next), 4100);
    let findings = mirrored_findings(&next, [ok(0), ok(1), invalid()]);
    assert_eq!(codes(&findings), [102, 104]);
    let text = told(&findings, 102);
    assert!(
        text.contains("partition 2") && text.contains("Invalid offset: 24"),
        "{text}"
    );
    assert!(text.contains("partition 1: answered"), "{text}");
    let text = told(&findings, 104);
    assert!(
        text.contains("names no partition") && text.contains("to look at"),
        "{text}"
    );
    for code in [102, 104] {
        let text = told(&findings, code);
        assert!(text.contains("likely") && text.contains("First"), "{text}");
    }
    let first = exchange(1, 0, poll(Group, None, First), 4100);
    let findings = mirrored_findings(&first, [ok(0), ok(1), invalid()]);
    assert_eq!(codes(&findings), [102, 104]);
    assert!(!told(&findings, 102).contains("likely"));
}

#[test]
fn px102_needs_an_error_with_a_number() {
    let missing = exchange(1, 0, poll(Consumer, Some(2), First), 4009);
    let same = refusal(400, Some(4009), "Invalid messages count");
    assert_eq!(codes(&mirrored_findings(&missing, [same])), NONE);
    let silent = exchange(1, 0, poll(Consumer, Some(2), First), 4100);
    assert_eq!(
        codes(&mirrored_findings(&silent, [refusal(400, Some(4100), "")])),
        NONE
    );
}

#[test]
fn px102_needs_a_number_that_the_request_does_not_have() {
    for (code, text) in [
        (
            3007,
            "Partition with ID: 2 for topic with ID: 1 was not found.",
        ),
        (
            2010,
            "Topic with ID: metrics for stream with ID: otel was not found.",
        ),
        (1009, "Stream with ID: otel was not found."),
    ] {
        let missing = exchange(1, 0, poll(Consumer, Some(2), First), code);
        let same = refusal(404, Some(code), text);
        assert_eq!(codes(&mirrored_findings(&missing, [same])), NONE, "{code}");
    }
}

#[test]
fn px104_needs_a_poll_that_names_no_partition_and_a_default_one_that_answers() {
    let named = exchange(1, 0, poll(Group, Some(2), First), 4100);
    assert_eq!(codes(&mirrored_findings(&named, [invalid()])), [102]);
    let next = exchange(1, 0, poll(Group, None, Next), 4100);
    let all_but_default = mirrored_findings(&next, [invalid(), ok(1), ok(2)]);
    assert_eq!(codes(&all_but_default), [102]);
}

#[test]
fn px104_speaks_of_the_http_poll_in_the_capture_that_named_no_partition() {
    let next = exchange(1, 0, poll(Group, None, Next), 4100);
    let captured = |n, partition_id, outcome| MirrorAnswer {
        asked_by: AskedBy::Capture(n),
        partition_id,
        target: String::new(),
        latency: None,
        outcome,
    };
    let verdict = Verdict {
        answers: vec![captured(5, None, ok(0)), captured(6, Some(2), invalid())],
        ..crate::comparison::unasked(parallax_captures::VerdictKind::Agree, String::new())
    };
    let findings = Findings::new().on_verdict(&next, &verdict);
    let text = told(&findings, 104);
    assert!(
        text.contains("exchange 5") && text.contains("no partition named"),
        "{text}"
    );
}

#[test]
fn px103_says_that_the_argument_was_never_on_the_wire() {
    let failed = exchange(1, 0, poll(Group, None, Next), 4100);
    let findings = Findings::new().on_exchange(&failed);
    assert_eq!(codes(&findings), [103]);
    let text = told(&findings, 103);
    assert!(
        text.contains("InvalidOffset(0)") && text.contains("never on the wire"),
        "{text}"
    );
    let other = exchange(1, 0, poll(Group, None, Next), 3007);
    let text = told(&Findings::new().on_exchange(&other), 103);
    assert!(text.contains("PartitionNotFound"), "{text}");
}

#[test]
fn px103_needs_an_error_with_an_argument() {
    for status in [0, 40, 4009, 99_999] {
        let done = exchange(1, 0, poll(Group, None, Next), status);
        assert_eq!(codes(&Findings::new().on_exchange(&done)), NONE, "{status}");
    }
}

#[test]
fn a_refused_store_is_the_stores_failure_with_the_offset_that_was_asked() {
    let failed = exchange(1, 0, store(7), 4100);
    let findings = Findings::new().on_exchange(&failed);
    assert_eq!(codes(&findings), [103]);
    let text = told(&findings, 103);
    assert!(text.contains("the store of offset 7"), "{text}");
    assert!(text.contains("not a poll"), "{text}");
    assert!(!text.contains("the poll of"), "{text}");
    assert!(
        comparable_poll(&failed).is_none(),
        "a store is not mirrored"
    );
}

fn run(findings: &mut Findings, statuses: &[u32], request: &Request) -> Vec<Vec<u16>> {
    let mut drawn = Vec::new();
    for (n, status) in (1_u64..).zip(statuses) {
        let second = i64::try_from(n).unwrap() * 10;
        drawn.push(codes(&findings.on_exchange(&exchange(
            n,
            second,
            request.clone(),
            *status,
        ))));
    }
    drawn
}

#[test]
fn px501_every_third_poll_of_a_group_fails_for_ever() {
    let mut findings = Findings::new();
    let request = poll(Group, None, Next);
    let drawn = run(&mut findings, &[0, 0, 4100, 0, 0, 4100, 0, 0], &request);
    assert!(
        drawn.iter().flatten().all(|code| *code == 103),
        "twice is not yet repeated"
    );
    let third = findings.on_exchange(&exchange(9, 90, request.clone(), 4100));
    assert_eq!(codes(&third), [103, 501]);
    let finding = third.iter().find(|finding| finding.code.0 == 501).unwrap();
    assert_eq!(
        (finding.exchanges.as_slice(), finding.count),
        (&[3, 6, 9][..], 3)
    );
    let text = told(&third, 501);
    // Failures at 30, 60 and 90 seconds: two intervals in a minute.
    for word in [
        "3 times since 00:00:30.000 UTC",
        "2.0 a minute",
        "3 of 7 such requests",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let success = findings.on_exchange(&exchange(10, 100, request.clone(), 0));
    assert_eq!(codes(&success), NONE, "never raised on success");
    let fourth = findings.on_exchange(&exchange(11, 110, request, 4100));
    assert_eq!(codes(&fourth), [103, 501]);
    assert_eq!(fourth.last().unwrap().count, 1, "the journal adds up");
}

#[test]
fn px501_takes_the_same_request_and_the_same_error() {
    let mut findings = Findings::new();
    run(
        &mut findings,
        &[4009, 4009, 40, 40],
        &poll(Group, None, Next),
    );
    for other in [
        poll(Group, Some(1), Next),
        poll(Group, None, First),
        poll(Consumer, None, Next),
    ] {
        assert!(codes(&findings.on_exchange(&exchange(9, 90, other, 4009))).is_empty());
    }
    for offset in 0..5 {
        let drawn = codes(&findings.on_exchange(&exchange(offset, 0, store(offset), 4100)));
        assert_eq!(drawn, [103], "another offset is another request");
    }
    assert_eq!(run(&mut findings, &[40], &Request::Ping).concat(), NONE);
}

#[test]
fn px501_ends_with_a_success_of_one_who_reads_one_partition() {
    for request in [
        poll(Consumer, None, Next),
        poll(Group, Some(1), Next),
        Request::Ping,
    ] {
        let drawn = run(&mut Findings::new(), &[40, 40, 0, 40, 40, 0, 40], &request);
        assert_eq!(drawn.concat(), NONE);
        let drawn = run(&mut Findings::new(), &[40, 40, 40], &request);
        assert_eq!(drawn.concat(), [501]);
    }
}

#[test]
fn px501_ends_for_a_group_after_many_successes_in_a_row() {
    let mut findings = Findings::new();
    let request = poll(Group, None, Next);
    run(&mut findings, &[40, 40, 40], &request);
    let enough = usize::try_from(SUCCESSES_THAT_CLEAR).unwrap();
    run(&mut findings, &vec![0; enough], &request);
    assert_eq!(run(&mut findings, &[40, 40], &request).concat(), NONE);
}

#[test]
fn px501_remembers_no_more_requests_than_its_limit() {
    let mut findings = Findings::new();
    let most = u64::try_from(REPEATED_REQUESTS).unwrap();
    for n in 0..most + 10 {
        findings.on_exchange(&exchange(n, 0, store(n), 4100));
    }
    assert_eq!(findings.forgotten(), 10);
    // The latest is still known: two more make three.
    let latest = || exchange(1, 0, store(most + 9), 4100);
    findings.on_exchange(&latest());
    assert_eq!(FAILURES_THAT_REPEAT, 3);
    assert_eq!(codes(&findings.on_exchange(&latest())), [103, 501]);
}

#[test]
fn two_failures_of_one_consumer_are_two_findings() {
    // The journal tells findings apart by code and place, and shows the latest
    // evidence: under one place the first failure would be counted as the second.
    for (one, other) in [
        (
            exchange(1, 0, poll(Consumer, Some(1), First), 3007),
            exchange(2, 1, poll(Consumer, Some(2), First), 4100),
        ),
        (
            exchange(1, 0, poll(Group, None, Next), 5006),
            exchange(2, 1, poll(Group, None, Next), 4100),
        ),
    ] {
        let journal = parallax_captures::Journal::new();
        let mut findings = Findings::new();
        for exchange in [one, other] {
            for finding in findings.on_exchange(&exchange) {
                journal.add_finding(finding);
            }
        }
        let told = journal.findings();
        assert_eq!(told.len(), 2, "{told:?}");
    }
}
