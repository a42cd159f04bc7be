//! Faults around a running proxy. Of each: the client's bytes are what they were, the
//! journal names the fault, memory is bounded, and it is over when the fault is, without
//! a restart.
//!
//! | fault | where |
//! |---|---|
//! | too many clients | [`clients`], `proxy/tests/relay_pressure.rs` |
//! | clients that are silent, or send a byte at a time | [`clients`], `memory/idle.rs` |
//! | frames that are never whole, on many connections at once | [`clients`], `memory/stuck.rs`, `memory/long_frame.rs` |
//! | an upstream that resets, closes, is gone, and is back | [`upstream`], `proxy/tests/relay_ends.rs` |
//! | an upstream that stops reading, or is slow to connect to | `proxy/tests/relay_pressure.rs` |
//! | a peer that vanishes | `vanished_peer.rs` |
//! | HTTP that is down, silent, trickles, lies, or leads elsewhere | [`http`], `proxy/src/mirror/tests/trouble.rs` |
//! | HTTP that refuses a user, or is no Iggy server | `proxy/src/mirror/tests/login.rs` |
//! | no file descriptors left | [`descriptors`], `proxy/tests/relay_descriptors.rs`, `proxy/src/relay/tests/accept.rs` |
//! | a full or slow disk | `recording/full_disk.rs`, `captures/src/recording/tests/disk.rs` |
//! | a killed program | `recording/killed.rs` |
//! | a clock that is set while bytes pass | [`clock`], `proxy/src/live/clock.rs` |
//! | observations faster than they are looked at | `proxy/tests/relay_overload.rs`, `soak.rs` |
//! | SIGTERM with requests in flight | `orderly_end.rs`, `proxy/tests/relay_pressure.rs`, `privileges/service.rs` |
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod clients;
mod clock;
mod descriptors;
mod http;
mod upstream;

use std::time::Duration;

use parallax_captures::{Connection, Journal};
use parallax_codec::classic::encode_request;
use parallax_codec::code;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// A ping as it is on the wire, and its reply.
fn ping() -> Vec<u8> {
    encode_request(code::PING, &[]).to_vec()
}

const PONG: [u8; 8] = [0; 8];

async fn read(socket: &mut TcpStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    let read = timeout(PATIENCE, socket.read_exact(&mut bytes)).await;
    read.unwrap().unwrap();
    bytes
}

/// Answers every ping, on every connection.
async fn answer_pings(listener: TcpListener) {
    while let Ok((mut socket, _)) = listener.accept().await {
        tokio::spawn(async move {
            let mut asked = vec![0; ping().len()];
            while socket.read_exact(&mut asked).await.is_ok() {
                if socket.write_all(&PONG).await.is_err() {
                    break;
                }
            }
        });
    }
}

/// Waits until the journal shows what is wanted.
async fn until(journal: &Journal, what: &str, shown: impl Fn(&Journal) -> bool) {
    let waiting = timeout(PATIENCE, async {
        while !shown(journal) {
            sleep(Duration::from_millis(10)).await;
        }
    });
    assert!(
        waiting.await.is_ok(),
        "the journal never shows {what}: {:?}",
        journal.connections()
    );
}

/// Why a connection ended.
fn ended(connection: &Connection) -> Option<&str> {
    connection.closed.as_ref().map(|(_, why)| why.as_str())
}
