//! A browser of a few lines: one request, one answer, over a real socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::Journal;
use parallax_web::About;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::sample;

/// Longer than anything here takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// The page, served.
pub(crate) struct Page {
    pub(crate) address: SocketAddr,
    shutdown: oneshot::Sender<()>,
    served: JoinHandle<Result<(), parallax_web::ServeError>>,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Page {
    pub(crate) async fn over(journal: Arc<Journal>) -> Self {
        Self::about(journal, sample::about()).await
    }

    pub(crate) async fn about(journal: Arc<Journal>, about: About) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (shutdown, asked) = oneshot::channel();
        let until = async { asked.await.unwrap_or_default() };
        let served = tokio::spawn(parallax_web::serve(listener, journal, about, until));
        Self {
            address,
            shutdown,
            served,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let host = self.address.to_string();
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        ))
        .await
    }

    /// The body of a page that is there.
    pub(crate) async fn text(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    pub(crate) async fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(path).await).unwrap()
    }

    /// Sends `request` as it is and reads until the connection ends.
    pub(crate) async fn ask(&self, request: &str) -> Answer {
        let mut stream = self.connect(request).await;
        let mut raw = Vec::new();
        let read = stream.read_to_end(&mut raw);
        tokio::time::timeout(PATIENCE, read).await.unwrap().unwrap();
        Answer::of(&String::from_utf8(raw).unwrap())
    }

    pub(crate) async fn connect(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    pub(crate) async fn stop(self) {
        self.shutdown.send(()).unwrap();
        let served = tokio::time::timeout(PATIENCE, self.served).await;
        served.unwrap().unwrap().unwrap();
    }
}

impl Answer {
    fn of(raw: &str) -> Self {
        let (head, body) = raw.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self {
            status,
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }
}

/// Reads from a stream until what came contains `wanted`.
pub(crate) async fn read_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut seen = String::new();
    let reading = async {
        let mut buffer = [0; 4096];
        while !seen.contains(wanted) {
            let length = stream.read(&mut buffer).await.unwrap();
            assert!(length > 0, "ended before {wanted:?} came: {seen}");
            seen.push_str(&String::from_utf8_lossy(&buffer[..length]));
        }
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap();
    seen
}
