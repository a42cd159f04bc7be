//! What else a life tells: stored offsets, the end of the log, what was sent, what
//! failed without a partition.

use parallax_codec::primitives::{Partitioning, PollingKind};
use parallax_codec::{ErrorCode, Reply, Request, code};

use super::script::{Script, consumer, group, partition};
use crate::partition::{BreakKind, StoredBy, life as json};
use crate::verdict::{AskedBy, HttpRefusal, MirrorAnswer, MirrorOutcome, Verdict, VerdictKind};

#[test]
fn stored_offsets_are_steps_and_each_says_how_it_is_known() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 9)
        .stores(&consumer(1), 5)
        .asks(&consumer(1), 5, 11)
        .forgets(&consumer(1))
        .life();
    let stored = &life.readers[0].stored;
    let stored: Vec<_> = stored.iter().map(|one| (one.offset, one.how)).collect();
    assert_eq!(
        stored,
        [
            (Some(1), StoredBy::AutoCommit),
            (Some(5), StoredBy::Store),
            (Some(5), StoredBy::Told),
            (None, StoredBy::Deletion)
        ]
    );
    let ends: Vec<_> = life.ends.iter().map(|end| end.offset).collect();
    assert_eq!(ends, [9, 11]);
}

#[test]
fn after_a_purge_it_is_not_known_what_is_stored_until_it_is_told() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 1)
        .purges()
        .next(&consumer(1), &[0], 0)
        .peek(&consumer(2), &[0], 0)
        .purges()
        .life();
    let stored = |reader: usize| {
        let stored = life.readers[reader].stored.iter();
        let stored = stored.map(|one| (one.moment.n, one.offset, one.how));
        stored.collect::<Vec<_>>()
    };
    assert_eq!(
        stored(0),
        [
            (1, Some(1), StoredBy::AutoCommit),
            (2, None, StoredBy::LogBeganAnew),
            (3, Some(0), StoredBy::AutoCommit),
            (5, None, StoredBy::LogBeganAnew)
        ]
    );
    assert_eq!(stored(1), [], "of it nothing was known before");
}

#[test]
fn a_groups_deletion_deletes_what_was_stored_for_it() {
    let request = Request::DeleteConsumerGroup(parallax_codec::commands::GroupRef {
        stream: partition().stream,
        topic: partition().topic,
        group: group().id,
    });
    let life = Script::new()
        .next(&group(), &[0, 1], 1)
        .did(code::DELETE_CONSUMER_GROUP, request, Ok(Reply::Empty))
        .life();
    let last = life.readers[0].stored.last().unwrap();
    assert_eq!((last.offset, last.how), (None, StoredBy::Deletion));
}

#[test]
fn of_what_is_sent_only_that_which_names_the_partition_counts() {
    let life = Script::new()
        .sends(3, Partitioning::PartitionId(2))
        .sends(4, Partitioning::PartitionId(1))
        .sends(5, Partitioning::Balanced)
        .life();
    let sent: Vec<_> = life.sends.iter().map(|one| one.messages).collect();
    assert_eq!(sent, [3]);
}

#[test]
fn a_group_poll_belongs_to_the_partition_that_the_reply_names() {
    let asked = (&group(), PollingKind::Next, 0, true);
    let life = Script::new().poll_of(asked, None, Ok((&[0, 1], 9))).life();
    assert_eq!(life.readers[0].deliveries.len(), 1);
}

#[test]
fn a_failure_that_names_no_partition_is_in_a_lane_of_its_own_with_what_http_says_of_this_one() {
    let asked = (&group(), PollingKind::Next, 0, true);
    let life = Script::new()
        .poll_of(asked, None, Err(4100))
        .but(|exchange| exchange.verdict = Some(refused_for(2)))
        .life();
    assert!(life.readers.is_empty());
    let unknown = &life.unknown[0];
    assert_eq!(unknown.error, Some(ErrorCode(4100)));
    let http = unknown.http.as_deref().unwrap();
    assert!(http.contains("Invalid offset: 24"), "{http}");
    assert!(unknown.http_fails_too);
    let meant = |script: &Script| crate::partition::partition_meant(&script.exchanges[0]);
    let mut script = Script::new();
    script.poll_of(asked, None, Err(4100));
    assert_eq!(meant(&script), None);
    script.but(|exchange| exchange.verdict = Some(refused_for(2)));
    assert_eq!(meant(&script), Some(partition()));
    script.but(|exchange| {
        let verdict = exchange.verdict.as_mut().unwrap();
        verdict.answers.extend(refused_for(1).answers);
    });
    assert_eq!(meant(&script), None, "it may be either");
}

#[test]
fn what_was_done_to_another_topic_is_passed_over() {
    let life = Script::new()
        .calling(partition().stream, super::script::named("traces"))
        .purges()
        .next(&consumer(1), &[0], 9)
        .life();
    assert_eq!(life.exchanges, 0);
}

#[test]
fn a_purge_that_was_refused_purged_nothing() {
    let mut script = Script::new();
    script.purges().but(|exchange| {
        if let crate::Content::Binary(content) = &mut exchange.content {
            content.status = Some(40);
            content.reply = None;
        }
    });
    assert!(script.life().breaks.is_empty());
    script.purges();
    assert_eq!(script.life().breaks[0].kind, BreakKind::Purged);
}

#[test]
fn all_of_it_is_in_the_json() {
    let life = Script::new()
        .next(&consumer(1), &[0, 1], 99)
        .next(&consumer(1), &[50], 99)
        .purges()
        .life();
    let value = json(&life);
    let gap = &value["readers"][0]["gaps"][0];
    assert_eq!((&gap["from"], &gap["to"]), (&2.into(), &49.into()));
    assert_eq!(gap["exchange"], 2);
    assert_eq!(value["breaks"][0]["kind"], "purged");
    assert_eq!(value["readers"][0]["deliveries"][0]["last"], 1);
}

pub(super) fn refused_for(partition: u32) -> Verdict {
    let refusal = HttpRefusal {
        http_status: 400,
        code: Some(ErrorCode(4100)),
        reason: "Invalid offset: 24".to_owned(),
    };
    Verdict {
        kind: VerdictKind::Agree,
        reason: String::new(),
        basis: String::new(),
        differences: Vec::new(),
        answers: vec![MirrorAnswer {
            times: None,
            asked_by: AskedBy::Mirror,
            partition_id: Some(partition),
            target: String::new(),
            latency: None,
            outcome: MirrorOutcome::Refused(refusal),
        }],
        asked_again: None,
        known: Vec::new(),
        muted: None,
    }
}
