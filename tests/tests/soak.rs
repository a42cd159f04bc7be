//! The soak of `benches/soak.rs`, short.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::time::Duration;

use parallax_tests::load::{Filled, Kind, Responder, Soak, Through, fill, standin};

/// Of one exchange of about a kilobyte, in the journal and in what is on its way there.
const BYTES_AN_EXCHANGE: u64 = 16 * 1024;

#[test]
fn a_load_with_mirror_and_recording_loses_no_exchange() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short-soak");
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).unwrap();
    let (_runtime, standin) = standin();
    let answers = fill(standin.tcp, "soak", Filled::SMALL);
    let server = Responder::start(&answers).address;
    let soak = Soak {
        connections: 16,
        rate: 400.0,
        look: Duration::from_secs(3),
        looks: 4,
    };
    let relay = Through::start(Kind::Recording, server, standin.http, &scratch);
    let before = relay.resident();
    let soaked = soak.run(relay, &answers, |_| {}).unwrap();
    assert!(soaked.exchanges > 1_000, "{soaked:?}");
    assert_eq!(soaked.seen, soaked.exchanges);
    assert_eq!((soaked.recorded, soaked.not_kept), (soaked.exchanges, 0));
    let grown = soaked.looks.last().unwrap().resident.saturating_sub(before);
    let most = soaked.exchanges * BYTES_AN_EXCHANGE + 64 * 1024 * 1024;
    assert!(
        grown < most,
        "{grown} bytes for {} exchanges",
        soaked.exchanges
    );
    let _ = std::fs::remove_dir_all(&scratch);
}
