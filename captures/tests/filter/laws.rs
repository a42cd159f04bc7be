//! What holds for every text that is taken for a filter expression.

use parallax_captures::filter::Expression;

/// A mistake points into the text; what is understood is written so that it is
/// understood as the same.
pub(crate) fn filter(text: &str) {
    match text.parse::<Expression>() {
        Err(error) => {
            assert!(error.position() <= text.chars().count(), "{error}");
            let lines = error.pointed_out();
            assert_eq!(lines.lines().count(), 2, "{lines}");
            assert!(lines.ends_with('^'), "{lines}");
        }
        Ok(expression) => {
            let written = expression.to_string();
            // Written out it may be longer than a filter may be.
            match written.parse::<Expression>() {
                Ok(again) => assert_eq!(again, expression, "{written}"),
                Err(error) => assert!(error.message().contains("at most"), "{written}: {error}"),
            }
        }
    }
}
