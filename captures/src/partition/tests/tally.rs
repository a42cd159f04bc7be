//! What a journal counts by partition.

use std::sync::Arc;

use parallax_codec::primitives::PollingKind;

use super::script::{Script, consumer, group, named};
use super::told::refused_for;
use crate::exchange::Exchange;
use crate::finding::Finding;
use crate::journal::{Journal, PartitionFigures, PartitionPlace};
use crate::limits::JOURNAL_PARTITIONS;

fn recorded(script: &Script, journal: &Journal) {
    for exchange in &script.exchanges {
        journal.record(Arc::unwrap_or_clone(Arc::clone(exchange)));
    }
}

fn each(journal: &Journal) -> Vec<(PartitionPlace, PartitionFigures)> {
    let mut each: Vec<_> = journal.partitions().each().collect();
    each.sort_by(|(left, _), (right, _)| left.cmp(right));
    each
}

fn place(id: Option<u32>) -> PartitionPlace {
    (named("otel"), named("metrics"), id)
}

#[test]
fn polls_messages_errors_and_findings_are_counted_where_they_belong() {
    let mut script = Script::new();
    let asked = (&group(), PollingKind::Next, 0, true);
    script
        .next(&consumer(1), &[0, 1, 2], 9)
        .stores(&consumer(1), 2)
        .poll_of(asked, None, Ok((&[0, 1], 9)))
        .poll_of(asked, None, Err(4100))
        .purges();
    let journal = Journal::new();
    recorded(&script, &journal);
    let time = script.exchanges[0].times.request_first;
    let found = Finding::new(crate::catalog::OFFSET_JUMP, "here", 3, time, Vec::new());
    journal.add_finding(found);
    let of_two = PartitionFigures {
        exchanges: 3,
        polls: 2,
        messages: 5,
        with_findings: 1,
        last: 3,
        ..PartitionFigures::default()
    };
    let of_none = PartitionFigures {
        exchanges: 1,
        polls: 1,
        errors: 1,
        last: 4,
        ..PartitionFigures::default()
    };
    assert_eq!(
        each(&journal),
        [(place(None), of_none), (place(Some(2)), of_two)]
    );
}

#[test]
fn a_failure_without_a_partition_is_counted_of_the_one_that_http_names_too() {
    let asked = (&group(), PollingKind::Next, 0, true);
    let mut script = Script::new();
    script
        .poll_of(asked, None, Err(4100))
        .but(|exchange| exchange.verdict = Some(refused_for(2)))
        .poll_of(asked, None, Ok((&[0, 1], 9)));
    let journal = Journal::with_limits(1, usize::MAX);
    journal.record(Exchange::clone(&script.exchanges[0]));
    let named = |journal: &Journal| -> Vec<_> {
        let figures =
            |(place, one): (_, PartitionFigures)| (place, one.named_by_http, one.exchanges);
        each(journal).into_iter().map(figures).collect()
    };
    assert_eq!(
        named(&journal),
        [(place(None), 0, 1), (place(Some(2)), 1, 0)]
    );
    // As soon as the next one takes its place it is not kept.
    script.but(|exchange| exchange.verdict = None);
    journal.record(Exchange::clone(&script.exchanges[1]));
    let left: u64 = named(&journal).iter().map(|(_, named, _)| named).sum();
    assert_eq!(left, 0);
}

#[test]
fn what_is_kept_no_longer_is_counted_no_longer() {
    let mut script = Script::new();
    for at in 0..20 {
        script.next(&consumer(1), &[at], 99);
    }
    let journal = Journal::with_limits(5, usize::MAX);
    recorded(&script, &journal);
    let (_, figures) = each(&journal)[0];
    assert_eq!((figures.exchanges, figures.messages), (5, 5));
}

#[test]
fn of_too_many_partitions_the_exchanges_are_counted_together() {
    let asked = (&consumer(1), PollingKind::First, 0, false);
    let mut script = Script::new();
    let most = u32::try_from(JOURNAL_PARTITIONS).unwrap();
    for id in 0..most + 7 {
        script.poll_of(asked, Some(id), Ok((&[0], 0)));
    }
    let journal = Journal::with_limits(JOURNAL_PARTITIONS + 6, usize::MAX);
    recorded(&script, &journal);
    let partitions = journal.partitions();
    // The first one is kept no longer.
    assert_eq!(partitions.each().count(), JOURNAL_PARTITIONS - 1);
    assert_eq!(partitions.not_counted(), 7);
}

#[test]
fn an_exchange_is_found_by_its_time() {
    let mut script = Script::new();
    for at in 0..50 {
        script.next(&consumer(1), &[at], 99);
    }
    let journal = Journal::with_limits(20, usize::MAX);
    recorded(&script, &journal);
    for (second, number) in [(0, 31), (31, 31), (40, 40), (50, 50), (99, 51)] {
        assert_eq!(journal.number_at(super::script::time(second)), number);
    }
}
