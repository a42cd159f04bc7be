//! A pcapng file of parallax's own.

use std::collections::BTreeMap;

use jiff::Timestamp;
use parallax_captures::file::{About, Lost, Writer};
use parallax_captures::{Connection, ConnectionId, Exchange, Finding, FindingCode, Totals};

use super::output::Output;
use super::written;
use crate::limits::EXPORT_NAMED;

pub(super) struct Pcapng {
    writer: Writer<Output>,
    /// The time of the latest exchange.
    latest: Timestamp,
    /// Of the exchanges that findings name, their connections; the latest.
    named: BTreeMap<u64, ConnectionId>,
}

impl Pcapng {
    pub(super) fn new(out: Output, note: Option<String>) -> anyhow::Result<Self> {
        let about = About {
            note,
            ..About::default()
        };
        Ok(Self {
            writer: written(Writer::new(out, about))?,
            latest: Timestamp::UNIX_EPOCH,
            named: BTreeMap::new(),
        })
    }

    pub(super) fn connection(&mut self, connection: &Connection) -> anyhow::Result<()> {
        written(self.writer.connection(connection, self.latest))
    }

    pub(super) fn exchange(&mut self, exchange: &Exchange) -> anyhow::Result<()> {
        let times = exchange.times;
        let (_, end) = times
            .reply
            .unwrap_or((times.request_first, times.request_last));
        self.latest = self.latest.max(end);
        let names: [&[FindingCode]; 2] = [&exchange.findings, &exchange.muted_findings];
        if names.iter().any(|codes| !codes.is_empty()) {
            self.named.insert(exchange.n, exchange.conn);
            if self.named.len() > EXPORT_NAMED {
                self.named.pop_first();
            }
        }
        written(self.writer.exchange(exchange).map(drop))
    }

    pub(super) fn finding(&mut self, finding: &Finding) -> anyhow::Result<()> {
        let latest = finding.exchanges.last();
        let conn = latest.and_then(|n| self.named.get(n).copied());
        written(
            self.writer
                .finding(finding, conn.unwrap_or(ConnectionId(0))),
        )
    }

    pub(super) fn lost(&mut self, lost: &Lost) -> anyhow::Result<()> {
        let totals = Totals {
            observations_dropped: lost.observations_dropped,
            polls_not_mirrored: lost.polls_not_mirrored,
            findings_dropped: lost.findings_dropped,
            ..Totals::default()
        };
        written(
            self.writer
                .lost(&totals, lost.exchanges_not_kept, self.latest),
        )
    }

    pub(super) fn finish(self) -> Output {
        self.writer.into_inner()
    }
}
