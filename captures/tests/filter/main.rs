//! The laws that fuzzing holds filters to, over what users may type.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod laws;

use parallax_captures::filter::FIELDS;

#[test]
fn every_example_cut_and_joined_anywhere_keeps_the_laws() {
    let examples: Vec<_> = FIELDS.iter().map(|entry| entry.example).collect();
    for (one, other) in examples.iter().zip(examples.iter().skip(1)) {
        let joined = format!("not ({one}) && {other} or {one}");
        laws::filter(&joined);
        for at in (0..joined.len())
            .step_by(7)
            .filter(|at| joined.is_char_boundary(*at))
        {
            let (start, end) = joined.split_at(at);
            laws::filter(start);
            laws::filter(end);
            laws::filter(&format!("{start}\u{2028}\"{end}"));
        }
    }
}
