//! PX503 and PX504: clients that are led on to another address (case E7).

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::catalog::{LED_AROUND, REDIRECT_LOOP};
use parallax_captures::{ConnectionId, Exchange, Finding};
use parallax_codec::Reply;

use super::event::{ConnectionEvent, Happening};
use super::leader::Leader;
use crate::bounded::Bounded;
use crate::cluster::Listeners;
use crate::limits::{CLIENTS_KNOWN, CONNECTIONS_KNOWN, REDIRECT_RETURNS, REDIRECTS_OF_A_LOOP};

/// The open connections, and the clients that were led on lately.
#[derive(Debug)]
pub(super) struct Connections {
    /// By which clients reach parallax, where there is one.
    listeners: Option<Arc<Listeners>>,
    open: Bounded<ConnectionId, Known>,
    led: Bounded<IpAddr, Led>,
}

/// What is known of a connection.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The client and what it has connected to, and when.
    pub(super) opened: Option<(SocketAddr, SocketAddr, Timestamp)>,
    /// The last exchange.
    pub(super) last: Option<u64>,
    server_ended: bool,
    /// Where the last exchange leads the client.
    leads: Option<Leader>,
}

/// Connections of one client, each of which was led on.
#[derive(Debug, Default)]
struct Led {
    since: Timestamp,
    /// When the latest had closed.
    closed: Timestamp,
    exchanges: Vec<u64>,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            listeners: None,
            open: Bounded::new(CONNECTIONS_KNOWN),
            led: Bounded::new(CLIENTS_KNOWN),
        }
    }
}

impl Connections {
    pub(super) fn behind(&mut self, listeners: Arc<Listeners>) {
        self.listeners = Some(listeners);
    }

    /// What is known of a connection whose server has ended it, the first time that
    /// this is told.
    pub(super) fn server_ended(&mut self, conn: ConnectionId) -> Option<&Known> {
        let known = self.open.get_mut(&conn)?;
        let is_told = std::mem::replace(&mut known.server_ended, true);
        (!is_told).then_some(&*known)
    }

    /// The last exchange of a connection.
    pub(super) fn last(&self, conn: ConnectionId) -> Option<u64> {
        self.open.get(&conn)?.last
    }

    /// What the client of a connection has connected to.
    pub(super) fn reached(&self, conn: ConnectionId) -> Option<SocketAddr> {
        let (_, reached, _) = self.open.get(&conn)?.opened?;
        Some(reached)
    }

    /// Takes note of an exchange.
    pub(super) fn passed(&mut self, exchange: &Exchange) {
        let (Some(content), Some(known)) = (exchange.binary(), self.open.get_mut(&exchange.conn))
        else {
            return;
        };
        known.last = Some(exchange.n);
        known.leads = match (&content.reply, known.opened) {
            (Some(Reply::ClusterMetadata(metadata)), Some((_, reached, _))) => {
                Leader::of(metadata, reached, self.listeners.as_deref())
            }
            _ => None,
        };
    }

    /// Takes note of what happened to a connection.
    pub(super) fn happened(&mut self, event: &ConnectionEvent) -> Vec<Finding> {
        match event.what {
            Happening::Opened { client, reached } => {
                self.open.entry(&event.conn).opened = Some((client, reached, event.time));
                Vec::new()
            }
            Happening::ServerEnded { .. } | Happening::TokenTried { .. } => Vec::new(),
            Happening::Closed { by_client } => {
                let known = self.open.remove(&event.conn).unwrap_or_default();
                if by_client {
                    self.left(event, known)
                } else {
                    Vec::new()
                }
            }
        }
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.open.forgotten() + self.led.forgotten()
    }

    /// The client has left a connection by itself.
    fn left(&mut self, event: &ConnectionEvent, known: Known) -> Vec<Finding> {
        let (Some((client, reached, opened)), Some(leader), Some(n)) =
            (known.opened, known.leads, known.last)
        else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let address = match &leader {
            Leader::Elsewhere(address) => {
                let evidence = vec![format!(
                    "the server advertises its leader at {address}; the client ({}) had connected \
                     to {reached} and closed after that answer, so it has gone there",
                    client.ip()
                )];
                let place = format!("the leader's address {address}");
                found.push(Finding::new(LED_AROUND, place, n, event.time, evidence));
                address
            }
            Leader::Unclear(address) => address,
        };
        found.extend(self.led_again(event, client.ip(), opened, n, address));
        found
    }

    fn led_again(
        &mut self,
        event: &ConnectionEvent,
        client: IpAddr,
        opened: Timestamp,
        n: u64,
        address: &str,
    ) -> Option<Finding> {
        let led = self.led.entry(&client);
        let since_then = opened.duration_since(led.closed);
        let most = SignedDuration::try_from(REDIRECT_RETURNS).unwrap_or(SignedDuration::ZERO);
        let goes_on = since_then >= SignedDuration::ZERO && since_then <= most;
        if !goes_on {
            *led = Led {
                since: opened,
                closed: event.time,
                exchanges: Vec::new(),
            };
        }
        led.closed = event.time;
        led.exchanges.push(n);
        if led.exchanges.len() < REDIRECTS_OF_A_LOOP {
            return None;
        }
        let Led {
            since, exchanges, ..
        } = self.led.remove(&client)?;
        let evidence = vec![format!(
            "{} connections of {client} in a row were led on and closed within {:.3} s, the last \
             one to {address}",
            exchanges.len(),
            event.time.duration_since(since).as_secs_f64()
        )];
        let place = format!("client {client}");
        let mut finding = Finding::new(REDIRECT_LOOP, place, n, event.time, evidence);
        finding.first = since;
        finding.exchanges = exchanges;
        Some(finding)
    }
}
