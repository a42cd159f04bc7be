use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

use super::*;
use crate::recording::disk::{Disk, Output, SystemDisk};
use crate::recording::open::open_on;
use crate::recording::{Recorder, RecordingState, view};

/// A disk on which so many bytes are left.
#[derive(Debug, Clone)]
struct SmallDisk(Arc<AtomicUsize>);

#[derive(Debug)]
struct SmallFile {
    file: Box<dyn Output>,
    left: Arc<AtomicUsize>,
}

impl Disk for SmallDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let file = SystemDisk.create(path)?;
        let left = Arc::clone(&self.0);
        Ok(Box::new(SmallFile { file, left }))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        SystemDisk.remove(path)
    }
}

impl io::Write for SmallFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        if left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = self.file.write(&bytes[..bytes.len().min(left)])?;
        self.left.fetch_sub(written, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Output for SmallFile {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }
}

#[test]
fn a_full_disk_is_said_what_is_not_kept_counted_and_the_recording_goes_on() {
    let directory = directory();
    let left = Arc::new(AtomicUsize::new(30_000));
    let disk = SmallDisk(Arc::clone(&left));
    let mut store = open_on(small(directory.path()), Box::new(disk))
        .unwrap()
        .into_store();
    store.keep_in_memory(20, usize::MAX);
    let journal = Arc::clone(&store.journal);
    connect(&journal, 1);
    connect(&journal, 2);
    let mut failing = 0;
    for number in 0..100 {
        traffic(&journal, number..number + 1);
        record_all(&mut store);
        let state = journal.recording().unwrap().state;
        failing += u64::from(matches!(state, RecordingState::Failing { .. }));
    }
    let status = journal.recording().unwrap();
    let RecordingState::Failing { reason, .. } = &status.state else {
        panic!("{status:?}");
    };
    assert!(reason.contains("no storage space"), "{reason}");
    assert!(failing > 20 && status.exchanges > 5);
    // What was written before the disk was full is there, the rest is in memory or lost.
    assert_eq!(
        journal.totals().exchanges_dropped,
        100 - 20 - status.exchanges
    );
    assert_figures_fit(&journal);

    left.store(1_000_000, Ordering::Relaxed);
    store.retry_now();
    record_all(&mut store);
    let status = journal.recording().unwrap();
    assert_eq!(status.state, RecordingState::Ok);
    assert_eq!(status.not_kept, journal.totals().exchanges_dropped);
    assert_eq!(status.not_kept + status.exchanges, 100);
    assert_figures_fit(&journal);
    store.finish();
    let view = view(directory.path()).unwrap();
    let not_there = format!(
        "{} of the exchanges 1 to 100 are not in it",
        status.not_kept
    );
    let [note] = view.notes() else {
        panic!("{:?}", view.notes());
    };
    assert!(note.starts_with(&not_there), "{note}");
    assert!(shown(view.journal())["exchanges"] == shown(&journal)["exchanges"]);
    assert_figures_fit(view.journal());
}

/// A disk that takes nothing until its gate is opened.
#[derive(Debug, Clone, Default)]
struct SlowDisk(Arc<(Mutex<bool>, Condvar)>);

#[derive(Debug)]
struct SlowFile {
    file: Box<dyn Output>,
    disk: SlowDisk,
}

impl Disk for SlowDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let file = SystemDisk.create(path)?;
        let disk = self.clone();
        Ok(Box::new(SlowFile { file, disk }))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        SystemDisk.remove(path)
    }
}

impl io::Write for SlowFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (is_open, opened) = &*self.disk.0;
        drop(
            opened
                .wait_while(is_open.lock().unwrap(), |is_open| !*is_open)
                .unwrap(),
        );
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Output for SlowFile {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }
}

#[test]
fn while_a_disk_takes_nothing_nobody_but_the_recorder_waits_and_memory_stays_bounded() {
    let directory = directory();
    let disk = SlowDisk::default();
    let opened = open_on(small(directory.path()), Box::new(disk.clone())).unwrap();
    let mut store = opened.into_store();
    store.keep_in_memory(50, usize::MAX);
    let journal = Arc::clone(&store.journal);
    let recorder = Recorder::start(store).unwrap();
    connect(&journal, 1);
    connect(&journal, 2);
    // This ends, though nothing is written.
    traffic(&journal, 0..300);
    assert_eq!(journal.exchanges().len(), 50);
    assert_eq!(journal.recording().unwrap().exchanges, 0);
    *disk.0.0.lock().unwrap() = true;
    disk.0.1.notify_all();
    recorder.finish();
    let status = journal.recording().unwrap();
    assert_eq!(status.state, RecordingState::Ended);
    assert_eq!(status.exchanges + status.not_kept, 300);
    assert_eq!(status.not_kept, journal.totals().exchanges_dropped);
    assert!(status.not_kept > 0);
    assert_figures_fit(&journal);
    let view = view(directory.path()).unwrap();
    assert!(shown(view.journal())["exchanges"] == shown(&journal)["exchanges"]);
}
