//! What a person noted of an exchange.

use crate::limits::COMMENT_BYTES;
use crate::text::cut;

/// A mark and a comment, by whoever looks. Nothing that parallax finds depends on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotation {
    /// Whether it is marked.
    pub marked: bool,
    /// The comment; empty where there is none.
    pub comment: String,
}

impl Annotation {
    /// A mark, and a comment without the spaces around it, cut after [`COMMENT_BYTES`].
    pub fn new(marked: bool, comment: &str) -> Self {
        Self {
            marked,
            comment: cut(comment.trim().to_owned(), COMMENT_BYTES),
        }
    }

    /// Whether it says nothing.
    pub const fn is_empty(&self) -> bool {
        !self.marked && self.comment.is_empty()
    }

    /// The comment, where there is one.
    pub fn comment(&self) -> Option<&str> {
        Some(self.comment.as_str()).filter(|comment| !comment.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_cut_at_the_limit_and_says_so() {
        let noted = Annotation::new(false, &format!("  {} ", "x".repeat(2 * COMMENT_BYTES)));
        assert!(noted.comment.len() <= COMMENT_BYTES);
        assert!(
            noted.comment.ends_with("(cut, 4096 bytes)"),
            "{}",
            noted.comment
        );
        assert_eq!(Annotation::new(true, " why? ").comment(), Some("why?"));
        assert!(Annotation::new(false, " \n").is_empty());
    }
}
