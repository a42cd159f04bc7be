use parallax_captures::verdict::{AskedBy, MirrorAnswer, MirrorOutcome, Verdict};
use parallax_captures::{Exchange, Finding, VerdictKind};
use parallax_codec::primitives::ConsumerKind::{Consumer, Group};
use parallax_codec::primitives::PollingKind::{First, Next};

use super::{NONE, codes, told};
use crate::comparison::sample::{answer, mirrored, refusal};
use crate::comparison::{COMPARED, Plan, TcpOutcome, When, comparable_poll, judge, plan, unasked};
use crate::findings::Findings;
use crate::findings::sample::{answered, exchange, poll};

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
        times: None,
        outcome,
    };
    let verdict = Verdict {
        answers: vec![captured(5, None, ok(0)), captured(6, Some(2), invalid())],
        ..unasked(VerdictKind::Agree, String::new())
    };
    let findings = Findings::new().on_verdict(&next, &verdict);
    let text = told(&findings, 104);
    assert!(
        text.contains("exchange 5") && text.contains("no partition named"),
        "{text}"
    );
}

/// What the verdict shows where HTTP gives these outcomes to the questions.
pub(super) fn mirrored_findings(
    exchange: &Exchange,
    outcomes: impl IntoIterator<Item = MirrorOutcome>,
) -> Vec<Finding> {
    let (poll, tcp) = (
        comparable_poll(exchange, &COMPARED).unwrap(),
        TcpOutcome::of(exchange).unwrap(),
    );
    let when = When {
        tcp: exchange.times.request_first,
        http_is_later: true,
    };
    let Plan::Ask(questions) = plan(&poll, &tcp, Some(3), None) else {
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
