//! What is drawn: everything that was delivered, and nothing across a gap.

use proptest::prelude::*;

use super::script::{Script, consumer, time};
use crate::partition::{Life, Reader};

fn whole(life: &Life) -> (jiff::Timestamp, jiff::Timestamp) {
    life.span().unwrap()
}

#[test]
fn neighbours_become_one_band_and_another_member_begins_a_new_one() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 99)
        .next(&consumer(1), &[2, 3], 99)
        .on(2)
        .next(&consumer(1), &[4], 99)
        .next(&consumer(1), &[9], 99)
        .life();
    let (bands, left_out) = life.readers[0].bands(whole(&life), 1, 100);
    let drawn: Vec<_> = bands
        .iter()
        .map(|band| (band.first, band.last, band.deliveries))
        .collect();
    assert_eq!(drawn, [(0, 3, 2), (4, 4, 1), (9, 9, 1)]);
    assert_eq!(left_out, 0);
}

#[test]
fn only_what_came_in_the_time_is_drawn() {
    let life = Script::new()
        .next(&consumer(1), &[0], 99)
        .next(&consumer(1), &[1], 99)
        .next(&consumer(1), &[2], 99)
        .life();
    let (bands, _) = life.readers[0].bands((time(2), time(3)), 100, 100);
    let drawn: Vec<_> = bands.iter().map(|band| band.first).collect();
    assert_eq!(drawn, [1]);
}

#[test]
fn too_many_bands_are_joined_and_what_is_left_over_is_counted() {
    let mut script = Script::new();
    for at in 0..50 {
        script.next(&consumer(1), &[at], 99);
    }
    let life = script.life();
    let (bands, left_out) = life.readers[0].bands(whole(&life), 1_000, 10);
    assert_eq!((bands.len(), bands[0].deliveries, left_out), (1, 50, 0));
    let mut script = Script::new();
    for at in 0..50 {
        script.next(&consumer(1), &[at * 2], 99);
    }
    let life = script.life();
    let (bands, left_out) = life.readers[0].bands(whole(&life), 1_000, 10);
    assert_eq!((bands.len(), left_out), (10, 40));
    assert_eq!(bands.last().unwrap().first, 98, "the latest");
}

/// What a reader was given, each batch so many and after skipping so many.
fn delivered(batches: &[(u64, u64)]) -> (Reader, Life) {
    let mut script = Script::new();
    let mut next = 0;
    for (skipped, length) in batches {
        let first = next + skipped;
        next = first + length;
        script.next(&consumer(1), &(first..next).collect::<Vec<_>>(), next - 1);
    }
    let life = script.life();
    (life.readers[0].clone(), life)
}

proptest! {
    #[test]
    fn consecutive_offsets_leave_no_gap(lengths in prop::collection::vec(1_u64..9, 1..40)) {
        let batches: Vec<_> = lengths.iter().map(|length| (0, *length)).collect();
        let (reader, _) = delivered(&batches);
        prop_assert!(reader.gaps.is_empty() && reader.replays.is_empty() && reader.stalls.is_empty());
    }

    #[test]
    fn gaps_and_bands_together_are_all_offsets_and_no_band_lies_over_a_gap(
        batches in prop::collection::vec((0_u64..4, 1_u64..9), 2..40),
        columns in 1_u32..50,
    ) {
        let (reader, life) = delivered(&batches);
        let skips = batches.iter().skip(1).filter(|(skipped, _)| *skipped > 0).count();
        prop_assert_eq!(reader.gaps.len(), skips);
        let (bands, left_out) = reader.bands(whole(&life), columns, usize::MAX);
        prop_assert_eq!(left_out, 0);
        let mut pieces: Vec<_> = bands.iter().map(|band| (band.first, band.last)).collect();
        pieces.extend(reader.gaps.iter().map(|gap| (gap.from, gap.to)));
        pieces.sort_unstable();
        let mut next = batches[0].0;
        for (first, last) in pieces {
            prop_assert_eq!(first, next);
            next = last + 1;
        }
        let deliveries: u64 = bands.iter().map(|band| band.deliveries).sum();
        prop_assert_eq!(deliveries, batches.len() as u64);
    }
}
