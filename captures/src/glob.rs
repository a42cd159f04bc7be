/// A pattern in which `*` stands for any text, also none. Everything else stands
/// for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob(String);

impl Glob {
    pub(crate) fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// Whether it matches all of `text`. Takes time with the product of the two
    /// lengths at most, whatever the pattern.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let mut pieces = self.0.split('*');
        // Splitting gives one piece at least.
        let first = pieces.next().unwrap_or_default();
        let Some(mut rest) = text.strip_prefix(first) else {
            return false;
        };
        let Some(last) = pieces.next_back() else {
            return rest.is_empty();
        };
        for piece in pieces {
            // The earliest place leaves most for the pieces after it.
            let Some((_, after)) = rest.split_once(piece) else {
                return false;
            };
            rest = after;
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text_and_everything_else_is_itself() {
        for (pattern, text) in [
            ("metrics", "metrics"),
            ("*", ""),
            ("*", "anything"),
            ("me*cs", "metrics"),
            ("metrics*", "metrics"),
            ("*.timestamp", "messages[3].timestamp"),
            ("messages[*].timestamp", "messages[3].timestamp"),
            ("a*b*c", "a-b-b-c"),
            ("**", "x"),
            ("", ""),
        ] {
            assert!(Glob::new(pattern).matches(text), "{pattern} on {text}");
        }
        for (pattern, text) in [
            ("metrics", "metrics2"),
            ("metrics", "Metrics"),
            ("me*cs", "mecsx"),
            ("a*a", "a"),
            ("a*b*c", "a-c-b"),
            ("messages[3].id", "messages[33].id"),
            ("", "x"),
            ("m.trics", "metrics"),
        ] {
            assert!(!Glob::new(pattern).matches(text), "{pattern} on {text}");
        }
    }
}
