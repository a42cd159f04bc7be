//! Text that somebody else chose the length of.

/// `text`, or its beginning and that it was cut: at most `limit` bytes together.
/// A limit below 40 may be exceeded by what says so.
pub fn cut(text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    let note = format!("\u{2026} (cut, {} bytes)", text.len());
    let end = text.floor_char_boundary(limit.saturating_sub(note.len()));
    format!("{}{note}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_letters_and_says_so() {
        let long = "\u{e4}".repeat(50);
        let short = cut(long.clone(), 50);
        assert_eq!(
            short,
            format!("{}\u{2026} (cut, 100 bytes)", "\u{e4}".repeat(15))
        );
        assert!(short.len() <= 50);
        assert_eq!(cut(short.clone(), 50), short, "once is enough");
        assert_eq!(cut(long.clone(), 100), long);
    }
}
