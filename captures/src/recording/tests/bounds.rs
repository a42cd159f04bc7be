use std::time::Duration;

use super::*;
use crate::file::{Item, Lost, Reader};
use crate::journal::Turns;
use crate::limits::{
    RECORD_BATCH, RECORD_LATE, RECORD_SEGMENT_MIN, RECORD_SETTLES, RECORD_TURNS_WAITING,
};
use crate::recording::{RecordingError, view};

#[test]
fn lists_and_figures_go_on_where_memory_ends() {
    let directory = directory();
    let mut store = recorder(directory.path());
    store.keep_in_memory(10, usize::MAX);
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    for number in 0..60 {
        traffic(&journal, number..number + 1);
        record_all(&mut store);
    }
    assert_eq!(journal.exchanges().len(), 10);
    assert_eq!(all(&journal, &Every).len(), 60);
    assert_figures_fit(&journal);
    let first = journal.exchange(1).unwrap();
    assert_eq!(first.verdict.as_ref().unwrap().kind, VerdictKind::Diverge);
    let any = |_: &Exchange| true;
    for n in [1, 30, 49, 50, 51] {
        assert_eq!(journal.next_after(n, &any).unwrap().n, n + 1);
    }
}

#[test]
fn a_batch_lets_others_have_the_processor_unless_too_much_waits() {
    let directory = directory();
    let store = recorder(directory.path());
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    for number in 0..=RECORD_TURNS_WAITING as u64 {
        journal.record(poll(number));
    }
    let take = || {
        let taken = journal.take(
            Timestamp::now(),
            Duration::ZERO,
            RECORD_BATCH,
            Turns::begin(),
        );
        journal.stored(&taken);
        (taken.exchanges.len(), taken.turns.are_given())
    };
    assert_eq!(take(), (RECORD_BATCH, false));
    assert_eq!(take(), (RECORD_BATCH, true));
}

/// Its reply is `after` now.
fn fresh(number: u64, after: Duration) -> Exchange {
    let mut exchange = poll(number);
    let time = Timestamp::now() + after;
    exchange.times.reply = exchange.times.reply.map(|_| (time, time));
    exchange
}

#[test]
fn an_exchange_is_let_settle_also_once_memory_is_full_of_recorded_ones() {
    let directory = directory();
    let mut store = recorder(directory.path());
    store.keep_in_memory(usize::MAX, 50_000);
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    for number in 0..100 {
        journal.record(poll(number));
        record_all(&mut store);
    }
    assert!(journal.exchanges().len() < 100, "memory is full");
    // Settled neither now nor in most of a second.
    journal.record(fresh(100, RECORD_SETTLES * 9 / 10));
    store.round(false);
    let recorded = journal.recording().unwrap().exchanges;
    assert_eq!(recorded, 100, "its verdict may still come");
}

#[test]
fn what_ended_by_a_clock_that_was_set_back_since_is_recorded() {
    let directory = directory();
    let mut store = recorder(directory.path());
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    journal.record(fresh(0, Duration::from_hours(1)));
    journal.record(poll(1));
    store.round(false);
    assert_eq!(journal.recording().unwrap().exchanges, 2);
}

#[test]
fn what_comes_late_for_an_exchange_that_only_the_disk_has_is_recorded() {
    let directory = directory();
    let mut store = recorder(directory.path());
    store.keep_in_memory(10, usize::MAX);
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    for number in 0..30 {
        journal.record(poll(number));
        record_all(&mut store);
    }
    journal.set_verdict(3, verdict(VerdictKind::Stale));
    find(&journal, "late", 3);
    record_all(&mut store);
    let late = journal.exchange(3).unwrap();
    assert_eq!(late.verdict.as_ref().unwrap().kind, VerdictKind::Stale);
    assert_eq!(late.findings, [SAME_FAILURE_AGAIN]);
    assert_figures_fit(&journal);
    store.finish();
    assert_same(
        &shown(view(directory.path()).unwrap().journal()),
        &shown(&journal),
    );
}

#[test]
fn more_that_comes_late_than_the_limit_is_counted_as_not_kept() {
    let directory = directory();
    let mut store = recorder(directory.path());
    store.keep_in_memory(1, usize::MAX);
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    for number in 0..3 {
        journal.record(poll(number));
        record_all(&mut store);
    }
    for _ in 0..RECORD_LATE + 2 {
        find(&journal, "late", 1);
    }
    record_all(&mut store);
    assert_eq!(journal.recording().unwrap().changes_not_kept, 2);
}

#[test]
fn the_oldest_segments_are_dropped_and_counted_and_the_figures_still_fit() {
    let directory = directory();
    let options = RecordOptions {
        keep_bytes: 3 * RECORD_SEGMENT_MIN,
        ..small(directory.path())
    };
    let mut store = open(options).unwrap().into_store();
    store.keep_in_memory(20, usize::MAX);
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    for begin in 0..60 {
        traffic(&journal, 10 * begin..10 * begin + 10);
        record_all(&mut store);
    }
    let status = journal.recording().unwrap();
    assert!(
        status.dropped > 0 && status.bytes <= 3 * RECORD_SEGMENT_MIN,
        "{status:?}"
    );
    assert_eq!(status.dropped + status.exchanges, 600);
    assert_eq!(journal.totals().exchanges_dropped, status.dropped);
    assert_figures_fit(&journal);
    assert!(journal.exchange(1).is_none());
    store.finish();
    let view = view(directory.path()).unwrap();
    assert_same(&shown(view.journal()), &shown(&journal));
}

#[test]
fn old_segments_are_dropped_by_age_even_while_memory_holds_what_is_in_them() {
    let directory = directory();
    let options = RecordOptions {
        keep_for: Duration::ZERO,
        ..small(directory.path())
    };
    let mut store = open(options).unwrap().into_store();
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    traffic(&journal, 0..100);
    record_all(&mut store);
    connect(&journal, 3);
    record_all(&mut store);
    assert_eq!(journal.recording().unwrap().exchanges, 0);
    // Memory has them still.
    assert_eq!(journal.counts().exchanges, 100);
    assert_figures_fit(&journal);
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    let directory = directory();
    let options = |segment_bytes, keep_bytes| RecordOptions {
        segment_bytes,
        keep_bytes,
        ..RecordOptions::into_directory(directory.path())
    };
    let error = open(options(RECORD_SEGMENT_MIN - 1, u64::MAX)).unwrap_err();
    assert!(matches!(error, RecordingError::SmallSegments(_)), "{error}");
    let error = open(options(RECORD_SEGMENT_MIN, 2 * RECORD_SEGMENT_MIN - 1)).unwrap_err();
    assert!(
        matches!(error, RecordingError::KeepsTooLittle { .. }),
        "{error}"
    );
}

#[test]
fn each_segment_says_how_much_was_lost_also_that_nothing_was() {
    let directory = directory();
    let mut store = recorder(directory.path());
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    traffic(&journal, 0..20);
    record_all(&mut store);
    store.finish();
    let file = std::fs::File::open(directory.path().join("parallax-000001.pcapng")).unwrap();
    let lost = Reader::new(std::io::BufReader::new(file)).find_map(|item| match item.unwrap() {
        Item::Lost(lost) => Some(lost),
        _ => None,
    });
    assert_eq!(lost, Some(Lost::default()));
}

#[test]
fn a_segment_that_lost_its_end_is_told_and_what_is_there_is_listed() {
    let directory = directory();
    let mut store = recorder(directory.path());
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    traffic(&journal, 0..40);
    record_all(&mut store);
    store.finish();
    let path = directory.path().join("parallax-000001.pcapng");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let opened = view(directory.path()).unwrap();
    assert!(
        opened.notes()[0].contains("is cut short"),
        "{:?}",
        opened.notes()
    );
    assert!(!all(opened.journal(), &Every).is_empty());
    assert_figures_fit(opened.journal());
}
