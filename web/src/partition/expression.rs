//! The filter for the exchanges of a partition, by the names that are shown.

use parallax_captures::filter::Literal;
use parallax_captures::partition::Partition;
use parallax_codec::primitives::Identifier;

/// Requests that name the partition, and polls whose reply does.
pub(crate) fn of_partition(partition: &Partition) -> String {
    let topic = of_topic(&partition.stream, &partition.topic);
    let id = partition.id;
    format!("{topic} and (partition_id == {id} or response.partition_id == {id})")
}

/// What failed on a topic without naming a partition.
pub(crate) fn of_unknown(stream: &Identifier, topic: &Identifier) -> String {
    let topic = of_topic(stream, topic);
    format!("{topic} and partition_id == null and not response")
}

fn of_topic(stream: &Identifier, topic: &Identifier) -> String {
    format!("stream == {} and topic == {}", value(stream), value(topic))
}

fn value(identifier: &Identifier) -> String {
    match identifier {
        Identifier::Numeric(number) => number.to_string(),
        Identifier::Named(name) => Literal::Text(name.clone()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use parallax_captures::filter::Expression;

    use super::*;

    #[test]
    fn every_name_makes_an_expression_that_is_understood() {
        for name in ["otel", "7", "a\"b\\", "\u{202e}x"] {
            let stream = Identifier::Named(name.to_owned());
            let topic = Identifier::Numeric(7);
            assert!(of_unknown(&stream, &topic).parse::<Expression>().is_ok());
            let id = 2;
            let partition = Partition { stream, topic, id };
            assert!(of_partition(&partition).parse::<Expression>().is_ok());
        }
    }
}
