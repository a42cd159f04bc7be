//! The page over a journal filled by hand, to look at while working on it:
//! `cargo run -p parallax-web --example sample_page [empty]`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;
use std::time::Duration;

use parallax_captures::Journal;
use parallax_codec::primitives::PollingKind;
use parallax_web::Access;
use tokio::net::TcpListener;

#[allow(dead_code)] // The tests need more of it.
#[path = "../tests/web/sample.rs"]
mod sample;

#[tokio::main]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:8191").await.unwrap();
    let access = Arc::new(Access::with_token().unwrap());
    println!("{}", access.address(listener.local_addr().unwrap()));
    let empty = std::env::args().nth(1).as_deref() == Some("empty");
    let journal = if empty {
        Arc::new(Journal::new())
    } else {
        sample::broken_partition()
    };
    if !empty {
        sample::oddities(&journal);
        tokio::spawn(goes_on(Arc::clone(&journal)));
    }
    let for_ever = std::future::pending();
    parallax_web::serve(listener, journal, sample::about(), access, for_ever)
        .await
        .unwrap();
}

/// One more poll every other second.
async fn goes_on(journal: Arc<Journal>) {
    let mut at = 30_000;
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        at += 2_000;
        let question = sample::question("metrics", None, PollingKind::Next);
        journal.record(sample::poll(at, &question, Ok((0, 0))));
    }
}
