//! What sentences of the language mean.

use super::sample::{self, http_poll, poll, refused, verdict};
use crate::filter::Expression;
use crate::{Exchange, FindingCode};

fn holds(expression: &str, exchange: &Exchange) -> bool {
    let parsed: Expression = expression.parse().unwrap_or_else(|error| {
        panic!("{error}: {expression}");
    });
    parsed.accepts(exchange)
}

#[track_caller]
fn all_hold(exchange: &Exchange, expressions: &[&str]) {
    for expression in expressions {
        assert!(holds(expression, exchange), "{expression}");
    }
}

#[track_caller]
fn none_holds(exchange: &Exchange, expressions: &[&str]) {
    for expression in expressions {
        assert!(!holds(expression, exchange), "{expression}");
    }
}

#[test]
fn a_poll_is_found_by_what_it_asked_and_was_answered() {
    all_hold(
        &refused(),
        &[
            r#"command == poll_messages and status == 4100 and topic == "metrics""#,
            r#"command==poll_messages&&status==4100&&topic=="metrics""#,
            "error == invalid_offset",
            "code == 100 and conn == 3 and n == 7",
            "strategy == next and consumer_kind == group and count == 100",
            "auto_commit == true and auto_commit",
            "request.stream == 'otel' and stream == \"otel\"",
        ],
    );
    none_holds(
        &refused(),
        &[
            "status == 0",
            r#"topic == "Metrics""#,
            "strategy == first",
            "auto_commit == false",
            "command != poll_messages",
        ],
    );
}

#[test]
fn and_binds_closer_than_or_and_not_closest() {
    let poll = poll();
    all_hold(
        &poll,
        &[
            "status == 0 or status == 1 and status == 2",
            "not status == 1 and status == 0",
            "!status == 1 && status == 0",
            "not (status == 0 and conn == 9)",
            "not not status == 0",
            "status == 1 || (status == 0)",
        ],
    );
    none_holds(
        &poll,
        &[
            "(status == 0 or status == 1) and status == 2",
            "not (status == 1 or status == 0)",
        ],
    );
}

#[test]
fn a_duration_has_a_unit_or_is_in_microseconds() {
    // 5,250 microseconds.
    all_hold(
        &poll(),
        &[
            "latency_us > 5ms",
            "latency_us == 5.25ms",
            "latency_us == 5250",
            "latency_us >= 5250us and latency_us <= 5250µs",
            "latency_us < 5.2501ms",
            "latency_us < 1s and latency_us < 1m and latency_us < 1h",
            "latency_us > 5249999ns",
            "latency_us in {5250, 1ms}",
        ],
    );
    none_holds(&poll(), &["latency_us > 5250", "latency_us > 5.25ms"]);
}

#[test]
fn a_time_is_compared_to_the_nanosecond() {
    all_hold(
        &poll(),
        &[
            "time == 2026-11-30T07:05:05.684652Z",
            "time == 2026-11-30T08:05:05.684652+01:00",
            "time > \"2026-11-30T07:05:05.684651999Z\"",
            // Microseconds since 1970.
            "response.messages.timestamp > 2026-11-30T07:05:04Z",
            "response.messages.timestamp == 1796022304152946",
            "response.messages.timestamp < 1796022304152947",
        ],
    );
    none_holds(&poll(), &["time < 2026-11-30T07:05:05Z"]);
}

#[test]
fn large_numbers_are_exact() {
    // In JSON they are strings.
    all_hold(
        &poll(),
        &[
            "response.messages.id == 340282366920938463463374607431768211455",
            "response.messages.id == \"340282366920938463463374607431768211453\"",
            "response.messages.checksum == 18446744073709551613",
            "not response.messages.id == 340282366920938463463374607431768211450",
            "response.messages.checksum > 18446744073709551614",
        ],
    );
    none_holds(
        &poll(),
        &["response.messages.checksum > 18446744073709551615"],
    );
}

#[test]
fn a_name_of_digits_is_not_the_number() {
    let store = &sample::all()[4];
    all_hold(
        store,
        &[
            "topic == \"7\"",
            "consumer == 7",
            "stream == 1",
            "topic != 7",
        ],
    );
    none_holds(
        store,
        &["topic == 7", "consumer == \"7\"", "stream == \"1\""],
    );
}

#[test]
fn of_many_values_any_will_do_but_different_are_only_all() {
    let mut poll = poll();
    poll.findings = vec![FindingCode(101), FindingCode(104)];
    all_hold(
        &poll,
        &[
            "response.messages.offset == 0",
            "response.messages.offset == 2",
            "response.messages.offset != 3",
            "response.messages.offset in {9, 2}",
            "findings == PX104",
            "findings == px101",
            "findings contains \"PX1\"",
            "findings in (PX101, PX203)",
            "findings",
        ],
    );
    none_holds(
        &poll,
        &[
            "response.messages.offset == 3",
            "response.messages.offset != 1",
            "findings != PX104",
            "findings == PX203",
        ],
    );
    none_holds(
        &refused(),
        &["findings", "findings == PX101", "findings != PX101"],
    );
}

#[test]
fn what_is_missing_or_null_compares_as_nothing() {
    // No verdict; no partition named; no reply body.
    let refused = refused();
    none_holds(
        &refused,
        &[
            "verdict == agree",
            "verdict != agree",
            "partition_id == 0",
            "partition_id != 0",
            "partition_id < 5",
            "verdict",
            "partition_id",
            "response",
            "current_offset == 0",
            "current_offset != 0",
            "current_offset == null",
            "current_offset != null",
            "verdict != null",
            "comparison.reason == null",
            "undecoded",
        ],
    );
    all_hold(
        &refused,
        &[
            "verdict == null",
            "partition_id == null",
            "status != null",
            "partition_id in {0, null}",
            "not verdict == agree",
            "not partition_id == 0",
            "not current_offset == 0",
        ],
    );
}

#[test]
fn a_field_alone_is_whether_there_is_something() {
    // 0 is something.
    all_hold(
        &poll(),
        &[
            "status",
            "request",
            "response",
            "messages",
            "response.count",
            "layout.partition or not layout.partition",
        ],
    );
    none_holds(
        &poll(),
        &[
            "error",
            "verdict_muted",
            "request.offset",
            "request.messages",
        ],
    );
}

#[test]
fn contains_minds_case_and_matches_does_not() {
    all_hold(
        &refused(),
        &[
            "topic contains \"etri\"",
            "topic matches \"^METR\"",
            "consumer matches '^qw_.*metrics$'",
            r#"topic matches "^\w+$""#,
            "command contains \"poll\"",
            "command matches \"^poll_\"",
            "error contains offset",
        ],
    );
    none_holds(
        &refused(),
        &[
            "topic contains \"METR\"",
            "topic matches \"(?-i)^METR\"",
            "topic matches \"^etri\"",
            "verdict contains \"a\"",
            "verdict matches \"\"",
        ],
    );
}

#[test]
fn what_was_compared_can_be_asked_for() {
    let mut judged = poll();
    judged.verdict = Some(verdict());
    all_hold(
        &judged,
        &[
            "verdict == diverge",
            "verdict in {stale, diverge}",
            "comparison.reason contains \"HTTP refuses\"",
            "comparison.answers.http_status == 400",
            "comparison.answers.error == \"invalid_offset\"",
            "comparison.differences.field == \"status\"",
            "comparison",
            "comparison.asked_again == null",
        ],
    );
}

#[test]
fn http_is_asked_with_the_same_fields() {
    let poll = http_poll(Ok(crate::PollAnswer::from(&sample::answer(2, 1..3))));
    all_hold(
        &poll,
        &[
            "dialect == http and command == poll_messages and code == null",
            "partition_id == 2 and response.partition_id == 2",
            "response.messages.offset == 1 and response.count == 2",
            "method == \"GET\" and http_status == 200",
            "response.messages.user_headers.key == \"trace-id\"",
        ],
    );
}

#[test]
fn fields_of_other_commands_have_their_paths() {
    let all = sample::all();
    all_hold(
        &all[4],
        &[
            "request.offset == 18446744073709551615",
            "error == unknown_70000",
        ],
    );
    all_hold(
        &all[6],
        &["request.name == \"otel\"", "command == create_stream"],
    );
    all_hold(
        &all[7],
        &["response.stored_offset == 24", "stored_offset < 26"],
    );
    all_hold(
        &all[10],
        &[
            "response.eviction",
            "response.reason == 9",
            "response.reason < 9.5",
        ],
    );
    all_hold(
        &all[12],
        &[
            "command == unknown_9999",
            "latency_us == null",
            "status == null",
        ],
    );
}

#[test]
fn a_backslash_escapes_quotes_and_itself_alone() {
    let topic = |name: &str| {
        let request =
            parallax_codec::Request::PollMessages(sample::question(sample::named(name), None));
        sample::binary(100, Some(request), Some(0), None)
    };
    assert!(holds(r#"topic == "a\"b""#, &topic("a\"b")));
    assert!(holds(r#"topic == 'a"b'"#, &topic("a\"b")));
    assert!(holds(r#"topic == "a\\b""#, &topic("a\\b")));
    assert!(holds(r#"topic == "a\d""#, &topic("a\\d")));
    assert!(holds(r#"topic matches "a\.b""#, &topic("a.b")));
    assert!(!holds(r#"topic matches "a\.b""#, &topic("axb")));
}
