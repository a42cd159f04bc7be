//! A frame of 64 MiB passes, and is not gathered.

use parallax_codec::classic::encode_request;
use parallax_codec::code;
use parallax_proxy::limits::{GATHERED_BODY_BYTES, READ_BUFFER_SIZES};

use crate::support::{EMPTY_POLL, MIB, Memory, Parallax, ask, log_in, poll, server};

const FRAME: usize = 64 * 1024 * 1024;

/// What the program may take for a frame beyond what it takes at rest: what waits to be
/// looked at, where looking falls behind, and the read buffers. Of the frame itself nothing
/// but a label is kept.
const WAITING: u64 = parallax_proxy::limits::TAP_BYTES as u64 + 4 * READ_BUFFER_SIZES[2] as u64;

/// And what the allocator may not have given back.
const SLACK: u64 = 8 * MIB;

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_of_64_mib_streams_through() {
    let parallax = Parallax::before(server(FRAME).await);
    let mut client = parallax.connect().await;
    log_in(&mut client).await;
    parallax.has_told(1).await;
    let before = parallax.memory();
    for _ in 0..3 {
        assert_eq!(ask(&mut client, &poll()).await, FRAME as u64);
    }
    check("reply", before, parallax.memory());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_of_64_mib_streams_through() {
    let parallax = Parallax::before(server(EMPTY_POLL).await);
    let mut client = parallax.connect().await;
    log_in(&mut client).await;
    parallax.has_told(1).await;
    let before = parallax.memory();
    let request = encode_request(code::SEND_MESSAGES, &vec![0; FRAME]);
    for _ in 0..3 {
        ask(&mut client, &request).await;
    }
    check("request", before, parallax.memory());
}

fn check(what: &str, before: Memory, after: Memory) {
    let grown = after.peak - before.now;
    crate::support::say(&format!(
        "a {what} of 64 MiB, three times: {} KiB at most, {} KiB in the end",
        grown / 1024,
        after.now.saturating_sub(before.now) / 1024
    ));
    assert!(grown < WAITING + SLACK, "{grown} bytes for a {what}");
    const { assert!(GATHERED_BODY_BYTES < FRAME) };
}
