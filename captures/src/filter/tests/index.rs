//! What an index finds is what an expression accepts.

use proptest::prelude::*;

use super::property::any_expression;
use super::sample;
use crate::filter::Expression;
use crate::journal::Wanted as _;
use crate::recording::found;
use crate::{Condition, Exchange};

/// Every sample, under a number of its own.
fn samples() -> Vec<Exchange> {
    let mut samples = sample::all();
    for (n, exchange) in (1..).zip(&mut samples) {
        exchange.n = n;
    }
    samples
}

/// What the index finds, and what the expression accepts.
fn both(expression: &Expression) -> ((Vec<u64>, bool), Vec<u64>) {
    let samples = samples();
    let accepted = samples.iter().filter(|one| expression.accepts(one));
    let accepted = accepted.map(|one| one.n).collect();
    (found(samples, &expression.condition()), accepted)
}

#[test]
fn the_usual_conditions_are_decided_by_the_index_alone() {
    for text in [
        "command == poll_messages and status == 4100 and topic == \"metrics\"",
        "status > 0 and status != 5006",
        "code in {100, 121}",
        "verdict in {diverge, stale} and not verdict_muted",
        "findings == PX104 or muted_findings == PX105",
        "latency_us > 5ms",
        "conn == 3 and n >= 2",
        "stream == 7 or stream == \"7\"",
        "consumer_kind == group and strategy == next and partition_id != 1",
        "status == null or error == invalid_offset",
        "not (dialect == vsr)",
        "latency_us",
    ] {
        let expression: Expression = text.parse().unwrap();
        let ((found, exact), accepted) = both(&expression);
        assert!(exact, "{text}");
        assert_eq!(found, accepted, "{text}");
    }
}

#[test]
fn what_the_index_does_not_have_is_narrowed_and_not_decided() {
    let text = "command == poll_messages and response.messages.offset == 24";
    let expression: Expression = text.parse().unwrap();
    let ((found, exact), accepted) = both(&expression);
    assert!(!exact && found.len() < samples().len());
    assert!(accepted.iter().all(|n| found.contains(n)));
    assert_eq!(
        Condition::Unknown,
        "undecoded".parse::<Expression>().unwrap().condition()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_index_finds_all_that_an_expression_accepts_and_where_it_can_tell_no_more(
        expression in any_expression()
    ) {
        let ((found, exact), accepted) = both(&expression);
        if exact {
            prop_assert_eq!(found, accepted, "{}", &expression);
        } else {
            prop_assert!(accepted.iter().all(|n| found.contains(n)), "{}", &expression);
        }
    }
}
