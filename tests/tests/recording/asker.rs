//! A client that asks one poll after the other, each by a name of its own.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use parallax_captures::Exchange;
use parallax_codec::classic::encode_request;
use parallax_codec::commands::PollMessages;
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, PartitionLayout, PollingKind, PollingStrategy,
};
use parallax_codec::{Encode as _, code};

/// Asks until it is stopped or the connection ends.
pub(crate) struct Asker {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<(String, Instant)>>,
}

impl Asker {
    pub(crate) fn start(server: SocketAddr, name: &str) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, name) = (Arc::clone(&stop), name.to_owned());
        let thread = thread::spawn(move || ask(server, &name, &stopped));
        Self { stop, thread }
    }

    /// The names of those that were answered, and when that was.
    pub(crate) fn answered(self) -> Vec<(String, Instant)> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

/// The name by which an exchange was asked.
pub(crate) fn name_of(exchange: &Exchange) -> String {
    exchange.poll().unwrap().consumer.to_string()
}

fn ask(server: SocketAddr, name: &str, stop: &AtomicBool) -> Vec<(String, Instant)> {
    let mut answered = Vec::new();
    let mut socket = TcpStream::connect(server).unwrap();
    socket.set_nodelay(true).unwrap();
    for number in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("{name}-{number}");
        let request = encode_request(code::POLL_MESSAGES, &poll(&name).encode());
        let mut head = [0; 8];
        let done = socket
            .write_all(&request)
            .and_then(|()| socket.read_exact(&mut head));
        if done.is_err() {
            break;
        }
        let length = u32::from_le_bytes(head[4..].try_into().unwrap());
        let mut body = vec![0; usize::try_from(length).unwrap()];
        if socket.read_exact(&mut body).is_err() {
            break;
        }
        answered.push((name, Instant::now()));
        // As many as a disk of today takes easily.
        thread::sleep(std::time::Duration::from_millis(2));
    }
    answered
}

fn poll(name: &str) -> PollMessages {
    PollMessages {
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: Identifier::Named(name.to_owned()),
        },
        stream: Identifier::Named("otel".to_owned()),
        topic: Identifier::Named("metrics".to_owned()),
        partition_layout: PartitionLayout::Flagged,
        partition_id: Some(0),
        strategy: PollingStrategy {
            kind: PollingKind::Next,
            value: 0,
        },
        count: 1,
        auto_commit: false,
    }
}
