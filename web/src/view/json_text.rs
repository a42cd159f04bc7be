//! JSON laid out for reading.

/// Valid JSON with line breaks. Its numbers, names and order stay exactly as
/// they were sent, which a round trip through a value would not promise.
pub(super) fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut letters = json.chars().peekable();
    while let Some(letter) = letters.next() {
        if in_string {
            out.push(letter);
            in_string = escaped || letter != '"';
            escaped = letter == '\\' && !escaped;
            continue;
        }
        match letter {
            '"' => {
                in_string = true;
                out.push(letter);
            }
            '{' | '[' => {
                out.push(letter);
                while letters.next_if(|next| next.is_whitespace()).is_some() {}
                if let Some(close) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(letter);
            }
            ',' => {
                out.push(letter);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            space if space.is_whitespace() => {}
            other => out.push(other),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(32)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_laid_out_and_not_altered() {
        let json = r#"{"b":1.10,"a":[1,{"x":"}\",{"}],"e":[ ],"n":123456789012345678901}"#;
        assert_eq!(
            indented(json),
            "{\n  \"b\": 1.10,\n  \"a\": [\n    1,\n    {\n      \"x\": \"}\\\",{\"\n    }\n  ],\n  \
             \"e\": [],\n  \"n\": 123456789012345678901\n}"
        );
    }
}
