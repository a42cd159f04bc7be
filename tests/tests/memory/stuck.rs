//! A peer that stops reading stops the other, and little is held for it.

use std::time::Duration;

use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::code;
use parallax_proxy::limits::{READ_BUFFER_SIZES, TAP_BYTES};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::support::{MIB, PATIENCE, Parallax, say};

/// Many at once, so that what is held for each is seen: the sockets between them hold some
/// hundred MiB.
const MANY: usize = 64;

/// Of what a peer does not take one read is held, and the one that is being looked at.
const EACH: u64 = 2 * READ_BUFFER_SIZES[2] as u64;

/// What has been passed on and waits to be looked at.
const WAITING: u64 = TAP_BYTES as u64;

/// And what the allocator may not have given back.
const SLACK: u64 = 8 * MIB;

/// More than the sockets of one connection hold, and than is gathered of a frame.
const FRAME: usize = 60 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_stops_reading_stops_the_server_and_holds_little() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let parallax = Parallax::before(listener.local_addr().unwrap());
    let before = parallax.memory().now;
    let (mut clients, mut servers) = (Vec::new(), Vec::new());
    for _ in 0..MANY {
        let mut client = parallax.connect().await;
        let (mut served, _) = listener.accept().await.unwrap();
        let request = encode_request(code::GET_STREAMS, &[]);
        client.write_all(&request).await.unwrap();
        served
            .read_exact(&mut vec![0; request.len()])
            .await
            .unwrap();
        clients.push(client);
        servers.push(served);
    }
    let reply = encode_reply(0, &vec![0; FRAME]);
    for served in &mut servers {
        stopped(served, &reply).await;
    }
    bounded("client", before, &parallax);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_reading_stops_the_client_and_holds_little() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let parallax = Parallax::before(listener.local_addr().unwrap());
    let before = parallax.memory().now;
    let (mut clients, mut servers) = (Vec::new(), Vec::new());
    for _ in 0..MANY {
        clients.push(parallax.connect().await);
        servers.push(listener.accept().await.unwrap());
    }
    let request = encode_request(code::SEND_MESSAGES, &vec![0; FRAME]);
    for client in &mut clients {
        stopped(client, &request).await;
    }
    bounded("server", before, &parallax);
}

/// Writes until the other side takes no more.
async fn stopped(socket: &mut TcpStream, frame: &[u8]) {
    let mut written = 0;
    let writing = async {
        loop {
            let write = socket.write(&frame[written..]);
            let Ok(count) = timeout(Duration::from_millis(200), write).await else {
                break;
            };
            written += count.unwrap();
            assert!(written < frame.len(), "it was never stopped");
        }
    };
    timeout(PATIENCE, writing).await.expect("it is stopped");
}

fn bounded(who: &str, before: u64, parallax: &Parallax) {
    let grown = parallax.memory().peak.saturating_sub(before);
    let bound = MANY as u64 * EACH + WAITING + SLACK;
    say(&format!(
        "{MANY} connections whose {who} stopped reading: {} KiB at most",
        grown / 1024
    ));
    assert!(grown < bound, "{grown} bytes, more than {bound}");
}
