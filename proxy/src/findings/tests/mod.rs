//! Each finding: what raises it, and what must not. One file for each file of
//! findings.

mod advertised;
mod argument;
mod client;
mod codes;
mod empty;
mod groups;
mod injected;
mod mirrored;
mod offsets;
mod place;
mod property;
mod protocol;
mod purge;
mod repeated;
mod stored;
mod story;
mod wire;

use parallax_captures::Finding;

/// No finding.
const NONE: [u16; 0] = [];

/// What was found; PX307 aside, which every poll with `auto_commit` gets and which
/// its own tests look at.
fn codes(findings: &[Finding]) -> Vec<u16> {
    let codes = findings.iter().map(|finding| finding.code.0);
    let mut codes: Vec<u16> = codes.filter(|code| *code != 307).collect();
    codes.sort_unstable();
    codes
}

/// The evidence of the finding with this number, one sentence a line.
fn told(findings: &[Finding], code: u16) -> String {
    let finding = findings
        .iter()
        .find(|finding| finding.code.0 == code)
        .unwrap();
    finding.evidence.join("\n")
}
