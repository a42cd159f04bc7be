//! `/exchanges.jsonl`, `.csv` and `.pcapng`: what a list has, as a file, oldest first.
//!
//! It is made while it is sent: a thread looks for a few exchanges at a time, and waits
//! where whoever asked is slow. What is replaced in a recording is replaced here too.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;
use parallax_captures::export::CsvWriter;
use parallax_captures::file::{About, Writer};
use parallax_captures::redaction::Redactor;
use parallax_captures::{Connection, ConnectionId, Exchange, Finding, Journal, json};
use serde_json::json;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::app::App;
use crate::asked::Asked;
use crate::limits::{
    DOWNLOAD_BATCH, DOWNLOAD_BYTES, DOWNLOAD_CHUNK, DOWNLOAD_EXCHANGES, DOWNLOAD_REMEMBERED,
};
use crate::order::Order;
use crate::problem::Problem;

type Pairs = Query<Vec<(String, String)>>;

/// What the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Pcapng,
    Jsonl,
    Csv,
}

impl Form {
    pub(crate) const ALL: [Self; 3] = [Self::Pcapng, Self::Jsonl, Self::Csv];

    /// How a file's name ends.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pcapng => "pcapng",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Pcapng => "pcapng, for Wireshark and parallax",
            Self::Jsonl => "JSON lines",
            Self::Csv => "CSV",
        }
    }

    const fn content_type(self) -> &'static str {
        match self {
            Self::Pcapng => "application/x-pcapng",
            Self::Jsonl => "application/jsonl",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }
}

pub(crate) async fn pcapng(app: State<Arc<App>>, query: Pairs) -> Result<Response, Problem> {
    download(&app, &query, Form::Pcapng)
}

pub(crate) async fn jsonl(app: State<Arc<App>>, query: Pairs) -> Result<Response, Problem> {
    download(&app, &query, Form::Jsonl)
}

pub(crate) async fn csv(app: State<Arc<App>>, query: Pairs) -> Result<Response, Problem> {
    download(&app, &query, Form::Csv)
}

fn download(app: &App, query: &Pairs, form: Form) -> Result<Response, Problem> {
    let asked = as_it_is(Asked::parse(query)?.understood()?, &app.journal);
    let journal = Arc::clone(&app.journal);
    let name = format!(
        "attachment; filename=\"parallax-exchanges.{}\"",
        form.name()
    );
    let head = [
        (header::CONTENT_TYPE, form.content_type().to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    let body = streamed(app, move |chunks| {
        write(&journal, asked, form, chunks, Limits::USUAL)
    })?;
    Ok((head, body).into_response())
}

/// What `write` writes, sent while it is written, on a thread of its own: only a few at
/// once.
///
/// # Errors
/// There are too many already.
pub(crate) fn streamed(
    app: &App,
    write: impl FnOnce(Chunks) -> io::Result<()> + Send + 'static,
) -> Result<Body, Problem> {
    let unavailable = |what: &str| Problem::new(StatusCode::SERVICE_UNAVAILABLE, what);
    let permit = Arc::clone(&app.downloads).try_acquire_owned();
    let permit = permit
        .map_err(|_| unavailable("Too many files are being made. Wait until one is done."))?;
    let (chunks, receiver) = channel(2);
    std::thread::Builder::new()
        .name("download".to_owned())
        .spawn(move || {
            // Whoever asked may be gone: nobody is to be told.
            let _ = write(Chunks::new(chunks));
            drop(permit);
        })
        .map_err(|_| unavailable("No thread can be started to make the file."))?;
    let chunks = ReceiverStream::new(receiver).map(Ok::<Vec<u8>, Infallible>);
    Ok(Body::from_stream(chunks))
}

/// What is asked for of what there is now, oldest first: a file that takes long to make
/// does not run after what comes meanwhile.
fn as_it_is(mut asked: Asked, journal: &Journal) -> Asked {
    let end = journal.totals().exchanges + 1;
    let before = asked.filter.before.unwrap_or(end);
    asked.filter.before = Some(before.min(end));
    asked.order = Order::Oldest;
    asked
}

/// How long a file may become.
#[derive(Debug, Clone, Copy)]
struct Limits {
    exchanges: u64,
    bytes: u64,
}

impl Limits {
    const USUAL: Self = Self {
        exchanges: DOWNLOAD_EXCHANGES,
        bytes: DOWNLOAD_BYTES,
    };
}

/// Writes what is asked for, up to the limits.
fn write(
    journal: &Journal,
    mut asked: Asked,
    form: Form,
    out: Chunks,
    limits: Limits,
) -> io::Result<()> {
    let redaction = journal
        .recording()
        .and_then(|recording| recording.redaction);
    let mut redactor = redaction.map(Redactor::new);
    let note = redaction.map(|redaction| redaction.note().to_owned());
    let written = Arc::clone(&out.written);
    let mut sink = Sink::new(form, out, note)?;
    let mut left = limits.exchanges;
    loop {
        let page = asked.found(journal, DOWNLOAD_BATCH);
        for exchange in &page.exchanges {
            if left == 0 || written.load(Ordering::Relaxed) >= limits.bytes {
                let Limits { exchanges, bytes } = limits;
                return sink.cut(&format!(
                    "cut before exchange {}: a file from the page has at most {exchanges} \
                     exchanges and {bytes} bytes",
                    exchange.n
                ));
            }
            left -= 1;
            let known = || journal.connection(exchange.conn);
            match &mut redactor {
                None => sink.exchange(exchange, known)?,
                Some(redactor) => {
                    let exchange = redactor.exchange(exchange);
                    let known = || known().map(|known| redactor.connection(&known));
                    sink.exchange(&exchange, known)?;
                }
            }
        }
        match page.next {
            Some(next) => asked = next,
            None => break,
        }
    }
    for finding in [journal.findings(), journal.muted_findings()].concat() {
        match &mut redactor {
            None => sink.finding(&finding)?,
            Some(redactor) => sink.finding(&redactor.finding(&finding))?,
        }
    }
    sink.finish()
}

enum Sink {
    Pcapng(Box<Pcapng>),
    Jsonl(Chunks),
    Csv(Box<CsvWriter<Chunks>>),
}

struct Pcapng {
    writer: Writer<Chunks>,
    /// Connections that were told of.
    told: BTreeSet<ConnectionId>,
    /// The latest exchanges that findings name, with their connections.
    named: BTreeMap<u64, ConnectionId>,
    latest: Timestamp,
}

impl Sink {
    fn new(form: Form, out: Chunks, note: Option<String>) -> io::Result<Self> {
        Ok(match form {
            Form::Pcapng => {
                let about = About {
                    note,
                    ..About::default()
                };
                Self::Pcapng(Box::new(Pcapng {
                    writer: Writer::new(out, about)?,
                    told: BTreeSet::new(),
                    named: BTreeMap::new(),
                    latest: Timestamp::UNIX_EPOCH,
                }))
            }
            Form::Jsonl => Self::Jsonl(out),
            Form::Csv => Self::Csv(Box::new(CsvWriter::new(out)?)),
        })
    }

    fn exchange(
        &mut self,
        exchange: &Exchange,
        known: impl FnOnce() -> Option<Connection>,
    ) -> io::Result<()> {
        match self {
            Self::Pcapng(file) => file.exchange(exchange, known),
            Self::Jsonl(out) => writeln!(out, "{}", json::exchange(exchange)),
            Self::Csv(rows) => rows.exchange(exchange),
        }
    }

    /// A finding on an exchange that is in the file.
    fn finding(&mut self, finding: &Finding) -> io::Result<()> {
        let Self::Pcapng(file) = self else {
            return Ok(());
        };
        let named = finding.exchanges.iter().rev();
        let mut conn = named.filter_map(|n| file.named.get(n));
        match conn.next().copied() {
            Some(conn) => file.writer.finding(finding, conn),
            None => Ok(()),
        }
    }

    /// Ends the file and says in it that there is more.
    fn cut(self, why: &str) -> io::Result<()> {
        match self {
            Self::Pcapng(mut file) => {
                file.writer.remark(why, file.latest)?;
                file.writer.into_inner().flush()
            }
            Self::Jsonl(mut out) => {
                writeln!(out, "{}", json!({ "cut": why }))?;
                out.flush()
            }
            Self::Csv(rows) => {
                let mut out = rows.finish()?;
                writeln!(out, "{why}")?;
                out.flush()
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Pcapng(file) => file.writer.into_inner().flush(),
            Self::Jsonl(mut out) => out.flush(),
            Self::Csv(rows) => rows.finish()?.flush(),
        }
    }
}

impl Pcapng {
    fn exchange(
        &mut self,
        exchange: &Exchange,
        known: impl FnOnce() -> Option<Connection>,
    ) -> io::Result<()> {
        let times = exchange.times;
        let ended = times.reply.map_or(times.request_last, |(_, last)| last);
        self.latest = self.latest.max(ended);
        if self.told.insert(exchange.conn)
            && let Some(connection) = known()
        {
            let open = Connection {
                closed: None,
                ..connection
            };
            self.writer.connection(&open, self.latest)?;
        }
        if self.told.len() > DOWNLOAD_REMEMBERED {
            self.told.pop_first();
        }
        if !(exchange.findings.is_empty() && exchange.muted_findings.is_empty()) {
            self.named.insert(exchange.n, exchange.conn);
        }
        if self.named.len() > DOWNLOAD_REMEMBERED {
            self.named.pop_first();
        }
        self.writer.exchange(exchange).map(drop)
    }
}

/// Sends what is written in pieces, and waits while nobody takes them.
pub(crate) struct Chunks {
    receiver: Sender<Vec<u8>>,
    waiting: Vec<u8>,
    written: Arc<AtomicU64>,
}

impl Chunks {
    fn new(chunks: Sender<Vec<u8>>) -> Self {
        Self {
            receiver: chunks,
            waiting: Vec::new(),
            written: Arc::default(),
        }
    }
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        self.written
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if self.waiting.len() >= DOWNLOAD_CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let chunk = std::mem::take(&mut self.waiting);
        if chunk.is_empty() {
            return Ok(());
        }
        let sent = self.receiver.blocking_send(chunk);
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use bytes::Bytes;
    use parallax_captures::{Content, Dialect, HttpContent, Times};

    use super::*;
    use crate::filter::Filter;

    /// One over HTTP, without an answer.
    pub(crate) fn exchange() -> Exchange {
        let at = Timestamp::UNIX_EPOCH;
        Exchange {
            n: 0,
            conn: ConnectionId(1),
            dialect: Dialect::Http,
            times: Times {
                request_first: at,
                request_last: at,
                reply: None,
            },
            content: Content::Http(HttpContent {
                method: "GET".to_owned(),
                target: "/ping".to_owned(),
                http_status: None,
                request_body: Bytes::new(),
                response_body: Bytes::new(),
                poll: None,
                answer: None,
            }),
            undecoded: None,
            verdict: None,
            findings: Vec::new(),
            muted_findings: Vec::new(),
            route: None,
            annotation: parallax_captures::Annotation::default(),
            altered: None,
        }
    }

    /// What comes of a list of ten.
    fn made(form: Form, limits: Limits) -> Vec<u8> {
        let journal = Journal::new();
        record(&journal, 10);
        let asked = as_it_is(Asked::default(), &journal);
        written(&journal, asked, form, limits)
    }

    fn record(journal: &Journal, count: usize) {
        for _ in 0..count {
            journal.record(exchange());
        }
    }

    fn written(journal: &Journal, asked: Asked, form: Form, limits: Limits) -> Vec<u8> {
        let (chunks, mut receiver) = channel(1_000);
        write(journal, asked, form, Chunks::new(chunks), limits).unwrap();
        let mut whole = Vec::new();
        while let Ok(chunk) = receiver.try_recv() {
            whole.extend(chunk);
        }
        whole
    }

    #[test]
    fn what_comes_while_a_file_is_made_is_not_in_it() {
        let journal = Journal::new();
        record(&journal, 10);
        let earlier = Filter {
            before: Some(4),
            ..Filter::default()
        };
        let earlier = Asked {
            filter: earlier,
            ..Asked::default()
        };
        let asked = [Asked::default(), earlier].map(|asked| as_it_is(asked, &journal));
        record(&journal, 600);
        for (asked, count) in asked.into_iter().zip([10, 3]) {
            let lines = written(&journal, asked, Form::Jsonl, Limits::USUAL);
            assert_eq!(lines.split(|byte| *byte == b'\n').count(), count + 1);
        }
    }

    #[test]
    fn a_file_that_is_cut_says_so_in_itself() {
        let few = Limits {
            exchanges: 4,
            ..Limits::USUAL
        };
        let short = Limits {
            bytes: 1,
            ..Limits::USUAL
        };
        for form in Form::ALL {
            let whole = String::from_utf8_lossy(&made(form, Limits::USUAL)).into_owned();
            assert!(!whole.contains("cut before"), "{form:?}");
            let cut = String::from_utf8_lossy(&made(form, few)).into_owned();
            assert!(cut.contains("cut before exchange 5:"), "{form:?}: {cut}");
        }
        // A table is counted a few rows later.
        for form in [Form::Pcapng, Form::Jsonl] {
            let cut = String::from_utf8_lossy(&made(form, short)).into_owned();
            assert!(cut.contains("cut before exchange"), "{form:?}: {cut}");
        }
    }
}
