//! Exchanges as Apache Parquet, so that the captures of many proxies can be put in one
//! place and asked with any engine.
//!
//! One row an exchange. The columns are those of `export --format csv` with `_` for `.`,
//! typed, and beside them:
//!
//! | column | type | is |
//! |---|---|---|
//! | `source` | string | whose capture it is, so that rows of many files can be told apart |
//! | `client`, `server` | string | the connection's ends, `ip:port`; null where not known |
//! | `time` | timestamp, ns, UTC | when the request's first byte passed |
//! | `findings`, `muted_findings` | list of strings | codes, `PX102` |
//! | `messages` | list of structs | the messages that were polled or sent |
//!
//! A message has `offset` (u64), `id` (string: it has 128 bits), `timestamp` and
//! `origin_timestamp` (timestamp, ns, UTC; null where a time is 0 or beyond the year
//! 2262), `checksum` (u64), `payload_length` (u64) and `user_headers` (their JSON).
//! Numbers of 64 bits are u64; what does not apply is null. An identifier is text,
//! whether a number or a name.
//!
//! The file's metadata has `parallax` (the version), and `note` where payloads or names
//! were replaced.

mod columns;
mod messages;

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use self::columns::Columns;
use self::messages::Messages;
use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::json;
use crate::limits::{
    PARQUET_BATCH_MESSAGES, PARQUET_BATCH_ROWS, PARQUET_GROUP_BYTES, PARQUET_GROUP_ROWS,
};

/// Writes a Parquet file, in row groups of bounded size.
pub struct ParquetWriter<W: Write + Send> {
    out: ArrowWriter<W>,
    schema: SchemaRef,
    source: String,
    columns: Columns,
    messages: Messages,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file; `note` is what is to be known of all of it.
    ///
    /// # Errors
    /// As `out` has them, here and in all that follows.
    pub fn new(out: W, source: &str, note: Option<&str>) -> io::Result<Self> {
        let columns = Columns::new();
        let messages = Messages::new();
        let mut fields = columns.fields();
        fields.push(Messages::field());
        let schema = Arc::new(Schema::new(fields));
        let mut metadata = vec![KeyValue::new(
            "parallax".to_owned(),
            env!("CARGO_PKG_VERSION").to_owned(),
        )];
        metadata.extend(note.map(|note| KeyValue::new("note".to_owned(), note.to_owned())));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(PARQUET_GROUP_ROWS))
            .set_key_value_metadata(Some(metadata))
            .build();
        let out = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
        Ok(Self {
            out,
            schema,
            source: source.to_owned(),
            columns,
            messages,
        })
    }

    /// Adds an exchange; `connection` is its connection, where that is known.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn exchange(
        &mut self,
        exchange: &Exchange,
        connection: Option<&Connection>,
    ) -> io::Result<()> {
        let value = json::exchange(exchange);
        self.columns
            .append(&self.source, exchange, connection, &value);
        self.messages.append(exchange);
        let is_full = self.columns.rows() >= PARQUET_BATCH_ROWS
            || self.messages.count() >= PARQUET_BATCH_MESSAGES;
        if is_full { self.write() } else { Ok(()) }
    }

    /// Ends the file, and gives back what it was written to.
    ///
    /// # Errors
    /// As `out` has them.
    pub fn finish(mut self) -> io::Result<W> {
        self.write()?;
        Ok(self.out.into_inner()?)
    }

    fn write(&mut self) -> io::Result<()> {
        if self.columns.rows() == 0 {
            return Ok(());
        }
        let mut arrays: Vec<ArrayRef> = self.columns.finish();
        arrays.push(self.messages.finish());
        let made = RecordBatch::try_new(Arc::clone(&self.schema), arrays);
        let batch = made.map_err(|error: ArrowError| io::Error::other(error))?;
        self.out.write(&batch)?;
        if self.out.in_progress_size() >= PARQUET_GROUP_BYTES {
            self.out.flush()?;
        }
        Ok(())
    }
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter").finish_non_exhaustive()
    }
}
