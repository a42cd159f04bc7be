//! Filters over real recordings, and as a user types them.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod fields;
mod page;
mod program;
mod readme;
mod recordings;

use std::path::PathBuf;

use parallax_captures::filter::Expression;
use parallax_proxy::offline::{Reading, read_capture};
use parallax_tests::recording;

fn reading(name: &str) -> Reading {
    read_capture(&recording(name)).unwrap()
}

#[track_caller]
fn expression(text: &str) -> Expression {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The numbers of the exchanges that `text` accepts.
fn accepted(reading: &Reading, text: &str) -> Vec<u64> {
    let wanted = expression(text);
    let accepted = reading.exchanges.iter().filter(|one| wanted.accepts(one));
    accepted.map(|one| one.n).collect()
}

/// Every packet capture in `captures/recorded`.
fn recordings() -> Vec<PathBuf> {
    let files = |folder: PathBuf| {
        std::fs::read_dir(folder)
            .unwrap()
            .map(|one| one.unwrap().path())
    };
    let folders = files(recording("")).filter(|path| path.is_dir());
    let all = folders.flat_map(files);
    all.filter(|path| path.extension().is_some_and(|kind| kind == "pcap"))
        .collect()
}
