//! The forms, one beside the other.

use std::io::Write as _;

use clap::ValueEnum;
#[cfg(feature = "parquet")]
use parallax_captures::export::parquet::ParquetWriter;
use parallax_captures::export::{CsvWriter, HdrWriter};
use parallax_captures::file::Lost;
use parallax_captures::{Connection, Exchange, Finding, json};

use super::output::Output;
use super::pcapng::Pcapng;
use super::written;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Pcapng,
    Jsonl,
    Csv,
    Hdr,
    Parquet,
}

impl Format {
    /// Whether a terminal cannot show it.
    pub(super) const fn is_binary(self) -> bool {
        matches!(self, Self::Pcapng | Self::Parquet)
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Pcapng => "pcapng",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Hdr => "hlog",
            Self::Parquet => "parquet",
        }
    }
}

/// What takes exchanges and, where the form has a place for them, the rest.
pub(super) enum Sink {
    Pcapng(Box<Pcapng>),
    Jsonl(Output),
    Csv(Box<CsvWriter<Output>>),
    Hdr(Box<HdrWriter<Output>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetWriter<Output>>),
}

impl Sink {
    pub(super) fn new(
        format: Format,
        out: Output,
        source: &str,
        note: Option<String>,
    ) -> anyhow::Result<Self> {
        Ok(match format {
            Format::Pcapng => Self::Pcapng(Box::new(Pcapng::new(out, note)?)),
            Format::Jsonl => Self::Jsonl(out),
            Format::Csv => Self::Csv(Box::new(written(CsvWriter::new(out))?)),
            Format::Hdr => Self::Hdr(Box::new(HdrWriter::new(out))),
            Format::Parquet => parquet(out, source, note.as_deref())?,
        })
    }

    pub(super) fn connection(&mut self, connection: &Connection) -> anyhow::Result<()> {
        match self {
            Self::Pcapng(pcapng) => pcapng.connection(connection),
            _ => Ok(()),
        }
    }

    /// `connection` is the exchange's own, where it is known.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(unused_variables, reason = "no other form tells of it")
    )]
    pub(super) fn exchange(
        &mut self,
        exchange: &Exchange,
        connection: Option<&Connection>,
    ) -> anyhow::Result<()> {
        match self {
            Self::Pcapng(pcapng) => pcapng.exchange(exchange),
            Self::Jsonl(out) => written(writeln!(out, "{}", json::exchange(exchange))),
            Self::Csv(rows) => written(rows.exchange(exchange)),
            Self::Hdr(log) => written(log.exchange(exchange)),
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => written(rows.exchange(exchange, connection)),
        }
    }

    pub(super) fn finding(&mut self, finding: &Finding) -> anyhow::Result<()> {
        match self {
            Self::Pcapng(pcapng) => pcapng.finding(finding),
            _ => Ok(()),
        }
    }

    pub(super) fn lost(&mut self, lost: &Lost) -> anyhow::Result<()> {
        match self {
            Self::Pcapng(pcapng) => pcapng.lost(lost),
            _ => Ok(()),
        }
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let out = match self {
            Self::Pcapng(pcapng) => pcapng.finish(),
            Self::Jsonl(out) => out,
            Self::Csv(rows) => written(rows.finish())?,
            Self::Hdr(log) => written(log.finish())?.0,
            #[cfg(feature = "parquet")]
            Self::Parquet(rows) => written(rows.finish())?,
        };
        out.finish()
    }
}

#[cfg(feature = "parquet")]
fn parquet(out: Output, source: &str, note: Option<&str>) -> anyhow::Result<Sink> {
    let writer = written(ParquetWriter::new(out, source, note))?;
    Ok(Sink::Parquet(Box::new(writer)))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: Output, _: &str, _: Option<&str>) -> anyhow::Result<Sink> {
    anyhow::bail!(
        "this parallax is built without Parquet: {}",
        super::target::BUILD_WITH
    )
}
