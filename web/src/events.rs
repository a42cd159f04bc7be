//! Live updates: server-sent events that say what to read anew.
//!
//! `change` with `{"from": 12, "panels": true}`: rows from number 12 on are new
//! or different (`null`: none), and so may be the panels. `stale`: too much
//! changed to say; read everything anew.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use parallax_captures::{Change, Journal};
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

use crate::app::App;
use crate::limits::EVENT_INTERVAL;
use crate::problem::Problem;

pub(crate) async fn stream(
    State(app): State<Arc<App>>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let Ok(permit) = Arc::clone(&app.event_streams).try_acquire_owned() else {
        let what = "Too many live pages are open. Close one, or reload this one by hand.";
        return Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, what));
    };
    let changes = app.journal.changes();
    let newest = newest(&app.journal);
    let (events, receiver) = mpsc::channel(1);
    let closing = app.closing.clone();
    tokio::spawn(async move {
        tokio::select! {
            () = send_events(changes, newest, &events) => {}
            () = events.closed() => {}
            () = closing.cancelled() => {}
        }
        drop(permit);
    });
    let stream = tokio_stream::StreamExt::map(ReceiverStream::new(receiver), Ok);
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// Sends one event at a time until the browser is gone. The first says up to
/// where the journal was when the stream began: a page rendered before that
/// knows what it missed.
async fn send_events(mut changes: Receiver<Change>, newest: u64, events: &mpsc::Sender<Event>) {
    let hello = Event::default().event("hello").data(newest.to_string());
    if events.send(hello).await.is_err() {
        return;
    }
    loop {
        let mut gathered = Gathered::default();
        match changes.recv().await {
            Ok(change) => gathered.add(change),
            Err(RecvError::Lagged(_)) => gathered.stale = true,
            Err(RecvError::Closed) => return,
        }
        tokio::time::sleep(EVENT_INTERVAL).await;
        loop {
            match changes.try_recv() {
                Ok(change) => gathered.add(change),
                Err(TryRecvError::Lagged(_)) => gathered.stale = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        if events.send(gathered.event()).await.is_err() {
            return;
        }
    }
}

fn newest(journal: &Journal) -> u64 {
    journal.totals().exchanges
}

/// Changes of one interval.
#[derive(Default)]
struct Gathered {
    from: Option<u64>,
    stale: bool,
}

impl Gathered {
    fn add(&mut self, change: Change) {
        if let Change::Exchange(n) = change {
            self.from = Some(self.from.map_or(n, |from| from.min(n)));
        }
    }

    fn event(&self) -> Event {
        if self.stale {
            Event::default().event("stale").data("")
        } else {
            let data = json!({ "from": self.from });
            Event::default().event("change").data(data.to_string())
        }
    }
}
