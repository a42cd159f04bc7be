//! A forwarder that keeps what passes: to compare the two sides of a proxy.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// What passed on one connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passed {
    /// The client's bytes.
    pub to_server: Vec<u8>,
    /// The server's bytes.
    pub to_client: Vec<u8>,
}

/// A listening forwarder.
#[derive(Debug)]
pub struct Tee {
    /// Where to connect.
    pub address: SocketAddr,
    passed: Arc<Mutex<Vec<Arc<Mutex<Passed>>>>>,
}

impl Tee {
    /// Forwards every connection to `target`.
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let passed: Arc<Mutex<Vec<Arc<Mutex<Passed>>>>> = Arc::default();
        let connections = Arc::clone(&passed);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let kept = Arc::new(Mutex::new(Passed::default()));
                connections.lock().expect("whole").push(Arc::clone(&kept));
                tokio::spawn(forward(client, target, kept));
            }
        });
        Self { address, passed }
    }

    /// What passed, connection by connection, in the order in which they came.
    pub fn passed(&self) -> Vec<Passed> {
        let connections = self.passed.lock().expect("whole");
        let copy = |kept: &Arc<Mutex<Passed>>| kept.lock().expect("whole").clone();
        connections.iter().map(copy).collect()
    }
}

async fn forward(client: TcpStream, target: SocketAddr, kept: Arc<Mutex<Passed>>) {
    // A server that is gone is none of a forwarder's troubles.
    let Ok(server) = TcpStream::connect(target).await else {
        return;
    };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::join!(
        pump(from_client, to_server, |bytes| {
            kept.lock()
                .expect("whole")
                .to_server
                .extend_from_slice(bytes);
        }),
        pump(from_server, to_client, |bytes| {
            kept.lock()
                .expect("whole")
                .to_client
                .extend_from_slice(bytes);
        }),
    );
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut keep: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        keep(&buffer[..read]);
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
    // The other side may be gone already.
    let _ = to.shutdown().await;
}
