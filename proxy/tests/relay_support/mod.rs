//! A relay between real sockets, for the tests.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its own part"
)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use parallax_proxy::relay::{
    Counters, Event, Observation, Observations, Relay, RelayConfig, Shutdown, Statistics,
    TapLimits, tap,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// Longer than anything here takes; reached only when a test fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Running {
    pub address: SocketAddr,
    pub counters: Arc<Counters>,
    pub observations: Observations,
    pub shutdown: Shutdown,
    pub served: JoinHandle<Statistics>,
}

/// A relay to `upstream`, its config changed by `change`.
pub async fn relay_with(
    upstream: SocketAddr,
    limits: TapLimits,
    change: impl FnOnce(&mut RelayConfig),
) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (tap, observations) = tap(limits);
    let mut config = RelayConfig::new(upstream.to_string());
    change(&mut config);
    let relay = Relay::new(listener, config, Some(tap)).await.unwrap();
    let (counters, shutdown) = (relay.counters(), Shutdown::new());
    Running {
        address,
        counters,
        observations,
        served: tokio::spawn(relay.serve(shutdown.clone())),
        shutdown,
    }
}

pub async fn relay_to(upstream: SocketAddr) -> Running {
    relay_with(upstream, TapLimits::default(), |_| {}).await
}

impl Running {
    /// A client and the server's end of the same relayed connection.
    pub async fn pair(&self, server: &TcpListener) -> (TcpStream, TcpStream) {
        let client = TcpStream::connect(self.address).await.unwrap();
        let (server, _) = soon(server.accept()).await.unwrap();
        (client, server)
    }

    pub async fn next(&mut self) -> Observation {
        soon(self.observations.recv()).await.unwrap()
    }

    /// The next event that is `wanted`, skipping others.
    pub async fn event(&mut self, wanted: impl Fn(&Event) -> bool) -> Event {
        loop {
            let observation = self.next().await;
            if wanted(&observation.event) {
                return observation.event;
            }
        }
    }

    pub async fn closed(&mut self) -> Event {
        self.event(|event| matches!(event, Event::Closed { .. }))
            .await
    }
}

pub async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// A server that sends back what it gets.
pub async fn echo() -> SocketAddr {
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut reader, mut writer) = stream.split();
                tokio::io::copy(&mut reader, &mut writer).await
            });
        }
    });
    address
}

pub async fn soon<F: Future>(what: F) -> F::Output {
    timeout(PATIENCE, what)
        .await
        .expect("it did not happen in time")
}

/// Waits until `condition` holds.
pub async fn until(condition: impl Fn() -> bool) {
    soon(async {
        while !condition() {
            sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
}
