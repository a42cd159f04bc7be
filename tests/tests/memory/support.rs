//! The program under test, a server for it, and what it takes of memory.

use std::io::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::code;
use parallax_tests::{PageAddress, Running};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

pub(crate) const KIB: u64 = 1024;
pub(crate) const MIB: u64 = 1024 * KIB;

/// Longer than anything here takes; reached only when a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// The program before a server, and where it is reached.
pub(crate) struct Parallax {
    pub(crate) running: Running,
    pub(crate) address: SocketAddr,
    page: PageAddress,
}

/// Resident memory in bytes: now, and at most so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) now: u64,
    pub(crate) peak: u64,
}

impl Parallax {
    pub(crate) fn before(server: SocketAddr) -> Self {
        let server = server.to_string();
        let mut running = Running::start(&[
            "run",
            "--listen",
            "127.0.0.1:0",
            "--upstream",
            &server,
            "--no-mirror",
            "--ui",
            "127.0.0.1:0",
        ]);
        let line = running.line_with("listening");
        let address = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        let page = running.page();
        Self {
            running,
            address,
            page,
        }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    pub(crate) fn memory(&self) -> Memory {
        let path = format!("/proc/{}/status", self.running.id());
        let status = std::fs::read_to_string(path).unwrap();
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            let kib = line.split_whitespace().nth(1).unwrap();
            kib.parse::<u64>().unwrap() * KIB
        };
        Memory {
            now: field("VmRSS:"),
            peak: field("VmHWM:"),
        }
    }

    /// Until so many exchanges were told: whatever passed before them was looked at.
    pub(crate) async fn has_told(&self, exchanges: u64) {
        let looking = async {
            while self.exchanges().await < exchanges {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(PATIENCE, looking).await.expect("it looks at all");
    }

    pub(crate) async fn exchanges(&self) -> u64 {
        let json = self.json("/api/v1/figures").await;
        json["figures"][0]["count"].as_u64().unwrap()
    }

    pub(crate) async fn json(&self, target: &str) -> Value {
        let response = self.page.get(target).await;
        let (_, body) = response.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }
}

/// A server that answers logins, polls (with a body of so many bytes) and anything else.
pub(crate) async fn server(poll_reply: usize) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(serve(socket, poll_reply));
        }
    });
    address
}

async fn serve(mut socket: TcpStream, poll_reply: usize) -> std::io::Result<()> {
    // Partition 1, offset 0, no message; and what follows is nobody's.
    let mut poll = vec![0; poll_reply];
    poll[0] = 1;
    loop {
        let length = socket.read_u32_le().await?;
        let code = socket.read_u32_le().await?;
        let mut rest = (&mut socket).take(u64::from(length) - 4);
        tokio::io::copy(&mut rest, &mut tokio::io::sink()).await?;
        let reply = match code {
            code::LOGIN_USER => encode_reply(0, &1_u32.to_le_bytes()),
            code::POLL_MESSAGES => encode_reply(0, &poll),
            _ => encode_reply(0, &[]),
        };
        socket.write_all(&reply).await?;
    }
}

/// Bytes of the reply to a poll that brings nothing.
pub(crate) const EMPTY_POLL: usize = 16;

/// Logs in, and waits for the answer.
pub(crate) async fn log_in(client: &mut TcpStream) {
    let body = b"\x04iggy\x04iggy\x06\0\0\x000.10.0\x04\0\0\0rust";
    ask(client, &encode_request(code::LOGIN_USER, body)).await;
}

/// Polls stream 1, topic 1, partition 1 for the next messages.
pub(crate) fn poll() -> Vec<u8> {
    let consumer = b"\x01\x01\x04\x01\0\0\0";
    let topic = b"\x01\x04\x01\0\0\0\x01\x04\x01\0\0\0";
    let rest = b"\x01\x01\0\0\0\x05\0\0\0\0\0\0\0\0\x0a\0\0\0\0";
    encode_request(code::POLL_MESSAGES, &[&consumer[..], topic, rest].concat()).to_vec()
}

/// Sends a request and reads the whole reply; its length.
pub(crate) async fn ask(client: &mut TcpStream, request: &[u8]) -> u64 {
    let asking = async {
        client.write_all(request).await.unwrap();
        let _status = client.read_u32_le().await.unwrap();
        let length = u64::from(client.read_u32_le().await.unwrap());
        let mut rest = client.take(length);
        let read = tokio::io::copy(&mut rest, &mut tokio::io::sink()).await;
        assert_eq!(read.unwrap(), length);
        length
    };
    timeout(PATIENCE, asking).await.expect("it is answered")
}

/// Says something past the test harness, which keeps what a passing test prints to itself.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
