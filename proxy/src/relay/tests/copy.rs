//! Streams arrive as they were sent, however the ends behave, and no more is
//! held of them than one read.

use std::sync::atomic::Ordering;
use std::time::Duration;

use parallax_codec::classic::Direction;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use sha2::Digest;

use super::doubles::{EndlessSource, StubbornSink, WeirdSink, WeirdSource};
use crate::limits::READ_BUFFER_SIZES;
use crate::relay::activity::Activity;
use crate::relay::duplex::{Surroundings, duplex};
use crate::relay::{CloseReason, InFlight, Shutdown};

/// Relays `lengths` bytes each way between two weird ends and compares hashes.
async fn relay_and_compare(seed: u64, lengths: [usize; 2], largest: usize) {
    let (requests, requests_sent) = WeirdSource::new(seed, lengths[0], largest);
    let (replies, replies_sent) = WeirdSource::new(seed + 1, lengths[1], largest);
    let server_sink = WeirdSink::new(seed + 2, largest);
    let client_sink = WeirdSink::new(seed + 3, largest);
    let received = [server_sink.taken.clone(), client_sink.taken.clone()];
    let ended = [server_sink.ended.clone(), client_sink.ended.clone()];

    let activity = Activity::new(InFlight::default());
    let reason = duplex(
        (requests, client_sink),
        (replies, server_sink),
        Surroundings {
            activity: &activity,
            tap: None,
            in_path: None,
            shutdown: &Shutdown::new(),
            half_closed_idle: Duration::from_hours(1),
            drain_quiet: Duration::from_hours(1),
        },
    )
    .await;

    assert!(matches!(
        reason,
        CloseReason::ClientClosed | CloseReason::ServerClosed
    ));
    for (sent, received) in [requests_sent, replies_sent].iter().zip(&received) {
        let sent = sent.lock().unwrap().clone().finalize();
        let received = received.lock().unwrap().clone().finalize();
        assert_eq!(sent, received, "seed {seed}, lengths {lengths:?}");
    }
    assert!(ended.iter().all(|ended| *ended.lock().unwrap()));
}

#[tokio::test]
async fn twenty_thousand_streams_of_random_size_arrive_unchanged() {
    let mut sizes = StdRng::seed_from_u64(2);
    for seed in 0..10_000 {
        let lengths = [sizes.random_range(0..300), sizes.random_range(0..300)];
        relay_and_compare(seed, lengths, 97).await;
    }
}

#[tokio::test]
async fn long_streams_arrive_unchanged_through_every_buffer_size() {
    for (seed, largest) in [(1, 1_000), (2, 20_000), (3, 300_000), (4, 1_000_000)] {
        relay_and_compare(seed, [3_000_000, 1_500_001], largest).await;
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_is_read_than_one_buffer_beyond_what_the_peer_takes() {
    for quota in [0, 1, 100_000, 1_000_000, 5_000_000] {
        let (requests, read) = EndlessSource::new();
        let (replies, _) = WeirdSource::new(1, 0, 1);
        let activity = Activity::new(InFlight::default());
        let outcome = duplex(
            (requests, WeirdSink::new(2, 1)),
            (replies, StubbornSink(quota)),
            Surroundings {
                activity: &activity,
                tap: None,
                in_path: None,
                shutdown: &Shutdown::new(),
                half_closed_idle: Duration::from_mins(1),
                drain_quiet: Duration::from_mins(1),
            },
        )
        .await;
        // The server's other half has ended, so the stuck pair is reaped.
        assert_eq!(outcome, CloseReason::Reaped);
        assert_eq!(activity.total(Direction::ToServer), quota as u64);
        let held = read.load(Ordering::Relaxed) - quota;
        assert!(held <= READ_BUFFER_SIZES[2], "{held} held");
        if quota == 0 {
            assert!(held <= READ_BUFFER_SIZES[0], "{held} held");
        }
    }
}
