//! PX412: a layout that the client does not read (cases D3 and D5).

use parallax_captures::catalog::CLIENT_CANNOT_DECODE;
use parallax_captures::{ConnectionId, Exchange, Finding};
use parallax_codec::messages::HeaderLayout;
use parallax_codec::vsr::ProtocolVersion;
use parallax_codec::{Reply, Request};

use crate::bounded::Bounded;
use crate::limits::CONNECTIONS_KNOWN;

/// What is known of each connection's client.
#[derive(Debug)]
pub(super) struct Layouts {
    clients: Bounded<ConnectionId, Client>,
}

#[derive(Debug, Default)]
struct Client {
    /// What its login says of it, in the VSR dialect. A classic login's version is
    /// that of one of many SDKs, and does not say of which.
    speaks: Option<(ProtocolVersion, String)>,
    /// How it lays out what it sends.
    sends: Option<HeaderLayout>,
}

/// The first protocol with batch records (case D5).
const FIRST_WITH_BATCHES: ProtocolVersion = ProtocolVersion(11 << 10);

impl Layouts {
    pub(super) fn new() -> Self {
        Self {
            clients: Bounded::new(CONNECTIONS_KNOWN),
        }
    }

    pub(super) fn finding(&mut self, exchange: &Exchange) -> Option<Finding> {
        let content = exchange.binary()?;
        let version = match &content.request {
            Some(Request::LoginRegister(login)) => Some(&login.version),
            Some(Request::LoginRegisterWithPat(login)) => Some(&login.version),
            _ => None,
        };
        if let Some(version) = version {
            let sdk = format!("{} {}", version.sdk_name, version.sdk_version);
            self.clients.entry(&exchange.conn).speaks = Some((version.protocol, sdk));
        }
        if let Some(Request::SendMessages(request)) = &content.request
            && let Some(layout) = request.layout.headers()
        {
            self.clients.entry(&exchange.conn).sends = Some(layout);
        }
        let Some(Reply::PolledMessages(reply)) = &content.reply else {
            return None;
        };
        if exchange.undecoded.is_some() {
            return None;
        }
        let given = reply.layout.headers()?;
        let contradicts = self.clients.get(&exchange.conn)?.contradicts(given)?;
        let evidence = vec![format!("the reply {}", told(given)), contradicts];
        Some(super::finding(exchange, CLIENT_CANNOT_DECODE, evidence))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.clients.forgotten()
    }
}

impl Client {
    /// Why it does not read this layout, if that is known.
    fn contradicts(&self, given: HeaderLayout) -> Option<String> {
        use HeaderLayout::{Batches, Headers56, Headers64};
        match (given, &self.speaks, self.sends) {
            (Batches, Some((protocol, sdk)), _) if *protocol < FIRST_WITH_BATCHES => Some(format!(
                "the client is {sdk} and speaks protocol {protocol}, which has no batch records"
            )),
            // Both headers were never in one version.
            (Headers64, _, Some(sent @ Headers56)) | (Headers56, _, Some(sent @ Headers64)) => {
                Some(format!("what the client sends itself {}", told(sent)))
            }
            _ => None,
        }
    }
}

const fn told(layout: HeaderLayout) -> &'static str {
    match layout {
        HeaderLayout::Headers56 => "has headers of 56 bytes (versions of server 0.5 and 0.6)",
        HeaderLayout::Headers64 => "has headers of 64 bytes (versions of server 0.7 and 0.8)",
        HeaderLayout::Batches => "stands in batch records (versions from server 0.9.0-edge.5)",
    }
}
