//! `kill -9` at any moment loses at most the last second, and damages nothing.
//! `PARALLAX_TEST_KILLS=100` kills as often.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parallax_captures::recording::view;
use parallax_captures::{Exchange, Journal};
use parallax_tests::{Running, Server, is_installed, tshark};

use crate::Directory;
use crate::asker::{Asker, name_of};

/// What may be lost.
const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_killed_loses_at_most_the_last_second_and_damages_nothing() {
    let rounds = std::env::var("PARALLAX_TEST_KILLS").map_or(10, |text| text.parse().unwrap());
    let server = Server::start().await;
    let directory = Directory::new("killed");
    let has_tshark = is_installed("tshark", "tshark");
    let mut found = BTreeMap::new();
    let mut expected = BTreeSet::new();
    let mut last = 0;
    for round in 0..rounds {
        let upstream = server.tcp.to_string();
        let record = directory.path().display().to_string();
        let mut program = Running::start(&[
            "run",
            "--no-mirror",
            "--listen",
            "127.0.0.1:0",
            "--ui",
            "127.0.0.1:0",
            "--upstream",
            &upstream,
            "--record",
            &record,
            "--record-segment-size",
            "256KiB",
        ]);
        let listening = program.line_with("listening");
        let listen = listening
            .split_whitespace()
            .nth(1)
            .unwrap()
            .parse()
            .unwrap();
        let askers: Vec<_> = ["a", "b"]
            .map(|name| Asker::start(listen, &format!("{round}{name}")))
            .into();
        std::thread::sleep(Duration::from_millis(200 + random(2_000)));
        let killed = Instant::now();
        drop(program);
        for asker in askers {
            let old = |(_, when): &(String, Instant)| *when + SECOND <= killed;
            let answered = asker.answered();
            expected.extend(answered.into_iter().filter(old).map(|(name, _)| name));
        }
        let view = view(directory.path()).unwrap();
        assert!(view.notes().len() <= 1, "{:?}", view.notes());
        let journal = view.journal();
        // Those of earlier rounds were read then; the last round reads all once more.
        if round + 1 == rounds {
            found.clear();
            last = 0;
        }
        for exchange in after(journal, last) {
            let twice = found.insert(name_of(&exchange), exchange.conn);
            assert!(twice.is_none(), "{} is there twice", name_of(&exchange));
            last = last.max(exchange.n);
        }
        assert_eq!(found.len() as u64, journal.counts().exchanges);
        let lost: Vec<_> = expected
            .iter()
            .filter(|name| !found.contains_key(*name))
            .collect();
        assert!(lost.is_empty(), "round {round} lost {lost:?}");
        // Each client of each run has a connection of its own.
        let clients: BTreeSet<_> = found
            .keys()
            .map(|name| name.split('-').next().unwrap())
            .collect();
        let connections: BTreeSet<_> = found.values().collect();
        assert_eq!(clients.len(), connections.len());
        if has_tshark {
            // Older ones were read in the rounds before. The last may be torn.
            for segment in directory.segments().iter().rev().skip(1).take(3) {
                tshark::run(segment, &[]);
            }
        }
    }
    assert!(expected.len() > 100 && last >= expected.len() as u64);
}

/// The exchanges with larger numbers.
fn after(journal: &Journal, n: u64) -> Vec<Arc<Exchange>> {
    let any = |_: &Exchange| true;
    let mut found = Vec::new();
    let mut before = None;
    loop {
        let listing = journal.list(before, 100, &any);
        found.extend(
            listing
                .exchanges
                .into_iter()
                .filter(|exchange| exchange.n > n),
        );
        match listing.more.filter(|more| *more > n) {
            Some(more) => before = Some(more),
            None => return found,
        }
    }
}

/// A number below `limit`, another one each time.
fn random(limit: u64) -> u64 {
    RandomState::new().hash_one(0) % limit
}
