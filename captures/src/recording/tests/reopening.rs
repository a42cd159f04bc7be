use std::fs;
use std::io::Write as _;

use super::*;
use crate::recording::{RecordingError, view};

/// Two connections, one of which has ended, and what `traffic` makes; written in
/// several goes.
fn record(directory: &Path) -> Value {
    let mut store = recorder(directory);
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    for begin in [0, 40, 80] {
        traffic(&journal, begin..begin + 40);
        journal.note_gap(ConnectionId(2), &unseen(begin));
        record_all(&mut store);
    }
    close(&journal, 2);
    record_all(&mut store);
    store.finish();
    shown(&journal)
}

/// What was not looked at.
fn unseen(number: u64) -> crate::Unseen {
    crate::Unseen {
        direction: Direction::ToClient,
        bytes: 1_000 + number,
        observations: 3,
        since: at(10 * number),
        until: at(10 * number + 5),
    }
}

#[test]
fn a_recording_shows_what_the_journal_showed() {
    let directory = directory();
    let live = record(directory.path());
    assert_eq!(live["exchanges"].as_array().unwrap().len(), 120);
    let gaps = live["connections"][1]["gaps"].as_array().unwrap();
    let after: Vec<_> = gaps.iter().map(|gap| gap["after"].as_u64()).collect();
    assert_eq!(after, [Some(40), Some(80), Some(120)]);
    let view = view(directory.path()).unwrap();
    assert_eq!(view.notes(), [""; 0]);
    assert_same(&shown(view.journal()), &live);
    assert_figures_fit(view.journal());
}

#[test]
fn a_recording_knows_which_partition_http_named() {
    let directory = directory();
    let mut store = recorder(directory.path());
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    let n = journal.record(poll_of(5, None));
    let mut refused = verdict(VerdictKind::Agree);
    if let MirrorOutcome::Refused(refusal) = &mut refused.answers[0].outcome {
        refusal.code = Some(parallax_codec::ErrorCode(4100));
    }
    journal.set_verdict(n, refused);
    record_all(&mut store);
    store.finish();
    let view = view(directory.path()).unwrap();
    assert_eq!(partitions(view.journal()), partitions(&journal));
    let named = |(place, one): (crate::PartitionPlace, crate::PartitionFigures)| {
        (one.named_by_http > 0).then_some(place.2)
    };
    let named: Vec<_> = view
        .journal()
        .partitions()
        .each()
        .filter_map(named)
        .collect();
    assert_eq!(named, [Some(1)]);
}

#[test]
fn an_index_that_is_gone_or_damaged_is_made_again() {
    let directory = directory();
    let live = record(directory.path());
    let index = directory.path().join("index.sqlite");
    fs::remove_file(&index).unwrap();
    assert_same(&shown(view(directory.path()).unwrap().journal()), &live);
    fs::write(
        &index,
        "this is no database, and long enough to be read as one",
    )
    .unwrap();
    assert_same(&shown(view(directory.path()).unwrap().journal()), &live);
}

#[test]
fn an_index_that_was_open_when_the_machine_went_down_is_made_again() {
    let directory = directory();
    let live = record(directory.path());
    let index = rusqlite::Connection::open(directory.path().join("index.sqlite")).unwrap();
    // Of the machine's start before this one, and wrong.
    let sql = "INSERT INTO meta VALUES ('open', 'before'); UPDATE exchange SET place = 1";
    index.execute_batch(sql).unwrap();
    drop(index);
    assert_same(&shown(view(directory.path()).unwrap().journal()), &live);
}

#[test]
fn one_segment_is_a_file_of_its_own() {
    let directory = directory();
    let live = record(directory.path());
    let elsewhere = super::directory();
    let file = elsewhere.path().join("sent by mail.pcapng");
    fs::copy(directory.path().join("parallax-000001.pcapng"), &file).unwrap();
    let view = view(&file).unwrap();
    let seen = shown(view.journal());
    let (seen, live) = (
        seen["exchanges"].as_array().unwrap(),
        live["exchanges"].as_array().unwrap(),
    );
    assert!(seen.len() > 10 && seen.len() < live.len());
    assert_eq!(seen, &live[live.len() - seen.len()..]);
    assert_figures_fit(view.journal());
}

#[test]
fn a_later_segment_stands_alone() {
    let directory = directory();
    record(directory.path());
    let last = directory.path().join("parallax-000002.pcapng");
    let view = view(&last).unwrap();
    let journal = view.journal();
    assert_eq!(journal.findings().len(), 3);
    assert_eq!(journal.connections().len(), 2);
    assert_figures_fit(journal);
}

#[test]
fn a_torn_end_is_cut_off_and_said_and_the_recording_goes_on_with_the_next_numbers() {
    let directory = directory();
    record(directory.path());
    let whole = shown(view(directory.path()).unwrap().journal());
    let last = fs::read_dir(directory.path()).unwrap();
    let last = last.map(|one| one.unwrap().path());
    let last = last
        .filter(|path| path.extension().is_some_and(|e| e == "pcapng"))
        .max()
        .unwrap();
    let length = fs::metadata(&last).unwrap().len();
    let mut file = fs::OpenOptions::new().append(true).open(&last).unwrap();
    file.write_all(b"\x06\0\0\0\x80\0\0\0half a block").unwrap();
    drop(file);

    let opened = open(small(directory.path())).unwrap();
    assert_eq!(opened.notes().len(), 1, "{:?}", opened.notes());
    assert!(
        opened.notes()[0].contains("cut off"),
        "{:?}",
        opened.notes()
    );
    assert_eq!(fs::metadata(&last).unwrap().len(), length);
    assert_eq!(opened.last_connection(), 2);
    let mut store = opened.into_store();
    let journal = Arc::clone(&store.journal);
    assert!(shown(&journal)["exchanges"] == whole["exchanges"]);
    let unended = journal.connection(ConnectionId(1)).unwrap();
    assert!(unended.closed.unwrap().1.contains("parallax ended"));
    connect(&journal, 3);
    assert_eq!(journal.record(poll(120)), 121);
    record_all(&mut store);
    store.finish();
    let again = view(directory.path()).unwrap();
    assert_eq!(again.journal().totals().exchanges, 121);
    assert_same(&shown(again.journal()), &shown(&journal));
}

#[test]
fn what_is_in_the_segments_and_not_in_the_index_is_put_in() {
    let directory = directory();
    let mut store = recorder(directory.path());
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    traffic(&journal, 0..30);
    record_all(&mut store);
    let index = directory.path().join("index.sqlite");
    let kept = super::directory();
    let behind = kept.path().join("index.sqlite");
    store.index.settle().unwrap();
    fs::copy(&index, &behind).unwrap();
    traffic(&journal, 30..60);
    record_all(&mut store);
    // Of exchanges that the old index has: a verdict that came late.
    journal.set_verdict(4, verdict(VerdictKind::Stale));
    record_all(&mut store);
    store.finish();
    let live = shown(&journal);
    fs::copy(&behind, &index).unwrap();
    assert_same(&shown(view(directory.path()).unwrap().journal()), &live);
}

#[test]
fn a_directory_has_one_recorder_and_can_be_viewed_meanwhile() {
    let directory = directory();
    let mut store = recorder(directory.path());
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    traffic(&journal, 0..30);
    record_all(&mut store);
    let second = open(small(directory.path())).unwrap_err();
    assert!(matches!(second, RecordingError::Locked(_)), "{second}");
    let view = view(directory.path()).unwrap();
    assert!(shown(view.journal())["exchanges"] == shown(&journal)["exchanges"]);
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_a_recording() {
    use std::os::unix::fs::PermissionsExt as _;
    let parent = directory();
    let directory = parent.path().join("captures");
    record(&directory);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    for entry in fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}
