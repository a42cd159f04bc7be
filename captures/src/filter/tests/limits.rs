//! Every limit of the language, reached.

use crate::filter::{Expression, FilterError};
use crate::limits::{
    FILTER_BYTES, FILTER_CONDITIONS, FILTER_DEPTH, FILTER_PATTERN_BYTES, FILTER_PATTERNS,
};

fn parse(expression: &str) -> Result<Expression, FilterError> {
    expression.parse()
}

#[track_caller]
fn refused(expression: &str, words: &str) {
    let error = parse(expression).unwrap_err();
    assert!(error.message().contains(words), "{error}");
}

#[test]
fn the_length_is_limited() {
    let fits = format!("status{}", " ".repeat(FILTER_BYTES - 6));
    assert!(parse(&fits).is_ok());
    refused(&format!("{fits} "), "at most 4096 bytes");
    refused(&"ü".repeat(FILTER_BYTES), "at most 4096 bytes");
}

#[test]
fn the_depth_is_limited() {
    let nested = |depth: usize| format!("{}status{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&nested(FILTER_DEPTH)).is_ok());
    refused(&nested(FILTER_DEPTH + 1), "deep");
    let negated = |depth: usize| format!("{}status", "!".repeat(depth));
    assert!(parse(&negated(FILTER_DEPTH)).is_ok());
    refused(&negated(FILTER_DEPTH + 1), "deep");
    refused(&"(".repeat(FILTER_BYTES), "deep");
}

#[test]
fn conditions_and_values_are_limited() {
    let joined = |count: usize| vec!["n"; count].join(" or ");
    assert!(parse(&joined(FILTER_CONDITIONS)).is_ok());
    refused(&joined(FILTER_CONDITIONS + 1), "at most 256 conditions");
    // The condition counts as well.
    let set = |count: usize| format!("n in {{{}}}", vec!["1"; count].join(","));
    assert!(parse(&set(FILTER_CONDITIONS - 1)).is_ok());
    refused(&set(FILTER_CONDITIONS), "at most 256 conditions");
}

#[test]
fn regular_expressions_are_limited_in_number_and_size() {
    let joined = |count: usize| vec!["topic matches \"a\""; count].join(" or ");
    assert!(parse(&joined(FILTER_PATTERNS)).is_ok());
    refused(
        &joined(FILTER_PATTERNS + 1),
        "at most 8 regular expressions",
    );
    refused("topic matches \"(a{1000}){1000}\"", "too large");
    refused(
        "topic matches \"\\w{5000}\"",
        &FILTER_PATTERN_BYTES.to_string(),
    );
    let nested = format!("topic matches \"{}{}\"", "(".repeat(500), ")".repeat(500));
    refused(&nested, "this is no regular expression");
}
