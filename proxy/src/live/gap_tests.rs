//! What the observer did not see, from the relay to the journal.

use std::sync::Arc;
use std::time::Duration;

use parallax_captures::{Connection, Journal};
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::code;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::ProxyConfig;
use super::observer::observe;
use super::ways::Ways;
use crate::relay::{Relay, RelayConfig, Shutdown, TapLimits, tap};

/// Pings the server through the relay, and the server answers.
async fn ping(client: &mut TcpStream, server: &mut TcpStream) {
    let (request, reply) = (encode_request(code::PING, &[]), encode_reply(0, &[]));
    client.write_all(&request).await.unwrap();
    server
        .read_exact(&mut vec![0; request.len()])
        .await
        .unwrap();
    server.write_all(&reply).await.unwrap();
    client.read_exact(&mut vec![0; reply.len()]).await.unwrap();
}

fn connection(journal: &Journal) -> Option<Connection> {
    journal.connections().pop()
}

#[tokio::test]
async fn what_there_was_no_room_for_is_a_gap_between_the_exchanges_around_it() {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    // Room for an opening, a connection to the server, and three pings with replies.
    let (tap, observations) = tap(TapLimits {
        observations: 8,
        ..TapLimits::default()
    });
    let config = RelayConfig::new(server.local_addr().unwrap().to_string());
    let relay = Relay::new(listener, config, Some(tap)).await.unwrap();
    let shutdown = Shutdown::new();
    let serving = tokio::spawn(relay.serve(shutdown.clone()));
    let mut client = TcpStream::connect(address).await.unwrap();
    let (mut served, _) = server.accept().await.unwrap();
    for _ in 0..20 {
        ping(&mut client, &mut served).await;
    }

    let journal = Arc::new(Journal::new());
    let config = ProxyConfig::before(address);
    let ways = Ways::of(&config, &[address], &Arc::default(), &journal).unwrap();
    let observing = tokio::spawn(observe(observations, Arc::clone(&journal), ways));
    let goes_on = async {
        while journal.totals().exchanges < 4 {
            ping(&mut client, &mut served).await;
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), goes_on).await.unwrap();
    drop((client, served));
    let over = async {
        while connection(&journal).is_none_or(|one| one.closed.is_none()) {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), over).await.unwrap();

    let told = connection(&journal).unwrap();
    let first = told.gaps.iter().next().unwrap();
    // The three pings that there was room for, and where in the stream it stops.
    let at = 3 * encode_request(code::PING, &[]).len() as u64;
    assert_eq!((first.after, first.at), (3, at));
    assert!(first.since <= first.until);
    let lost: u64 = told.gaps.iter().map(|gap| gap.bytes).sum();
    assert_eq!(lost, told.bytes_unobserved);
    let pieces: u64 = told.gaps.iter().map(|gap| gap.observations).sum();
    assert_eq!(pieces, journal.totals().observations_dropped);
    shutdown.signal();
    serving.await.unwrap();
    observing.await.unwrap();
}
