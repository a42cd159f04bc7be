//! Every limit, reached.

use std::fmt::Write as _;

use super::script::{Script, consumer};
use crate::limits::{PARTITION_NAMES, PARTITION_READERS, PARTITION_TROUBLES};

#[test]
fn of_too_many_readers_the_rest_is_counted() {
    let mut script = Script::new();
    for reader in 0..=u32::try_from(PARTITION_READERS).unwrap() {
        script.next(&consumer(reader), &[0], 9);
    }
    let life = script.life();
    assert_eq!(life.readers.len(), PARTITION_READERS);
    assert_eq!(life.left_out, 1);
}

#[test]
fn of_too_many_gaps_the_rest_is_counted() {
    let offsets: Vec<_> = (0..PARTITION_TROUBLES as u64 + 6)
        .map(|at| at * 2)
        .collect();
    let life = Script::new().next(&consumer(1), &offsets, 9_999).life();
    assert_eq!(life.readers[0].gaps.len(), PARTITION_TROUBLES);
    assert_eq!(life.readers[0].troubles_left_out, 5);
}

#[test]
fn of_too_many_names_the_rest_is_counted() {
    let mut script = Script::new();
    let mut name = String::new();
    for id in 0..u32::try_from(PARTITION_NAMES).unwrap() + 3 {
        name.clear();
        write!(name, "stream-{id}").unwrap();
        script.describes_stream(&name, id);
    }
    assert_eq!(script.names().not_kept(), 3);
}
