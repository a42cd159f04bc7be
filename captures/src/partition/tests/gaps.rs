//! What a reader missed, and what it was given again.

use parallax_codec::primitives::PollingKind;

use super::script::{Script, consumer, group};
use crate::partition::{GapCause, Life, ReplayCause};

fn gaps(life: &Life) -> Vec<(u64, u64, GapCause)> {
    let gaps = life.readers.iter().flat_map(|reader| &reader.gaps);
    gaps.map(|gap| (gap.from, gap.to, gap.cause)).collect()
}

fn replays(life: &Life) -> Vec<(u64, u64, ReplayCause, u64)> {
    let replays = life.readers.iter().flat_map(|reader| &reader.replays);
    replays
        .map(|one| (one.first, one.last, one.cause, one.times))
        .collect()
}

#[test]
fn a_server_that_goes_on_too_far_leaves_a_gap() {
    let life = Script::new()
        .next(&consumer(1), &[20, 21, 22, 23], 200)
        .next(&consumer(1), &[92, 93], 200)
        .life();
    assert_eq!(gaps(&life), [(24, 91, GapCause::Served)]);
    let gap = &life.readers[0].gaps[0];
    assert_eq!(gap.offsets(), 68);
    assert_eq!(
        (gap.since.as_ref().map(|since| since.n), gap.moment.n),
        (Some(1), 2)
    );
}

#[test]
fn messages_that_follow_each_other_leave_none() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 9)
        .next(&consumer(1), &[2], 9)
        .next(&consumer(1), &[], 9)
        .next(&consumer(1), &[3, 4], 9)
        .life();
    assert!(gaps(&life).is_empty() && replays(&life).is_empty());
}

#[test]
fn a_hole_within_one_reply_is_a_gap_too() {
    let life = Script::new().next(&consumer(1), &[0, 1, 5, 6], 9).life();
    assert_eq!(gaps(&life), [(2, 4, GapCause::Served)]);
}

#[test]
fn an_offset_that_the_client_asks_for_is_no_skip_of_the_servers() {
    let life = Script::new()
        .at_offset(&consumer(1), 0, &[0, 1], 200)
        .at_offset(&consumer(1), 50, &[50, 51], 200)
        .life();
    assert_eq!(gaps(&life), [(2, 49, GapCause::Asked)]);
}

#[test]
fn a_server_that_begins_beyond_the_offset_asked_for_skips() {
    let life = Script::new()
        .at_offset(&consumer(1), 5, &[9, 10], 200)
        .life();
    assert_eq!(gaps(&life), [(5, 8, GapCause::Served)]);
    let life = Script::new()
        .at_offset(&consumer(1), 0, &[0, 1], 200)
        .at_offset(&consumer(1), 5, &[9, 10], 200)
        .life();
    assert_eq!(
        gaps(&life),
        [(2, 4, GapCause::Asked), (5, 8, GapCause::Served)]
    );
}

#[test]
fn first_last_and_timestamp_go_where_the_client_wants() {
    for kind in [PollingKind::Last, PollingKind::Timestamp] {
        let life = Script::new()
            .next(&consumer(1), &[0, 1], 200)
            .poll((&consumer(1), kind, 0, false), Ok((&[199], 200)))
            .poll(
                (&consumer(1), PollingKind::First, 0, false),
                Ok((&[0, 1], 200)),
            )
            .life();
        assert_eq!(gaps(&life), [(2, 198, GapCause::Asked)]);
        assert_eq!(replays(&life), [(0, 1, ReplayCause::Asked, 1)]);
    }
}

#[test]
fn what_was_stored_beyond_is_passed_over_by_whoever_stored_it() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 200)
        .stores(&consumer(1), 99)
        .next(&consumer(1), &[100], 200)
        .life();
    assert_eq!(gaps(&life), [(2, 99, GapCause::Stored)]);
}

#[test]
fn a_store_of_zero_makes_next_begin_at_one_and_skips_nothing() {
    let life = Script::new()
        .stores(&consumer(1), 0)
        .next(&consumer(1), &[1, 2], 9)
        .life();
    assert!(gaps(&life).is_empty(), "case A9");
}

#[test]
fn a_store_that_moves_back_brings_messages_again() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1, 2, 3], 9)
        .stores(&consumer(1), 0)
        .next(&consumer(1), &[1, 2], 9)
        .next(&consumer(1), &[3, 4], 9)
        .life();
    assert_eq!(replays(&life), [(1, 2, ReplayCause::Stored, 1)]);
    assert!(gaps(&life).is_empty());
}

#[test]
fn a_deleted_offset_begins_at_the_start_again() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1, 2], 9)
        .forgets(&consumer(1))
        .next(&consumer(1), &[0, 1], 9)
        .life();
    assert_eq!(replays(&life), [(0, 1, ReplayCause::Stored, 1)]);
}

#[test]
fn without_a_commit_next_brings_the_same_and_this_is_one_replay() {
    let life = Script::new()
        .peek(&consumer(1), &[0, 1], 9)
        .peek(&consumer(1), &[0, 1], 9)
        .peek(&consumer(1), &[0, 1], 9)
        .life();
    assert_eq!(replays(&life), [(0, 1, ReplayCause::NotStored, 2)]);
    assert!(gaps(&life).is_empty());
}

#[test]
fn a_client_that_stores_each_batch_itself_leaves_none() {
    let mut script = Script::new();
    for batch in 0..5 {
        let first = batch * 2;
        script
            .peek(&consumer(1), &[first, first + 1], 99)
            .stores(&consumer(1), first + 1);
    }
    let life = script.life();
    assert!(gaps(&life).is_empty() && replays(&life).is_empty());
}

#[test]
fn a_server_that_goes_back_by_itself_replays() {
    let life = Script::new()
        .next(&group(), &[0, 1, 2, 3], 9)
        .on(2)
        .next(&group(), &[0, 1], 9)
        .life();
    assert_eq!(replays(&life), [(0, 1, ReplayCause::Served, 1)], "case B1");
}

#[test]
fn members_of_a_group_go_on_where_the_other_ended() {
    let life = Script::new()
        .next(&group(), &[0, 1], 9)
        .on(2)
        .next(&group(), &[2, 3], 9)
        .life();
    assert_eq!(life.readers.len(), 1);
    assert!(gaps(&life).is_empty() && replays(&life).is_empty());
}

#[test]
fn of_two_polls_at_the_same_time_the_order_is_not_known() {
    let mut script = Script::new();
    script.next(&group(), &[0, 1], 99).on(2);
    script.next(&group(), &[6, 7], 99).on(3);
    assert_eq!(
        gaps(&script.life()),
        [(2, 5, GapCause::Served)],
        "as far as is known then"
    );
    // Under way while the one before was.
    let begin = script.exchanges[1].times.request_first;
    script
        .next(&group(), &[3, 4], 99)
        .but(|exchange| exchange.times.request_first = begin);
    script.next(&group(), &[8], 99);
    let life = script.life();
    assert!(replays(&life).is_empty());
    let left = [(2, 2, GapCause::Served), (5, 5, GapCause::Served)];
    assert_eq!(gaps(&life), left);
}

#[test]
fn a_purge_begins_anew() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1, 2], 2)
        .purges()
        .next(&consumer(1), &[0], 0)
        .life();
    assert!(gaps(&life).is_empty() && replays(&life).is_empty());
    assert_eq!(life.breaks.len(), 1);
}

#[test]
fn after_a_purge_a_reader_that_begins_beyond_0_has_skipped() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1, 2], 2)
        .purges()
        .next(&consumer(1), &[3, 4], 9)
        .life();
    assert_eq!(gaps(&life), [(0, 2, GapCause::Served)], "case A12");
}

#[test]
fn a_server_that_goes_back_before_what_was_stored_replays() {
    let life = Script::new()
        .peek(&group(), &[0, 1, 2, 3], 9)
        .stores(&group(), 3)
        .on(2)
        .peek(&group(), &[0, 1], 9)
        .life();
    assert_eq!(replays(&life), [(0, 1, ReplayCause::Served, 1)], "case B1");
}

#[test]
fn a_poll_under_way_across_a_purge_is_not_judged() {
    let mut script = Script::new();
    script.next(&consumer(1), &[0, 1], 9);
    let begin = script.exchanges[0].times.reply.unwrap().1;
    script
        .on(2)
        .purges()
        .on(1)
        .next(&consumer(1), &[2, 3], 9)
        .but(|exchange| exchange.times.request_first = begin)
        .next(&consumer(1), &[0], 0);
    let life = script.life();
    assert!(replays(&life).is_empty(), "case A12");
}

#[test]
fn deleted_segments_explain_a_gap() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 200)
        .deletes_segments()
        .next(&consumer(1), &[50], 200)
        .life();
    assert_eq!(gaps(&life), [(2, 49, GapCause::Gone)]);
}

#[test]
fn what_lies_before_the_first_message_kept_is_gone() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 200)
        .poll(
            (&consumer(2), PollingKind::First, 0, false),
            Ok((&[50], 200)),
        )
        .next(&consumer(1), &[50, 51], 200)
        .next(&consumer(1), &[60], 200)
        .life();
    assert_eq!(
        gaps(&life),
        [(2, 49, GapCause::Gone), (52, 59, GapCause::Served)]
    );
}

#[test]
fn another_reader_is_another_way() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 200)
        .next(&consumer(2), &[90, 91], 200)
        .next(&consumer(1), &[2], 200)
        .next(&consumer(2), &[92], 200)
        .life();
    assert_eq!(life.readers.len(), 2);
    assert!(gaps(&life).is_empty());
}
