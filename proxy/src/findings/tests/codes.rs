use parallax_captures::verdict::{MirrorOutcome, Verdict, VerdictKind};
use parallax_captures::{Exchange, Finding};
use parallax_codec::Request;
use parallax_codec::primitives::ConsumerKind::Consumer;
use parallax_codec::primitives::PollingKind::{First, Next};

use super::mirrored::mirrored_findings;
use super::{NONE, codes, told};
use crate::comparison::sample::{answer, named, refusal};
use crate::comparison::{COMPARED, Plan, TcpOutcome, comparable_poll, outcome, plan, unasked};
use crate::findings::Findings;
use crate::findings::sample::{answered, exchange, poll};

/// First of a consumer on partition 0, answered with nothing at all.
fn blank() -> Exchange {
    let first = exchange(5, 0, poll(Consumer, Some(0), First), 0);
    answered(first, &answer(0, 0, 0..0))
}

#[test]
fn px106_an_empty_answer_on_tcp_where_http_refuses_case_c2() {
    let timeout = r#"{"id":57,"code":"partition_read_timeout","reason":"timed out","field":null}"#;
    let gone = r#"{"id":3007,"code":"partition_not_found","reason":"gone","field":null}"#;
    for (status, body) in [(504, timeout), (404, gone)] {
        let findings = mirrored_findings(&blank(), [outcome(status, body.as_bytes())]);
        assert_eq!(codes(&findings), [106], "HTTP {status}");
        let text = told(&findings, 106);
        assert!(text.contains("no message") && text.contains(&status.to_string()));
    }
}

#[test]
fn px106_is_silent_where_http_answers_or_did_not_get_as_far_as_the_poll() {
    let empty = MirrorOutcome::Answered(answer(0, 0, 0..0));
    assert_eq!(codes(&mirrored_findings(&blank(), [empty])), NONE);
    let iggy = r#"{"id":40,"code":"unauthenticated","reason":"Unauthenticated","field":null}"#;
    for (status, body) in [
        (401, iggy),
        (307, ""),
        (400, "Failed to deserialize query string"),
        (404, "<html>"),
        (413, ""),
        (429, "slow down"),
        (503, ""),
        (504, ""),
    ] {
        let findings = mirrored_findings(&blank(), [outcome(status, body.as_bytes())]);
        assert_eq!(codes(&findings), NONE, "HTTP {status}");
    }
    // Messages hide nothing.
    let full = exchange(5, 0, poll(Consumer, Some(0), First), 0);
    let full = answered(full, &answer(0, 26, 0..10));
    let invalid = refusal(400, Some(4100), "Invalid offset: 24");
    assert_eq!(codes(&mirrored_findings(&full, [invalid])), [105]);
}

#[test]
fn px107_one_failure_under_two_codes_agrees_and_is_named_case_e4() {
    for (tcp, http) in [(20, 3007), (3007, 1009), (2010, 20), (3007, 2011)] {
        let failed = exchange(3, 0, poll(Consumer, Some(9), First), tcp);
        let findings = mirrored_findings(&failed, [refusal(404, Some(http), "not there")]);
        assert_eq!(codes(&findings), [107], "{tcp} and {http}");
        let text = told(&findings, 107);
        assert!(text.contains(&tcp.to_string()) && text.contains(&http.to_string()));
    }
}

#[test]
fn px107_is_silent_on_the_same_code_its_other_spelling_and_another_failure() {
    for (tcp, http, found) in [
        (3007, Some(3007), vec![]),
        // By number and by name.
        (1009, Some(1010), vec![]),
        // Server 0.9 does not say what.
        (3007, None, vec![]),
        (4100, Some(3007), vec![105]),
        (3007, Some(4100), vec![105]),
    ] {
        let failed = exchange(3, 0, poll(Consumer, Some(9), First), tcp);
        let findings = mirrored_findings(&failed, [refusal(404, http, "not there")]);
        assert_eq!(codes(&findings), found, "{tcp} and {http:?}");
    }
}

/// The verdict on a poll that is not asked about, and what it shows.
fn unasked_findings(exchange: &Exchange) -> Vec<Finding> {
    let poll = comparable_poll(exchange, &COMPARED).unwrap();
    let tcp = TcpOutcome::of(exchange).unwrap();
    let Plan::NotComparable(reason) = plan(&poll, &tcp, Some(3), None) else {
        panic!("it is asked about");
    };
    let verdict = unasked(VerdictKind::NotComparable, reason);
    Findings::new().on_verdict(exchange, &verdict)
}

fn of_topic(name: &str) -> Exchange {
    let mut request = poll(Consumer, Some(0), First);
    if let Request::PollMessages(poll) = &mut request {
        poll.topic = named(name);
    }
    answered(exchange(4, 0, request, 0), &answer(0, 26, 0..10))
}

#[test]
fn px108_a_topic_named_like_a_number_is_another_over_http_case_c3() {
    let findings = unasked_findings(&of_topic("7"));
    assert_eq!(codes(&findings), [108]);
    assert!(told(&findings, 108).contains("\"7\""));
    assert_eq!(
        findings[0].place,
        "otel/7/0, consumer qw_sink_metrics: first"
    );
}

#[test]
fn px108_is_silent_on_other_names_and_on_what_is_not_comparable_for_another_reason() {
    for name in ["7a", "a/b", "50%", "Größe 3"] {
        let fine = MirrorOutcome::Answered(answer(0, 26, 0..10));
        let findings = mirrored_findings(&of_topic(name), [fine]);
        assert_eq!(codes(&findings), NONE, "{name}");
    }
    let empty = exchange(4, 0, poll(Consumer, Some(0), Next), 0);
    let empty = answered(empty, &answer(0, 26, 0..0));
    assert_eq!(codes(&unasked_findings(&empty)), NONE);
}

#[test]
fn px901_is_one_finding_for_each_user_and_never_a_divergence_case_c6() {
    let mut findings = Findings::new();
    let found = findings.on_mirror_refused(&blank(), "password of iggy", "HTTP 401");
    assert_eq!(found.code.0, 901);
    assert_eq!(found.place, "the mirror, with the password of iggy");
    assert_eq!(found.evidence, ["HTTP 401"]);
    // The verdict of such a poll shows nothing of the server.
    let verdict: Verdict = unasked(VerdictKind::MirrorFailed, "HTTP 401".to_owned());
    assert_eq!(codes(&findings.on_verdict(&blank(), &verdict)), NONE);
}
