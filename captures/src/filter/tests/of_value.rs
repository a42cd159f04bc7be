//! A condition that is made of a value is fulfilled by what the value is of.

use proptest::prelude::*;

use super::sample;
use crate::exchange::Content;
use crate::filter::{Expression, FIELDS, at_least, equal_to};
use crate::{Annotation, Exchange};
use parallax_codec::Request;
use parallax_codec::primitives::Identifier;

fn fulfils_its_own(exchange: &Exchange) -> usize {
    let mut count = 0;
    for entry in FIELDS {
        let conditions = [
            equal_to(exchange, entry.path),
            at_least(exchange, entry.path),
        ];
        for text in conditions.concat() {
            let condition: Expression = text.parse().unwrap();
            assert!(condition.accepts(exchange), "{text}");
            let negated: Expression = format!("not {text}").parse().unwrap();
            assert!(!negated.accepts(exchange), "not {text}");
            count += 1;
        }
    }
    count
}

#[test]
fn every_value_of_every_kind_of_exchange_has_one_that_it_fulfils() {
    for exchange in sample::all() {
        assert!(fulfils_its_own(&exchange) > 10);
    }
    let poll = sample::poll();
    assert_eq!(equal_to(&poll, "topic"), ["topic == \"metrics\""]);
    assert_eq!(equal_to(&poll, "request.topic"), ["topic == \"metrics\""]);
    assert_eq!(equal_to(&poll, "command"), ["command == poll_messages"]);
    assert_eq!(equal_to(&poll, "partition_id"), ["partition_id == null"]);
    assert_eq!(equal_to(&poll, "nonsense"), Vec::<String>::new());
    assert_eq!(at_least(&poll, "topic"), Vec::<String>::new());
}

proptest! {
    #[test]
    fn whatever_a_topic_is_called(name in any::<String>(), comment in any::<String>()) {
        let mut exchange = sample::poll();
        exchange.annotation = Annotation::new(true, &comment);
        if let Content::Binary(content) = &mut exchange.content
            && let Some(Request::PollMessages(request)) = &mut content.request
        {
            request.topic = Identifier::Named(name);
        }
        prop_assert_eq!(equal_to(&exchange, "topic").len(), 1);
        prop_assert_eq!(equal_to(&exchange, "comment").len(), 1);
        fulfils_its_own(&exchange);
    }
}
