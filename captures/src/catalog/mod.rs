//! Every finding: number, title, severity, and what a person should know of it.
//! The one source for code, page and `parallax explain`.

mod clients;
mod groups;
mod instrument;
mod offsets;
mod rank;
mod transports;
mod wire;

use crate::finding::{FindingCode, Severity};

pub use clients::*;
pub use groups::*;
pub use instrument::*;
pub use offsets::*;
pub use rank::rank;
pub use transports::*;
pub use wire::*;

/// What a finding means.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// Its number.
    pub code: FindingCode,
    /// One line.
    pub title: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it means.
    pub meaning: &'static str,
    /// How it is recognised: the evidence that it needs.
    pub recognised_by: &'static str,
    /// What to do.
    pub what_to_do: &'static str,
    /// What looks like it but is not.
    pub not_to_be_confused_with: &'static str,
}

/// The description of a finding. Every code that parallax raises has one; for
/// any other the description says that it is not known.
pub fn describe(code: FindingCode) -> &'static Description {
    find(code).unwrap_or(&UNKNOWN)
}

/// The description of a finding by its number, if there is such a finding.
pub fn find(code: FindingCode) -> Option<&'static Description> {
    all().find(|entry| entry.code == code)
}

const UNKNOWN: Description = Description {
    code: FindingCode(0),
    title: "A finding that this version does not know",
    severity: Severity::Info,
    meaning: "The finding was made by another version of parallax.",
    recognised_by: "Its number is not in this version's catalog.",
    what_to_do: "Use the version that made it to read about it.",
    not_to_be_confused_with: "",
};

/// Every finding, by its number.
pub fn all() -> impl Iterator<Item = &'static Description> {
    let hundreds = [
        transports::DESCRIPTIONS,
        offsets::DESCRIPTIONS,
        groups::DESCRIPTIONS,
        wire::DESCRIPTIONS,
        clients::DESCRIPTIONS,
        instrument::DESCRIPTIONS,
    ];
    hundreds.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_is_sorted_and_says_everything() {
        assert!(all().is_sorted_by_key(|entry| entry.code));
        for entry in all() {
            for text in [
                entry.title,
                entry.meaning,
                entry.recognised_by,
                entry.what_to_do,
                entry.not_to_be_confused_with,
            ] {
                assert!(text.len() > 20, "{} leaves something unsaid", entry.code);
                assert!(!text.contains("  "), "{} has a gap in: {text}", entry.code);
            }
        }
    }
}
