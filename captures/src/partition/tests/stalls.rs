//! Readers that get nothing though there is something.

use parallax_codec::primitives::PollingKind;

use super::script::{Script, consumer};

const INVALID_OFFSET: u32 = 4100;

#[test]
fn empty_polls_below_the_end_of_the_log_are_a_stall() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 9)
        .next(&consumer(1), &[], 10)
        .next(&consumer(1), &[], 12)
        .next(&consumer(1), &[], 14)
        .life();
    let stalls = &life.readers[0].stalls;
    assert_eq!(stalls.len(), 1);
    let stall = &stalls[0];
    assert_eq!((stall.at, stall.end, stall.polls), (2, 12, 3));
    assert_eq!((stall.moment.n, stall.until.n), (2, 4));
}

#[test]
fn failing_polls_below_the_end_are_one_too() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 9)
        .refused(&consumer(1), INVALID_OFFSET)
        .refused(&consumer(1), INVALID_OFFSET)
        .refused(&consumer(1), INVALID_OFFSET)
        .next(&consumer(1), &[2], 9)
        .life();
    assert_eq!(life.readers[0].stalls.len(), 1);
    assert_eq!(life.readers[0].failures.len(), 3);
    assert_eq!(life.readers[0].failures[0].at, Some(2));
}

#[test]
fn a_reader_at_the_end_waits_for_nothing() {
    let mut script = Script::new();
    script.next(&consumer(1), &[0, 1], 1);
    for _ in 0..10 {
        script.next(&consumer(1), &[], 1);
    }
    assert!(script.life().readers[0].stalls.is_empty());
}

#[test]
fn what_came_while_a_poll_was_under_way_is_held_against_nobody() {
    let mut script = Script::new();
    script.next(&consumer(1), &[0], 0);
    for end in 0..10 {
        // Each time the reply tells of one more, and the next poll brings it.
        script.next(&consumer(1), &[], end + 1);
        script.next(&consumer(1), &[end + 1], end + 1);
    }
    assert!(script.life().readers[0].stalls.is_empty());
}

#[test]
fn two_polls_that_bring_nothing_may_be_the_servers_moment() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 9)
        .next(&consumer(1), &[], 9)
        .next(&consumer(1), &[], 9)
        .next(&consumer(1), &[2], 9)
        .life();
    assert!(life.readers[0].stalls.is_empty(), "case A5");
}

#[test]
fn a_new_partition_is_no_stall() {
    let mut script = Script::new();
    for _ in 0..5 {
        let first = (&consumer(1), PollingKind::First, 0, true);
        script.poll(first, Ok((&[], 0)));
    }
    assert!(script.life().readers[0].stalls.is_empty(), "case A2's twin");
}

#[test]
fn an_empty_first_of_a_log_that_has_something_is_a_stall() {
    let mut script = Script::new();
    for _ in 0..4 {
        let first = (&consumer(1), PollingKind::First, 0, true);
        script.poll(first, Ok((&[], 24)));
    }
    assert_eq!(script.life().readers[0].stalls.len(), 1, "case A2");
}

#[test]
fn after_a_purge_the_old_end_is_forgotten() {
    let mut script = Script::new();
    script.next(&consumer(1), &[0, 1], 99).purges();
    for _ in 0..5 {
        script.next(&consumer(1), &[], 0);
        script.poll((&consumer(1), PollingKind::First, 0, true), Ok((&[], 0)));
    }
    assert!(script.life().readers[0].stalls.is_empty());
}

#[test]
fn a_reader_that_had_read_all_and_goes_hungry_later_stalls() {
    let life = Script::new()
        .next(&consumer(1), &[], 20)
        .next(&consumer(1), &[], 20)
        .next(&consumer(1), &[], 30)
        .next(&consumer(1), &[], 40)
        .next(&consumer(1), &[], 50)
        .next(&consumer(1), &[], 60)
        .life();
    let stalls = &life.readers[0].stalls;
    assert_eq!(stalls.len(), 1);
    assert_eq!(stalls[0].at, 21, "it had read up to 20 at least");
}
