//! Reading an exchange field by field is the same as reading its JSON; what is
//! written parses back.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::sample;
use crate::filter::FIELDS;
use crate::filter::expression::{Comparison, Expression, Pattern};
use crate::filter::field::{Field, FieldKind};
use crate::filter::literal::{Literal, Number};
use crate::filter::read::walk;
use crate::{Exchange, json};

/// What the whole JSON of the exchange says.
fn accepts_json(expression: &Expression, exchange: &Exchange) -> bool {
    let value = json::exchange(exchange);
    expression.holds(&|field, visit| walk(&value, Some(field.path()), visit))
}

fn any_field() -> impl Strategy<Value = Field> {
    let mut paths: Vec<_> = FIELDS.iter().map(|entry| entry.path).collect();
    paths.extend([
        "request.messages.checksum",
        "request.permissions.manage_users",
        "response.messages.user_headers.value_kind",
        "response.body.bytes",
        "response.frame_length",
        "response.accepts_protocol_from",
        "comparison.answers.error",
        "comparison.answers.target",
        "comparison.known",
        "comparison.muted_by",
    ]);
    select(paths).prop_map(|path| Field::find(path).unwrap())
}

fn any_text() -> impl Strategy<Value = String> {
    let known = [
        "",
        "otel",
        "metrics",
        "7",
        "qw_sink_metrics",
        "GET",
        "Invalid offset: 24",
        "status",
    ];
    prop_oneof![
        select(known.to_vec()).prop_map(str::to_owned),
        any::<String>()
    ]
}

fn any_number() -> impl Strategy<Value = Number> {
    let known = [0_u128, 1, 2, 3, 7, 9, 24, 26, 100, 400, 4100, 5_250, 256];
    prop_oneof![
        4 => select(known.to_vec()).prop_map(Number::whole),
        1 => any::<u128>().prop_map(Number::whole),
        1 => (0_u8..6).prop_map(|back| Number::whole(u128::MAX - u128::from(back))),
        1 => (0_u64..6).prop_map(|back| Number::whole((u64::MAX - back).into())),
        1 => (0..2_000_u32, 0..2_000_u32)
            .prop_map(|(whole, part)| Number::parse(&whole.to_string(), &part.to_string()).unwrap()),
    ]
}

fn any_time() -> impl Strategy<Value = Literal> {
    (-2_000_000_i64..2_000_000, 0..2_i32).prop_map(|(micros, nanos)| {
        let near = sample::time().as_microsecond() + micros / 1_000;
        let time = jiff::Timestamp::from_microsecond(near).unwrap();
        Literal::Time(time + jiff::SignedDuration::new(0, nanos))
    })
}

/// A value that fits the kind.
fn any_literal(kind: FieldKind) -> BoxedStrategy<Literal> {
    let number = any_number().prop_map(Literal::Number);
    let text = any_text().prop_map(Literal::Text);
    let fits: BoxedStrategy<Literal> = match kind {
        FieldKind::Any => prop_oneof![number, text, any::<bool>().prop_map(Literal::Flag)].boxed(),
        FieldKind::Duration => prop_oneof![Just(5_250_000_u128), 0..10_000_000_u128]
            .prop_map(Literal::Duration)
            .boxed(),
        FieldKind::Flag => any::<bool>().prop_map(Literal::Flag).boxed(),
        FieldKind::Identifier => prop_oneof![number, text].boxed(),
        FieldKind::Number => number.boxed(),
        FieldKind::Text => text.boxed(),
        FieldKind::Time => any_time().boxed(),
        FieldKind::Timestamp => {
            let micros = (1_796_022_304_152_270..1_796_022_304_152_950_u128)
                .prop_map(|micros| Literal::Number(Number::whole(micros)));
            prop_oneof![any_time(), micros].boxed()
        }
        FieldKind::Word(words) => select(words.all()).prop_map(Literal::Text).boxed(),
        FieldKind::Group => unreachable!("groups are compared with nothing"),
    };
    prop_oneof![9 => fits, 1 => Just(Literal::Null)].boxed()
}

fn any_condition() -> impl Strategy<Value = Expression> {
    (any_field(), any::<Index>()).prop_flat_map(|(field, which)| {
        let kind = field.kind();
        if kind == FieldKind::Group || which.index(6) == 0 {
            return Just(Expression::Present(field)).boxed();
        }
        let has_text = matches!(
            kind,
            FieldKind::Any | FieldKind::Identifier | FieldKind::Text | FieldKind::Word(_)
        );
        if has_text && which.index(6) == 1 {
            return any_text()
                .prop_map(move |text| Expression::Contains(field.clone(), text))
                .boxed();
        }
        if has_text && which.index(6) == 2 {
            return any_text()
                .prop_map(move |text| {
                    let pattern = Pattern::new(regex::escape(&text)).unwrap();
                    Expression::Matches(field.clone(), pattern)
                })
                .boxed();
        }
        if which.index(6) == 3 {
            let literals = prop::collection::vec(any_literal(kind), 1..4);
            return literals
                .prop_map(move |literals| Expression::OneOf(field.clone(), literals))
                .boxed();
        }
        (any_literal(kind), select(&Comparison::ALL))
            .prop_map(move |(literal, comparison)| {
                let ordered = matches!(
                    literal,
                    Literal::Number(_) | Literal::Duration(_) | Literal::Time(_)
                );
                let comparison = if comparison.is_order() && !ordered {
                    Comparison::Equal
                } else {
                    comparison
                };
                Expression::Compare(field.clone(), comparison, literal)
            })
            .boxed()
    })
}

pub(super) fn any_expression() -> impl Strategy<Value = Expression> {
    any_condition().prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::Or),
            inner.prop_map(|inner| Expression::Not(Box::new(inner))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn reading_fields_is_reading_the_json(expression in any_expression()) {
        for exchange in sample::all() {
            prop_assert_eq!(
                expression.accepts(&exchange),
                accepts_json(&expression, &exchange),
                "{}: {}", &expression, json::exchange(&exchange)
            );
        }
    }

    #[test]
    fn what_is_written_parses_back(expression in any_expression()) {
        let written = expression.to_string();
        prop_assume!(written.len() <= crate::limits::FILTER_BYTES);
        prop_assume!(written.matches(" matches ").count() <= crate::limits::FILTER_PATTERNS);
        match written.parse::<Expression>() {
            Ok(parsed) => prop_assert_eq!(parsed, expression),
            Err(error) => prop_assert!(false, "{}\n{}", error, error.pointed_out()),
        }
    }

    #[test]
    fn nothing_written_panics(text in "\\PC{0,40}|[a-z_.=<>!&|(){}\", 0-9]{0,40}") {
        if let Err(error) = text.parse::<Expression>() {
            prop_assert!(error.position() <= text.chars().count());
            prop_assert!(error.pointed_out().lines().count() == 2);
        }
    }
}
