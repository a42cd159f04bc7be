//! Bytes in hex with their text beside, each run of bytes under the number of
//! the field that it belongs to.

use std::fmt::Write as _;
use std::ops::Range;

use maud::{Markup, html};

use super::fields::Leaf;

const ROW: usize = 16;

/// The dump of a window of `frame`; `leaves` are in wire order.
pub(crate) fn hex_dump(frame: &[u8], window: &Range<usize>, leaves: &[Leaf]) -> Markup {
    let end = window.end.min(frame.len());
    // Whole lines, so that a byte stands in the same place on every page.
    let begin = window.start - window.start % ROW;
    html! {
        div.hex role="group" tabindex="0" aria-label="Bytes in hex" {
            @for start in (begin..end).step_by(ROW) {
                @let runs = runs(start..(start + ROW).min(end), leaves);
                div.line {
                    span.at { (format!("{start:04x}")) }
                    span.bytes { @for run in &runs { (cell(run, &hex_of(&frame[run.range.clone()]), leaves)) } }
                    span.text { @for run in &runs { (cell(run, &text_of(&frame[run.range.clone()]), leaves)) } }
                }
            }
        }
    }
}

/// Hex without fields, of bytes of which `from` come before.
pub(crate) fn plain_hex(bytes: &[u8], from: usize) -> String {
    let mut out = String::new();
    for (index, row) in bytes.chunks(ROW).enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{:04x}  {:<48} {}",
            from + index * ROW,
            hex_of(row),
            text_of(row)
        );
    }
    out
}

/// Bytes of one line that belong to one field, or to none.
struct Run {
    range: Range<usize>,
    leaf: Option<usize>,
}

fn runs(line: Range<usize>, leaves: &[Leaf]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = line.start;
    while at < line.end {
        let index = leaves.partition_point(|leaf| leaf.range.end <= at);
        let (end, leaf) = match leaves.get(index) {
            Some(leaf) if leaf.range.contains(&at) => (leaf.range.end, Some(index)),
            Some(leaf) => (leaf.range.start.max(at + 1), None),
            None => (line.end, None),
        };
        let end = end.min(line.end);
        runs.push(Run {
            range: at..end,
            leaf,
        });
        at = end;
    }
    runs
}

fn cell(run: &Run, text: &str, leaves: &[Leaf]) -> Markup {
    html! {
        @match run.leaf {
            Some(index) => {
                @let class = if index % 2 == 0 { "even" } else { "odd" };
                span class=(class) tabindex="-1" data-leaf=(index) title=(leaves[index].path) { (text) }
            }
            None => span { (text) },
        }
    }
}

pub(super) fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x} ");
        out
    })
}

pub(super) fn text_of(bytes: &[u8]) -> String {
    let shown = |byte: &u8| match byte {
        0x20..=0x7e => char::from(*byte),
        _ => '\u{b7}',
    };
    bytes.iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_line_is_in_one_run_of_its_field() {
        let leaf = |range: Range<usize>| Leaf {
            range,
            path: String::new(),
        };
        // An empty field has no byte; a gap belongs to nobody.
        let leaves = [leaf(0..4), leaf(4..4), leaf(4..8), leaf(10..40)];
        let found: Vec<_> = runs(0..16, &leaves)
            .into_iter()
            .map(|run| (run.range, run.leaf))
            .collect();
        assert_eq!(
            found,
            [
                (0..4, Some(0)),
                (4..8, Some(2)),
                (8..10, None),
                (10..16, Some(3))
            ]
        );
        assert_eq!(runs(16..32, &leaves)[0].leaf, Some(3));
    }
}
