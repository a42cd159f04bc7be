//! What a scraper and a supervisor are told, at an address of their own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parallax_web::{Monitored, Readiness, serve_monitor};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::http::PATIENCE;

#[derive(Debug, Default)]
struct Told {
    is_ready: AtomicBool,
}

impl Monitored for Told {
    fn metrics(&self) -> String {
        "# TYPE parallax_told gauge\nparallax_told 1\n".to_owned()
    }

    fn readiness(&self) -> Readiness {
        if self.is_ready.load(Ordering::Relaxed) {
            Readiness::Ready("ready: clients are accepted".to_owned())
        } else {
            Readiness::NotReady("not ready: it is ending".to_owned())
        }
    }
}

async fn served(told: &Arc<Told>, listen: &str) -> SocketAddr {
    let listener = TcpListener::bind(listen).await.unwrap();
    let address = listener.local_addr().unwrap();
    let told: Arc<dyn Monitored> = Arc::<Told>::clone(told);
    tokio::spawn(serve_monitor(listener, told, std::future::pending()));
    address
}

async fn ask(address: SocketAddr, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", address.port()))
        .await
        .unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer))
        .await
        .unwrap()
        .unwrap();
    answer
}

#[tokio::test]
async fn a_scraper_needs_no_token_and_is_told_the_format() {
    let address = served(&Arc::default(), "127.0.0.1:0").await;
    let answer = ask(address, &address.to_string(), "/metrics").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(
        answer.contains("content-type: text/plain; version=0.0.4"),
        "{answer}"
    );
    assert!(answer.ends_with("parallax_told 1\n"), "{answer}");
}

#[tokio::test]
async fn it_lives_while_it_answers_and_is_ready_while_clients_are_served() {
    let told = Arc::new(Told::default());
    let address = served(&told, "127.0.0.1:0").await;
    let host = address.to_string();
    for (is_ready, status, says) in [
        (false, "503", "not ready: it is ending"),
        (true, "200", "ready: clients are accepted"),
    ] {
        told.is_ready.store(is_ready, Ordering::Relaxed);
        let answer = ask(address, &host, "/readyz").await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
        assert!(answer.ends_with(&format!("\r\n\r\n{says}\n")), "{answer}");
        let answer = ask(address, &host, "/healthz").await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let answer = ask(address, &host, "/").await;
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[tokio::test]
async fn a_name_from_elsewhere_that_leads_to_this_machine_is_told_nothing() {
    let address = served(&Arc::default(), "127.0.0.1:0").await;
    for path in ["/metrics", "/healthz", "/readyz"] {
        let answer = ask(address, "evil.example", path).await;
        assert!(answer.starts_with("HTTP/1.1 421"), "{answer}");
        assert!(!answer.contains("parallax_told"), "{answer}");
    }
}

#[tokio::test]
async fn at_an_address_for_others_any_name_may_lead_there() {
    let address = served(&Arc::default(), "0.0.0.0:0").await;
    let answer = ask(address, "parallax.monitoring.svc:9190", "/metrics").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
