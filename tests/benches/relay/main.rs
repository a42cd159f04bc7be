//! What a relay costs: the same load direct, through others and through parallax, in
//! one run, in turn, as medians of rounds. `docs/performance.md` says how to read it.
//!
//! ```text
//! cargo bench -p parallax-tests --bench relay
//! cargo bench -p parallax-tests --bench relay -- --rounds 3 --seconds 1 --load "16 clients"
//! ```
//!
//! Needs `haproxy` and `socat` (Debian packages of these names) and Linux.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod bars;
mod figures;
mod options;

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use parallax_tests::load::{Answers, Filled, Kind, Load, Pace, Responder, Through, fill, standin};

use figures::{Figures, Round, Table};
use options::{Options, scratch};

/// A load by its name in the tables.
#[derive(Debug, Clone, Copy)]
struct Named {
    name: &'static str,
    connections: usize,
    filled: Filled,
}

const LOADS: [Named; 5] = [
    Named {
        name: "1 client",
        connections: 1,
        filled: Filled::SMALL,
    },
    Named {
        name: "16 clients",
        connections: 16,
        filled: Filled::SMALL,
    },
    Named {
        name: "256 clients",
        connections: 256,
        filled: Filled::SMALL,
    },
    Named {
        name: "1 MiB, 1 client",
        connections: 1,
        filled: Filled::BULK,
    },
    Named {
        name: "1 MiB, 4 clients",
        connections: 4,
        filled: Filled::BULK,
    },
];

/// The part of `HAProxy`'s highest rate at which latency is measured: where a relay has
/// time left, so that latency is its own and not that of a queue.
const PART_OF_HIGHEST: f64 = 0.5;

fn main() {
    let options = Options::of_process();
    options.say_machine();
    let (runtime, standin) = standin();
    let scratch = scratch();
    for load in LOADS.iter().filter(|load| options.wants(load.name)) {
        let answers = fill(standin.tcp, load.name, load.filled);
        let responder = Responder::start(&answers);
        let table = measure(
            *load,
            &options,
            &answers,
            responder.address,
            standin.http,
            &scratch,
        );
        println!("{table}");
        for bar in bars::of(&table) {
            println!("{bar}");
        }
    }
    drop(runtime);
    let _ = std::fs::remove_dir_all(scratch);
}

fn measure(
    load: Named,
    options: &Options,
    answers: &Answers,
    tcp: SocketAddr,
    http: SocketAddr,
    scratch: &Path,
) -> Table {
    let kinds = options.kinds();
    let relays: Vec<Through> = kinds
        .iter()
        .map(|kind| Through::start(*kind, tcp, http, scratch))
        .collect();
    let mut rate = options.rate;
    let mut table = Table::new(load.name, load.filled.reply_bytes());
    for round in 0..options.rounds {
        let mut figures = Vec::new();
        for step in 0..relays.len() {
            // Each round begins with another one.
            let relay = &relays[(step + round) % relays.len()];
            let highest = run(load, Pace::AtOnce, options, relay, answers);
            figures.push((relay.kind, highest, None));
        }
        let reference = figures.iter().find(|(kind, ..)| *kind == Kind::Haproxy);
        let reference = reference.unwrap_or(&figures[0]);
        let rate = *rate.get_or_insert(reference.1.measured.rate() * PART_OF_HIGHEST);
        for (kind, _, even) in &mut figures {
            let relay = relays.iter().find(|relay| relay.kind == *kind);
            let relay = relay.expect("it runs");
            *even = Some(run(load, Pace::Polls(rate), options, relay, answers));
        }
        table.rate = rate;
        table.rounds.push(Round(figures));
    }
    for relay in relays {
        let kind = relay.kind;
        table.resident.push((kind, relay.resident()));
        if let Some(summary) = relay.summary() {
            table.summaries.push((kind, summary));
        }
    }
    table
}

fn run(load: Named, pace: Pace, options: &Options, relay: &Through, answers: &Answers) -> Figures {
    let load = Load {
        connections: load.connections,
        pace,
        warm_up: Duration::from_millis(300),
        duration: options.duration,
    };
    let before = relay.processor_time_at_rest();
    let measured = load.run(relay.address, answers);
    let measured = measured.unwrap_or_else(|error| panic!("{}: {error}", relay.kind.name()));
    let during = relay.processor_time();
    let after = relay.processor_time_at_rest();
    Figures {
        measured,
        processor_time: after.max(during).saturating_sub(before),
    }
}
