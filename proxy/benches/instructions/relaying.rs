//! A relay between two ends on the loopback interface, all in one thread. What the ends
//! and the runtime take is in both figures; the tap's path, into its queue and out again,
//! is what they differ by.

use parallax_codec::Dialect;
use parallax_codec::code;
use parallax_proxy::relay::{CarriedOn, Relay, RelayConfig, Shutdown, TapLimits, tap};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

use crate::case::{Case, Prepared};
use crate::frames::{poll, polled, reply, request};

const TIMES: u64 = 200;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::new("relaying: a poll and its reply", || relayed(false)),
        Case::new("relaying: a poll and its reply, tapped", || relayed(true)),
    ]
}

fn relayed(tapped: bool) -> Prepared {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let asked = request(Dialect::Classic, &poll(1));
    let body = polled(Dialect::Classic, 0, 1, 100);
    let answer = reply(Dialect::Classic, code::POLL_MESSAGES, &body);
    let mut client = runtime.block_on(through_a_relay(tapped, asked.len(), answer.to_vec()));
    let mut received = vec![0; answer.len()];
    Prepared::new(TIMES, move || {
        runtime.block_on(async {
            for _ in 0..TIMES {
                client.write_all(&asked).await.unwrap();
                client.read_exact(&mut received).await.unwrap();
            }
        });
    })
}

/// A connection through a relay to what answers each request of this length.
async fn through_a_relay(tapped: bool, length: usize, answer: Vec<u8>) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        client.set_nodelay(true).unwrap();
        let mut received = vec![0; length];
        while client.read_exact(&mut received).await.is_ok() {
            client.write_all(&answer).await.unwrap();
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let tap = tapped.then(|| {
        let (tap, mut observations) = tap(TapLimits::default());
        tokio::spawn(async move { while observations.recv().await.is_some() {} });
        tap
    });
    let mut config = RelayConfig::new(upstream.to_string());
    // Only what this thread does is counted.
    config.carried_on = CarriedOn::CallingRuntime;
    let relay = Relay::new(listener, config, tap);
    tokio::spawn(relay.await.unwrap().serve(Shutdown::new()));
    let client = TcpStream::connect(address).await.unwrap();
    client.set_nodelay(true).unwrap();
    client
}
