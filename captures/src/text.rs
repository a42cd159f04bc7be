//! Text that somebody else chose the length of.

/// The beginning of `text`, at most `limit` bytes of it, and that it was cut.
pub fn cut(text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    let whole = text.len();
    let end = text.floor_char_boundary(limit);
    format!("{}\u{2026} (cut, {whole} bytes)", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_letters_and_says_so() {
        assert_eq!(cut("abc".to_owned(), 3), "abc");
        assert_eq!(cut("aää".to_owned(), 4), "aä\u{2026} (cut, 5 bytes)");
    }
}
