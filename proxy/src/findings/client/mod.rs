//! What shows over several exchanges and connections: `PX5xx` beside PX501, and
//! PX409.

mod advertised;
mod connections;
mod duplicate;
mod event;
mod leader;
mod no_return;
mod retried;
mod same_batch;
mod tokens;

use std::sync::Arc;

use jiff::Timestamp;
use parallax_captures::{Exchange, Finding};

use advertised::Advertised;
use connections::Connections;
use duplicate::Duplicates;
pub use event::{ConnectionEvent, Happening};
use no_return::NoReturn;
use retried::Retried;
use same_batch::SameBatch;
use tokens::Tokens;

use crate::cluster::Listeners;

/// The rules, and what each has to remember.
#[derive(Debug, Default)]
pub(super) struct Client {
    same_batch: SameBatch,
    retried: Retried,
    duplicates: Duplicates,
    connections: Connections,
    no_return: NoReturn,
    tokens: Tokens,
    advertised: Advertised,
}

impl Client {
    /// Clients reach the server by these listeners.
    pub(super) fn behind(&mut self, listeners: Arc<Listeners>) {
        self.connections.behind(Arc::clone(&listeners));
        self.advertised.behind(listeners);
    }

    pub(super) fn on_exchange(&mut self, exchange: &Exchange) -> Vec<Finding> {
        self.connections.passed(exchange);
        let reached = self.connections.reached(exchange.conn);
        let advertised = reached.and_then(|reached| self.advertised.finding(exchange, reached));
        let found = [
            advertised,
            self.same_batch.finding(exchange),
            self.retried.finding(exchange),
            self.duplicates.finding(exchange),
        ];
        found.into_iter().flatten().collect()
    }

    pub(super) fn on_connection(&mut self, event: &ConnectionEvent) -> Vec<Finding> {
        let mut found = Vec::new();
        match event.what {
            Happening::Opened { client, .. } => self.no_return.came(client.ip()),
            Happening::ServerEnded { waiting } => {
                if let Some(known) = self.connections.server_ended(event.conn) {
                    self.no_return.left_waiting(event, waiting, known);
                }
            }
            Happening::TokenTried { token, accepted } => {
                if let Some(n) = self.connections.last(event.conn) {
                    found.extend(self.tokens.tried(event, token, accepted, n));
                }
            }
            Happening::Closed { .. } => {
                found.extend(self.retried.closed(event));
                self.duplicates.closed(event);
            }
        }
        found.extend(self.connections.happened(event));
        found
    }

    /// What has waited long enough by `now`.
    pub(super) fn settle(&mut self, now: Timestamp) -> Vec<Finding> {
        self.no_return.settle(now)
    }

    /// What was forgotten for want of room.
    pub(super) const fn forgotten(&self) -> u64 {
        self.same_batch.forgotten()
            + self.retried.forgotten()
            + self.duplicates.forgotten()
            + self.connections.forgotten()
            + self.no_return.forgotten()
            + self.tokens.forgotten()
            + self.advertised.forgotten()
    }
}
