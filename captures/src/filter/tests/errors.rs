//! What is said of what cannot be understood, and where it points.

use crate::filter::Expression;

#[track_caller]
fn refused(expression: &str, position: usize, words: &str) {
    let error = expression.parse::<Expression>().expect_err(expression);
    assert!(error.message().contains(words), "{expression}: {error}");
    assert_eq!(error.position(), position, "{expression}: {error}");
}

#[test]
fn a_caret_stands_under_the_character() {
    let error = "status = 4100".parse::<Expression>().unwrap_err();
    assert_eq!(error.to_string(), "character 8: write == to compare");
    assert_eq!(error.pointed_out(), "status = 4100\n       ^");
}

#[test]
fn characters_are_counted_not_bytes() {
    refused("topic == \"größe\" and ünknown", 21, "a field is expected");
    refused("topic == \"日本\" stat", 14, "and, or");
}

#[test]
fn an_unknown_field_has_a_suggestion() {
    refused("comand == ping", 0, "did you mean command?");
    refused("status == 0 and topik == \"a\"", 16, "did you mean topic?");
    refused(
        "offset == 24",
        0,
        "request.offset, response.messages.offset",
    );
    refused(
        "response.messages.ofset == 24",
        0,
        "did you mean response.messages.offset?",
    );
    refused("request.permisions == 1", 0, "did you mean permissions?");
    refused("colour", 0, "parallax explain filters");
}

#[test]
fn an_unknown_word_has_a_suggestion() {
    refused("command == pol_messages", 11, "did you mean poll_messages?");
    refused(
        "command == \"pol_messages\"",
        11,
        "did you mean poll_messages?",
    );
    refused("verdict == agreed", 11, "did you mean agree?");
    refused(
        "strategy == earliest",
        12,
        "there are offset, timestamp, first, last, next",
    );
    refused("findings == PX999", 12, "there is no finding PX999");
}

#[test]
fn a_value_that_does_not_fit_is_pointed_at() {
    refused(
        "status == \"abc\"",
        10,
        "status is a number, like 4100, not abc",
    );
    refused("status == abc", 10, "status is a number");
    refused("status == 12abc", 10, "12abc is no number");
    refused("status in {4100, \"x\"}", 17, "status is a number");
    refused(
        "topic == metrics",
        9,
        "text is written in quotes: \"metrics\"",
    );
    refused("auto_commit == yes", 15, "true or false");
    refused("auto_commit == 1", 15, "true or false");
    refused("latency_us > 5min", 13, "ns, us, ms, s, m or h, not min");
    refused("latency_us > 0.5ns", 13, "no whole number of nanoseconds");
    refused("latency_us > \"fast\"", 13, "a duration, like 5ms");
    refused("time > yesterday", 7, "a time, like 2026-11-30T07:05:05Z");
    refused("time > 2026-11-30", 7, "a time is written like");
    refused("topic < \"b\"", 8, "only numbers, durations and times");
    refused("verdict < agree", 10, "only numbers, durations and times");
    refused("status < null", 9, "nothing is less than null");
    refused("status > -1", 9, "no field is less than 0");
    refused("request == 1", 11, "has fields within it");
    refused(
        "status contains \"4\"",
        16,
        "status is a number: contains is for text",
    );
    refused("topic matches metrics", 14, "text is written in quotes");
    refused(
        "n == 340282366920938463463374607431768211456",
        5,
        "at most 128 bits",
    );
}

#[test]
fn what_is_missing_is_named_where_it_is_missing() {
    refused("", 0, "a field is expected at the end");
    refused("status ==", 9, "a value is expected at the end");
    refused("status == 0 and", 15, "a field is expected at the end");
    refused("and status", 0, "a field is expected before and");
    refused("4100 == status", 0, "the field comes first");
    refused("(status == 0", 0, "this ( is never closed");
    refused("(status == 0 status", 13, "a comparison or ) is expected");
    refused("status == 0)", 11, "closes nothing");
    refused("topic == \"metr", 9, "this quote is never closed");
    refused("status in 4100", 10, "a set is expected");
    refused("status in {4100", 15, "a comma or } is expected");
    refused("status in {4100)", 15, "a comma or } is expected");
    refused("status in {}", 11, "a value is expected");
    refused("status not in {1}", 7, "write not before the field");
    refused("topic ~ \"a\"", 6, "write matches");
    refused("status == 0 topic", 12, "and, or");
    refused("topic matches \"(\"", 14, "unclosed group");
}

#[test]
fn what_is_hostile_moves_no_cursor_and_is_cut() {
    let error = "\u{1b}[2J\u{202e} == 1".parse::<Expression>().unwrap_err();
    assert!(!error.pointed_out().contains(['\u{1b}', '\u{202e}']));
    let long = format!(
        "{}status = 1{}",
        "status == 0 or ".repeat(100),
        " or status".repeat(100)
    );
    let error = long.parse::<Expression>().unwrap_err();
    let shown = error.pointed_out();
    let (line, caret) = shown.split_once('\n').unwrap();
    assert!(line.len() < 120, "{line}");
    let column = caret.find('^').unwrap();
    assert_eq!(line.get(column..=column), Some("="), "{shown}");
}
