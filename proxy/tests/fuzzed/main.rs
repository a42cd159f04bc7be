//! The law of the fuzz target `inspect`, on stable: over the recordings, and over
//! recordings that were damaged at random, the same way in every run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod laws;

use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

const DAMAGED: usize = 500;

/// Every recording, in the order of their names.
fn recordings() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    let folders = std::fs::read_dir(root).unwrap();
    let folders = folders
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut paths: Vec<_> = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "pcap"))
        .collect();
    paths.sort();
    let recordings: Vec<_> = paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    assert!(recordings.len() > 10, "{} recordings", recordings.len());
    recordings
}

/// One to four damages: bits flipped, a range cut out, a range doubled, the end
/// lost.
fn damage(file: &mut Vec<u8>, random: &mut StdRng) {
    for _ in 0..random.random_range(1..=4) {
        if file.is_empty() {
            return;
        }
        let from = random.random_range(0..file.len());
        let length = random.random_range(1..=4096).min(file.len() - from);
        match random.random_range(0..4) {
            0 => {
                for _ in 0..random.random_range(1..=32) {
                    let at = random.random_range(0..file.len());
                    file[at] ^= 1 << random.random_range(0..8);
                }
            }
            1 => drop(file.drain(from..from + length)),
            2 => {
                let range = file[from..from + length].to_vec();
                file.splice(from..from, range);
            }
            _ => file.truncate(from),
        }
    }
}

#[test]
fn every_recording_is_read_within_bounds() {
    for file in recordings() {
        laws::inspect(&file);
    }
}

#[test]
fn a_damaged_recording_is_read_within_bounds() {
    let recordings = recordings();
    let mut random = StdRng::seed_from_u64(3);
    for n in 0..DAMAGED {
        let mut file = recordings[n % recordings.len()].clone();
        damage(&mut file, &mut random);
        laws::inspect(&file);
    }
}
