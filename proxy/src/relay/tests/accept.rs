//! The accept loop outlives whatever accepting says.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::relay::accept::Accept;
use crate::relay::server::{Commons, Plan, serve};
use crate::relay::workers::{CarriedOn, Workers};
use crate::relay::{RelayConfig, Shutdown};

/// EMFILE of Linux: the process has no file descriptor left.
const EMFILE: i32 = 24;

/// A listener whose system lacks file descriptors for the first few clients.
struct Exhausted {
    listener: TcpListener,
    failures: u32,
    asked: Arc<AtomicU32>,
}

impl Accept for Exhausted {
    async fn accept(&mut self) -> io::Result<(TcpStream, SocketAddr)> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.failures > 0 {
            self.failures -= 1;
            return Err(io::Error::from_raw_os_error(EMFILE));
        }
        self.listener.accept().await
    }
}

async fn exhausted(failures: u32) -> (Exhausted, Plan, Arc<AtomicU32>) {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = server.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = server.accept().await {
            tokio::spawn(async move {
                let (mut reader, mut writer) = stream.split();
                tokio::io::copy(&mut reader, &mut writer).await
            });
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let asked = Arc::new(AtomicU32::new(0));
    let config = RelayConfig::new(upstream);
    let plan = Plan {
        own: [listener.local_addr().unwrap()].into(),
        commons: Commons::new(
            &config,
            None,
            Workers::start(CarriedOn::CallingRuntime).unwrap(),
        ),
        config: Arc::new(config),
    };
    let acceptor = Exhausted {
        listener,
        failures,
        asked: Arc::clone(&asked),
    };
    (acceptor, plan, asked)
}

#[tokio::test]
async fn a_client_is_served_after_descriptors_were_lacking() {
    let (acceptor, plan, _) = exhausted(6).await;
    let (address, shutdown) = (plan.own[0], Shutdown::new());
    let counters = Arc::clone(&plan.commons.counters);
    let served = tokio::spawn(serve(acceptor, plan, shutdown.clone()));
    let mut client = TcpStream::connect(address).await.unwrap();
    client.write_all(b"anybody?").await.unwrap();
    let mut reply = [0; 8];
    timeout(Duration::from_secs(20), client.read_exact(&mut reply))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(&reply, b"anybody?");
    drop(client);
    shutdown.signal();
    served.await.unwrap();
    let statistics = counters.snapshot();
    assert_eq!((statistics.accept_errors, statistics.accepted), (6, 1));
}

#[tokio::test(start_paused = true)]
async fn a_lasting_failure_is_retried_for_ever_without_spinning() {
    let (acceptor, plan, asked) = exhausted(u32::MAX).await;
    let shutdown = Shutdown::new();
    let served = tokio::spawn(serve(acceptor, plan, shutdown.clone()));
    tokio::time::sleep(Duration::from_mins(1)).await;
    let tries = asked.load(Ordering::Relaxed);
    assert!((50..80).contains(&tries), "{tries} in a minute");
    shutdown.signal();
    served.await.unwrap();
}
