//! The table of fields.

use crate::filter::{Expression, FIELDS, Field, FieldKind};

#[test]
fn every_example_is_an_expression_on_its_field() {
    for entry in FIELDS {
        let parsed: Expression = entry.example.parse().unwrap_or_else(|error| {
            panic!("{}: {error}", entry.example);
        });
        let written = parsed.to_string();
        assert!(written.contains(entry.path), "{written}");
        if let Some(short) = entry.short {
            let by_its_short_name = format!("not {short}");
            let by_its_path = format!("not {}", entry.path);
            let both = [by_its_short_name, by_its_path].map(|text| text.parse::<Expression>());
            assert_eq!(both[0], both[1]);
        }
    }
}

#[test]
fn no_two_fields_have_one_name() {
    let mut names: Vec<_> = FIELDS.iter().map(|entry| entry.path).collect();
    names.extend(FIELDS.iter().filter_map(|entry| entry.short));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn the_vocabulary_is_sorted_and_reachable() {
    let names = crate::filter::vocabulary::NAMES;
    assert!(names.is_sorted());
    for name in names {
        assert!(
            Field::find(&format!("response.options.{name}")).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn every_word_of_a_field_is_one() {
    for entry in FIELDS {
        if let FieldKind::Word(words) = entry.kind {
            for word in words.all() {
                let expression = format!("{} == {word}", entry.path);
                assert_eq!(
                    expression.parse::<Expression>().unwrap().to_string(),
                    expression
                );
            }
        }
    }
}
