//! An exchange for elsewhere: as JSON, as hex, as a command.

use std::io::{self, Write};
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use maud::{Markup, html};
use parallax_captures::{Content, Exchange};

use super::exchange::find;
use super::hex::hex_of;
use crate::about::Source;
use crate::app::{App, looked_up};
use crate::download::streamed;
use crate::problem::Problem;

/// `/exchanges/{n}/hex`: its bytes, as `text2pcap` and `xxd -r` read them. In text they
/// are almost four times as long, so they are sent while they are written.
pub(crate) async fn show_hex(
    State(app): State<Arc<App>>,
    Path(n): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let found = looked_up(Arc::clone(&app), move |app| find(&app.journal, &n)).await?;
    let text = streamed(&app, move |out| hex(&found, out))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text))
}

fn hex(exchange: &Exchange, mut out: impl Write) -> io::Result<()> {
    let parts: [(&str, &[u8]); 2] = match &exchange.content {
        Content::Binary(content) => [
            ("request", &content.request_frame),
            ("reply", &content.reply_frame),
        ],
        Content::Http(content) => [
            ("request's body", &content.request_body),
            ("response's body", &content.response_body),
        ],
        Content::Unsolicited(content) => [("request", &[]), ("frame", &content.frame)],
    };
    let n = exchange.n;
    for (name, bytes) in parts.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
        writeln!(out, "# exchange {n}, {name}, {} bytes", bytes.len())?;
        for (at, line) in bytes.chunks(16).enumerate() {
            writeln!(out, "{:08x}  {}", at * 16, hex_of(line).trim_end())?;
        }
    }
    out.flush()
}

/// The command that shows exchange `{n}` on a terminal, and where its file comes from
/// where it has to be saved first.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) text: String,
    pub(crate) is_saved_first: bool,
}

/// The name under which a browser saves the one exchange.
const SAVED: &str = "parallax-exchanges.pcapng";

impl Command {
    pub(crate) fn of(app: &App) -> Self {
        let recorded = app.journal.recording();
        let recorded = recorded.map(|recording| recording.directory.display().to_string());
        let (file, is_saved_first) = match (&app.about.source, recorded) {
            (Source::File { name, .. }, _) => (name.clone(), false),
            (Source::Live(_), Some(directory)) => (directory, false),
            (Source::Live(_), None) => (SAVED.to_owned(), true),
        };
        let file = quoted(&file);
        Self {
            text: format!("parallax inspect --verbose --where 'n == {{n}}' -- {file}"),
            is_saved_first,
        }
    }

    fn on(&self, n: u64) -> String {
        self.text.replacen("{n}", &n.to_string(), 1)
    }
}

/// One word of a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// What the script copies, as links for who has none.
pub(crate) fn copy_bar(app: &App, exchange: &Exchange) -> Markup {
    let n = exchange.n;
    let command = Command::of(app);
    html! {
        p.copy data-copy=(n) {
            "As "
            a href={ "/api/v1/exchanges/" (n) } data-copies="JSON" { "JSON" } ", "
            a href={ "/exchanges/" (n) "/hex" } data-copies="hex" { "hex" } ", "
            a href={ "/exchanges.pcapng?where=n%20%3D%3D%20" (n) } download { "pcapng" }
            ", on a terminal: "
            code { (command.on(n)) }
            @if command.is_saved_first { " once it is saved as pcapng" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_of_a_shell() {
        assert_eq!(quoted("today's capture"), r"'today'\''s capture'");
        assert_eq!(quoted("$(rm)"), "'$(rm)'");
    }
}
