//! Lists that are longer than a recording of a real server.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use parallax_captures::Times;
use parallax_captures::file::{Item, Reader};
use parallax_captures::recording::{RecordOptions, open};
use parallax_tests::{Browser, imported};

use crate::support::PATIENCE;

/// A recording of very many exchanges, which is gone with this.
pub(crate) struct Long(PathBuf);

impl Long {
    /// Records the exchanges of a real server over and over, a millisecond apart.
    pub(crate) fn recorded(count: usize) -> Self {
        let name = format!("parallax-long-{}-{count}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let file = imported("broken-segment_server-0.8.0/group-next-4100.pcapng");
        let reader = Reader::new(BufReader::new(File::open(file).unwrap()));
        let recording = open(RecordOptions::into_directory(&directory)).unwrap();
        let journal = Arc::clone(recording.journal());
        let recorder = recording.start().unwrap();
        let mut exchanges = Vec::new();
        for item in reader {
            match item.unwrap() {
                Item::Exchange(exchange, _) => exchanges.push(*exchange),
                Item::Connection(connection) if connection.closed.is_none() => {
                    journal.open_connection(*connection);
                }
                _ => {}
            }
        }
        for (at, exchange) in (0..).zip(exchanges.iter().cycle().take(count)) {
            let mut exchange = exchange.clone();
            let begin = Timestamp::from_second(1_700_000_000).unwrap();
            let begin = begin + SignedDuration::from_millis(at);
            let end = begin + SignedDuration::from_micros(100 + at % 997);
            exchange.times = Times {
                request_first: begin,
                request_last: begin,
                reply: exchange.times.reply.map(|_| (end, end)),
            };
            journal.record(exchange);
        }
        recorder.finish();
        Self(directory)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits until a condition in the page holds.
pub(crate) async fn until(browser: &Browser, condition: &str) {
    let script = format!("return Boolean({condition})");
    let begun = Instant::now();
    loop {
        let holds = browser.client.execute(&script, Vec::new()).await;
        // While one page makes room for another nothing can be asked.
        if holds.is_ok_and(|holds| holds == true) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "never: {condition}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
