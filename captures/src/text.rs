//! Text that somebody else chose.

use std::fmt::Write as _;

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

/// A text as it stands in a part of an address (RFC 3986, section 2.3).
pub fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    push_percent_encoded(&mut encoded, text);
    encoded
}

/// The same, at the end of what is there.
pub(crate) fn push_percent_encoded(encoded: &mut String, text: &str) {
    // Mostly all of it stands for itself.
    if text.bytes().all(is_unreserved) {
        encoded.push_str(text);
        return;
    }
    for byte in text.bytes() {
        if is_unreserved(byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
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
