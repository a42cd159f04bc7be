//! Lists in other orders than that of time, and what somebody noted.

use super::*;
use crate::Annotation;
use crate::filter::Expression;
use crate::journal::{Measure, Rank};
use crate::recording::view;

/// Every page of an order, one after the other.
fn ranked(journal: &Journal, measure: Measure, most: usize, wanted: &dyn Wanted) -> Vec<Rank> {
    let mut found = Vec::new();
    let mut past = None;
    loop {
        let page = journal.top(measure, past, most, wanted);
        assert!(page.exchanges.len() <= most);
        found.extend(
            page.exchanges
                .iter()
                .map(|one| (measure.of(one).unwrap(), one.n)),
        );
        past = page.more;
        if past.is_none() {
            return found;
        }
    }
}

/// The same, by sorting everything that is kept.
fn sorted(journal: &Journal, measure: Measure, wanted: &dyn Wanted) -> Vec<Rank> {
    let every = all(journal, wanted);
    let mut ranks: Vec<_> = every
        .iter()
        .filter_map(|one| Some((measure.of(one)?, one.n)))
        .collect();
    ranks.sort_unstable_by(|left, right| right.cmp(left));
    ranks
}

/// A hundred exchanges, of which memory holds the last thirty.
fn hundred(directory: &Path) -> Store {
    let mut store = recorder(directory);
    store.keep_in_memory(30, usize::MAX);
    connect(&store.journal, 1);
    connect(&store.journal, 2);
    for begin in (0..100).step_by(20) {
        traffic(&store.journal, begin..begin + 20);
        record_all(&mut store);
    }
    assert_eq!(store.journal.first_in_memory(), 71);
    store
}

#[test]
fn the_slowest_and_the_largest_come_from_memory_and_from_the_index_alike() {
    let directory = directory();
    let store = hundred(directory.path());
    let refused: Expression = "status == 4100".parse().unwrap();
    // Only the exchange itself tells.
    let matching: Expression = "topic matches \"_1$\"".parse().unwrap();
    let wanted: [&dyn Wanted; 3] = [&Every, &refused, &matching];
    for measure in [Measure::Latency, Measure::Bytes] {
        for wanted in wanted {
            let expected = sorted(&store.journal, measure, wanted);
            assert!(expected.len() >= 20);
            for most in [1, 7, 500] {
                assert_eq!(ranked(&store.journal, measure, most, wanted), expected);
            }
        }
    }
}

#[test]
fn the_oldest_come_first_where_that_is_asked_for() {
    let directory = directory();
    let store = hundred(directory.path());
    let mut found = Vec::new();
    let mut after = Some(0);
    while let Some(n) = after {
        let page = store.journal.list_after(n, 7, &Every);
        found.extend(page.exchanges.iter().map(|one| one.n));
        after = page.more;
    }
    assert_eq!(found, (1..=100).collect::<Vec<_>>());
    let refused: Expression = "status == 4100".parse().unwrap();
    let page = store.journal.list_after(60, 100, &refused);
    let numbers: Vec<_> = page.exchanges.iter().map(|one| one.n).collect();
    assert_eq!(numbers, [61, 66, 71, 76, 81, 86, 91, 96]);
}

#[test]
fn a_note_is_recorded_whether_memory_holds_the_exchange_or_not() {
    let directory = directory();
    let mut store = hundred(directory.path());
    let journal = Arc::clone(&store.journal);
    for (n, comment) in [(5, "why \"4100\"?"), (90, ""), (101, "")] {
        let noted = journal.annotate(n, Annotation::new(true, comment));
        assert_eq!(noted.is_ok(), n <= 100);
    }
    let marked: Expression = "marked".parse().unwrap();
    let commented: Expression = "comment contains \"4100\"".parse().unwrap();
    let check = |journal: &Journal| {
        let numbers = |wanted: &dyn Wanted| -> Vec<u64> {
            all(journal, wanted).iter().map(|one| one.n).collect()
        };
        assert_eq!(numbers(&marked), [90, 5]);
        assert_eq!(numbers(&commented), [5]);
        assert_eq!(journal.next_after(5, &marked).unwrap().n, 90);
        assert!(journal.exchange(5).unwrap().annotation.marked);
    };
    // At once, and once it is recorded.
    check(&journal);
    record_all(&mut store);
    check(&journal);
    journal.annotate(90, Annotation::default()).unwrap();
    journal.annotate(90, Annotation::new(true, "")).unwrap();
    record_all(&mut store);
    store.finish();
    check(view(directory.path()).unwrap().journal());
    std::fs::remove_file(directory.path().join("index.sqlite")).unwrap();
    check(view(directory.path()).unwrap().journal());
    let segments = std::fs::read_dir(directory.path()).unwrap();
    let paths = segments.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|name| name == "pcapng"));
    let files: Vec<_> = paths.map(|path| std::fs::read(path).unwrap()).collect();
    let said = "exchange 5, known later:\nmarked\ncomment: why \"4100\"?";
    let says = |file: &Vec<u8>| String::from_utf8_lossy(file).contains(said);
    assert!(files.iter().any(says), "as Wireshark shows it");
}

#[test]
fn what_is_only_looked_at_keeps_notes_in_memory_alone() {
    let directory = directory();
    hundred(directory.path()).finish();
    let opened = view(directory.path()).unwrap();
    let journal = opened.journal();
    let unmarked: Expression = "not marked".parse().unwrap();
    let marked: Expression = "marked == true".parse().unwrap();
    journal.annotate(7, Annotation::new(true, "here")).unwrap();
    assert_eq!(all(journal, &marked).len(), 1);
    assert_eq!(all(journal, &unmarked).len(), 99);
    assert_eq!(
        journal
            .top(Measure::Latency, None, 9, &marked)
            .exchanges
            .len(),
        1
    );
    journal.annotate(7, Annotation::default()).unwrap();
    assert_eq!(all(journal, &marked).len(), 0);
    drop(opened);
    assert_eq!(
        all(view(directory.path()).unwrap().journal(), &marked).len(),
        0
    );
}
