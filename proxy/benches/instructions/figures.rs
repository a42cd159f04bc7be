//! Figures: counted, stored, and compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::case::Case;
use crate::counting::count;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");

/// By how many hundredths a figure may grow. What a hash map's random keys change is far
/// below, what a line of code costs above.
const TOLERANCE: u64 = 2;

/// Instructions by the name of what takes them.
pub(crate) struct Figures(BTreeMap<String, u64>);

/// What is to be told.
pub(crate) struct Comparison {
    pub(crate) table: String,
    /// Empty where nothing has grown, and nothing is new.
    pub(crate) complaints: Vec<String>,
}

/// Counts these.
pub(crate) fn of(cases: &[Case]) -> Figures {
    let counted = cases.iter().map(|case| (case.name.clone(), count(case)));
    Figures(counted.collect())
}

impl Figures {
    /// Those to compare with.
    pub(crate) fn stored() -> Self {
        let text = std::fs::read_to_string(FILE).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let figure = |line: &str| {
            let (name, figure) = line.rsplit_once(' ').unwrap();
            (name.trim().to_owned(), figure.parse().unwrap())
        };
        Self(lines.map(figure).collect())
    }

    /// Makes these the ones to compare with.
    pub(crate) fn store(&self) {
        let mut text = "# Instructions, by `cargo bench -p parallax-proxy --bench instructions -- \
                        --accept` on x86-64.\n"
            .to_owned();
        for (name, figure) in &self.0 {
            writeln!(text, "{name:62} {figure:>9}").unwrap();
        }
        print!("{text}");
        std::fs::write(FILE, text).unwrap();
    }

    /// How these differ from what was stored.
    pub(crate) fn compared_with(&self, stored: &Self) -> Comparison {
        let mut table = String::new();
        let mut complaints = Vec::new();
        for (name, &now) in &self.0 {
            let Some(&before) = stored.0.get(name) else {
                writeln!(table, "{name:62} {now:>9}").unwrap();
                complaints.push(format!("{name}: no figure is stored"));
                continue;
            };
            let change = format!("{:+.2} %", change(before, now));
            writeln!(table, "{name:62} {now:>9} {change:>10}").unwrap();
            if now * 100 > before * (100 + TOLERANCE) {
                complaints.push(format!(
                    "{name}: {now} instructions, {change} of the {before} that are stored"
                ));
            }
        }
        Comparison { table, complaints }
    }
}

#[allow(clippy::cast_precision_loss, reason = "of figures below a milliard")]
fn change(before: u64, now: u64) -> f64 {
    (now as f64 / before as f64 - 1.0) * 100.0
}
