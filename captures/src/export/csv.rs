//! Exchanges as a table: one a row (RFC 4180, with LF).

use std::io::{self, Write};

use serde_json::Value;

use crate::exchange::Exchange;
use crate::json;

/// The columns: paths into an exchange's JSON (`inspect --json`), in which they are
/// documented. Messages are left out; where there are several of something they are put
/// together with spaces.
pub const COLUMNS: [&str; 39] = [
    "n",
    "conn",
    "time",
    "dialect",
    "command",
    "code",
    "status",
    "error",
    "latency_us",
    "request.consumer_kind",
    "request.consumer",
    "request.stream",
    "request.topic",
    "request.partition_id",
    "request.strategy",
    "request.value",
    "request.count",
    "request.auto_commit",
    "request.offset",
    "request.method",
    "request.target",
    "response.partition_id",
    "response.current_offset",
    "response.stored_offset",
    "response.count",
    "response.http_status",
    "response.reason",
    "verdict",
    "verdict_muted",
    "comparison.reason",
    "findings",
    "muted_findings",
    "undecoded",
    "bytes",
    "injected",
    "rewritten",
    "marked",
    "comment",
    "route",
];

/// Writes a table with a head.
///
/// A spreadsheet takes a cell for a formula that begins with `=`, `+`, `-`, `@`, a tab
/// or a carriage return, and who can name a stream could so run one: such a text gets a
/// `'` before it, which spreadsheets do not show. Nothing else is changed.
pub struct CsvWriter<W: Write> {
    rows: csv::Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    /// Begins the table.
    ///
    /// # Errors
    /// As `out` has them, here and in all that follows.
    pub fn new(out: W) -> io::Result<Self> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(COLUMNS)?;
        Ok(Self { rows })
    }

    /// Adds an exchange.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn exchange(&mut self, exchange: &Exchange) -> io::Result<()> {
        let value = json::exchange(exchange);
        let cells = COLUMNS.iter().map(|path| cell(at(&value, path)));
        Ok(self.rows.write_record(cells)?)
    }

    /// Ends the table, and gives back what it was written to.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn finish(self) -> io::Result<W> {
        self.rows
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)
    }
}

impl<W: Write> std::fmt::Debug for CsvWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvWriter").finish_non_exhaustive()
    }
}

fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, name| &value[name])
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => harmless(text),
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(" "),
        Value::Object(_) => harmless(&value.to_string()),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_a_spreadsheet_would_run_is_text() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1"] {
            assert_eq!(cell(&text.into()), format!("'{text}"));
        }
        for text in ["orders", "1", "a=b", ""] {
            assert_eq!(cell(&text.into()), text);
        }
        assert_eq!(cell(&serde_json::json!(["=1", "PX102"])), "'=1 PX102");
    }
}
