//! Load for an hour, with the mirror and the recording on: whether memory stays flat, no
//! exchange is lost, and latency does not drift. `docs/performance.md` has the figures.
//!
//! ```text
//! cargo bench -p parallax-tests --bench soak
//! cargo bench -p parallax-tests --bench soak -- --minutes 10 --rate 2000
//! ```
//!
//! The rate is half of the highest that this machine has in a short run before it, unless
//! it is given.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use parallax_tests::load::{Filled, Kind, Load, Pace, Responder, Soak, Through, fill, standin};

const CONNECTIONS: usize = 16;

fn main() -> ExitCode {
    let (minutes, rate) = options();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soak");
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).expect("the target folder can be written to");
    let (runtime, standin) = standin();
    let answers = fill(standin.tcp, "soak", Filled::SMALL);
    let server = Responder::start(&answers).address;
    let start = || Through::start(Kind::Recording, server, standin.http, &scratch);

    let rate = rate.unwrap_or_else(|| {
        let relay = start();
        let highest = Load {
            connections: CONNECTIONS,
            pace: Pace::AtOnce,
            warm_up: Duration::from_secs(2),
            duration: Duration::from_secs(10),
        };
        let highest = highest.run(relay.address, &answers).expect("it relays");
        println!("highest: {:.0} polls a second", highest.rate());
        relay.summary();
        highest.rate() / 2.0
    });
    let _ = std::fs::remove_dir_all(scratch.join("recording"));
    let soak = Soak {
        connections: CONNECTIONS,
        rate,
        look: Duration::from_mins(1),
        looks: minutes,
    };
    println!("{minutes} minutes at {rate:.0} polls a second, mirror and recording on");
    let mut number = 0;
    let soaked = soak.run(start(), &answers, |look| {
        number += 1;
        println!("{number:>3}  {look}");
    });
    let soaked = soaked.expect("it relays");
    let (growth, drift) = (soaked.memory_growth(), soaked.drift());
    println!(
        "{} exchanges made, {} seen, {} recorded, {} could not be recorded",
        soaked.exchanges, soaked.seen, soaked.recorded, soaked.not_kept
    );
    println!("memory of the last third to the middle one: {growth:.3}");
    println!("median latency of the last third to the first: {drift:.3}");
    drop(runtime);
    let _ = std::fs::remove_dir_all(&scratch);
    let whole = [soaked.seen, soaked.recorded] == [soaked.exchanges; 2] && soaked.not_kept == 0;
    if whole && growth < 1.05 && drift < 1.2 {
        ExitCode::SUCCESS
    } else {
        println!("not as it has to be");
        ExitCode::FAILURE
    }
}

/// Minutes, and polls a second if given.
fn options() -> (usize, Option<f64>) {
    let (mut minutes, mut rate) = (60, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().expect("a value after the option");
        match argument.as_str() {
            // Cargo says so.
            "--bench" => {}
            "--minutes" => minutes = value().parse().expect("a number of minutes"),
            "--rate" => rate = Some(value().parse().expect("polls a second")),
            other => panic!("{other}: known are --minutes N and --rate POLLS"),
        }
    }
    (minutes, rate)
}
