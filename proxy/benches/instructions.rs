//! Instructions that the work on each frame, exchange and observation takes, counted by
//! callgrind and compared with the figures in `instructions.txt` beside this file. They do
//! not depend on what else the machine does.
//!
//! `cargo bench -p parallax-proxy --bench instructions` counts, tells, and fails where a
//! figure has grown by more than 2 %; `-- --accept` makes the present figures the ones to
//! compare with; `-- NAME` counts what has this in its name. Needs valgrind.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

#[path = "instructions/analysing.rs"]
mod analysing;
#[path = "instructions/case.rs"]
mod case;
#[path = "instructions/counting.rs"]
mod counting;
#[path = "instructions/decoding.rs"]
mod decoding;
#[path = "instructions/figures.rs"]
mod figures;
#[path = "instructions/frames.rs"]
mod frames;
#[path = "instructions/framing.rs"]
mod framing;
#[path = "instructions/pairing.rs"]
mod pairing;
#[path = "instructions/recorded.rs"]
mod recorded;
#[path = "instructions/relaying.rs"]
mod relaying;

use std::process::ExitCode;

use case::Case;
use figures::Figures;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [counting::ONE, name] => {
            let case = cases().into_iter().find(|case| case.name == *name);
            counting::run(&case.unwrap());
            ExitCode::SUCCESS
        }
        // Cargo's own argument comes last; without it this is built, not run, by
        // `cargo test --all-targets`.
        ["--bench"] => check(&figures::of(&cases())),
        ["--accept", "--bench"] => {
            figures::of(&cases()).store();
            ExitCode::SUCCESS
        }
        [part, "--bench"] => {
            let wanted = cases().into_iter().filter(|case| case.name.contains(part));
            check(&figures::of(&wanted.collect::<Vec<_>>()))
        }
        _ => ExitCode::SUCCESS,
    }
}

fn cases() -> Vec<Case> {
    [
        framing::cases(),
        decoding::cases(),
        pairing::cases(),
        relaying::cases(),
        analysing::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn check(counted: &Figures) -> ExitCode {
    let grown = counted.compared_with(&Figures::stored());
    print!("{}", grown.table);
    if grown.complaints.is_empty() {
        return ExitCode::SUCCESS;
    }
    for complaint in grown.complaints {
        eprintln!("{complaint}");
    }
    eprintln!(
        "Where that is as it should be, `cargo bench -p parallax-proxy --bench instructions -- \
         --accept` accepts the present figures; say why in the commit."
    );
    ExitCode::FAILURE
}
