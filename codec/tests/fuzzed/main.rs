//! The laws of the fuzz targets, on stable, over the corpus: seeds cut from the
//! recordings, each whole, cut short and with single bytes changed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod laws;

use std::path::Path;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(target);
    let files = std::fs::read_dir(folder).unwrap();
    let seeds: Vec<_> = files
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .collect();
    assert!(seeds.len() > 10, "{target}: {} seeds", seeds.len());
    seeds
}

fn run(target: &str, law: fn(&[u8])) {
    for seed in seeds(target) {
        law(&seed);
        let step = (seed.len() / 16).max(1);
        for at in (0..seed.len()).step_by(step) {
            law(&seed[..at]);
            for change in [1, 0x80, 0xff] {
                let mut mutant = seed.clone();
                mutant[at] ^= change;
                law(&mutant);
            }
        }
    }
}

#[test]
fn framing_holds_for_every_seed() {
    run("framing", laws::framing);
}

#[test]
fn bodies_hold_for_every_seed() {
    run("bodies", laws::bodies);
}

#[test]
fn messages_hold_for_every_seed() {
    run("messages", laws::messages);
}
