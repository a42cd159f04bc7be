//! A browser of a few lines: one request, one answer, over a real socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::Journal;
use parallax_web::{About, Access};
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
    /// As it is told to the user.
    pub(crate) printed: String,
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
        let access = Access::with_token().unwrap();
        Self::to(access, "127.0.0.1:0", journal, about).await
    }

    pub(crate) async fn to(
        access: Access,
        listen: &str,
        journal: Arc<Journal>,
        about: About,
    ) -> Self {
        let listener = TcpListener::bind(listen).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (shutdown, asked) = oneshot::channel();
        let until = async { asked.await.unwrap_or_default() };
        let printed = access.address(address);
        let access = Arc::new(access);
        let served = parallax_web::serve(listener, journal, about, access, until);
        let served = tokio::spawn(served);
        Self {
            address,
            printed,
            shutdown,
            served,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let known = self.known();
        self.ask(&format!(
            "GET {path} HTTP/1.1\r\n{known}\r\nConnection: close\r\n\r\n"
        ))
        .await
    }

    /// The headers of a request that is let in.
    pub(crate) fn known(&self) -> String {
        let (host, token) = (self.address, self.token());
        format!("Host: {host}\r\nAuthorization: Bearer {token}")
    }

    /// The token; of a page with a password nothing.
    pub(crate) fn token(&self) -> &str {
        let (_, token) = self.printed.split_once("?token=").unwrap_or_default();
        token
    }

    /// What a browser that opened the printed address sends from then on.
    pub(crate) async fn cookie(&self) -> String {
        let opened = self.ask_at(&format!("/?token={}", self.token())).await;
        assert_eq!(opened.status, 303, "{}", opened.head);
        let cookie = opened.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// A GET by somebody of whom nothing is known.
    pub(crate) async fn ask_at(&self, path: &str) -> Answer {
        let host = self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        self.ask(&request).await
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
    /// The header's value, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

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
