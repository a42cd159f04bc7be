//! Numbers and names that are one thing, and those that may not be.

use parallax_codec::primitives::Identifier;

use super::script::{Script, consumer, named, partition};

#[test]
fn a_stream_by_number_is_the_one_by_name_where_a_reply_said_so() {
    let life = Script::new()
        .describes_stream("otel", 7)
        .next(&consumer(1), &[0, 1], 99)
        .calling(Identifier::Numeric(7), named("metrics"))
        .next(&consumer(1), &[50], 99)
        .life();
    assert_eq!(life.readers[0].deliveries.len(), 2);
    assert_eq!(life.readers[0].gaps.len(), 1);
}

#[test]
fn a_number_that_nobody_explained_is_another() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 99)
        .calling(Identifier::Numeric(7), named("metrics"))
        .next(&consumer(1), &[50], 99)
        .life();
    assert_eq!(life.readers[0].deliveries.len(), 1);
}

#[test]
fn a_number_that_two_names_had_is_neither() {
    let mut script = Script::new();
    script
        .describes_stream("otel", 7)
        .describes_stream("other", 7);
    let names = script.names();
    assert_eq!(names.streams(&named("otel")), [named("otel")]);
    assert_eq!(
        names.streams(&Identifier::Numeric(7)),
        [Identifier::Numeric(7)]
    );
    script.describes_stream("third", 9);
    let (stream, topic) = script
        .names()
        .named(&Identifier::Numeric(9), &partition().topic);
    assert_eq!((stream, topic), (named("third"), named("metrics")));
}
