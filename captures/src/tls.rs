//! What parallax and one end of a connection agreed on in a TLS handshake.

use crate::limits::CONNECTION_TEXT_BYTES;
use crate::text::cut;

/// TLS of one side of a connection, as of its handshake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSession {
    /// `TLS 1.3` or `TLS 1.2`.
    pub version: String,
    /// The name that IANA gives the cipher suite, like `TLS_AES_128_GCM_SHA256`.
    pub cipher_suite: String,
    /// The server's name: that the client asked parallax for, if it did, or that parallax
    /// asked the server for.
    pub server_name: Option<String>,
    /// What parallax made of the other end's certificate.
    pub peer_certificate: PeerCertificate,
}

/// The certificate of the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeerCertificate {
    /// It showed none, since none was asked for.
    None,
    /// It showed one whose authority, name and time are right.
    Checked,
    /// It showed one that was not looked at, as was asked for.
    Unchecked,
}

impl PeerCertificate {
    /// All there are.
    pub(crate) const ALL: [Self; 3] = [Self::None, Self::Checked, Self::Unchecked];

    /// The name in JSON: `none`, `checked` or `unchecked`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Checked => "checked",
            Self::Unchecked => "unchecked",
        }
    }
}

/// TLS of both sides; a side without is plain, or was not seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsSides {
    /// With the client.
    pub client: Option<TlsSession>,
    /// With the server.
    pub server: Option<TlsSession>,
}

impl TlsSides {
    /// The names that were asked for.
    pub(crate) fn server_names(&mut self) -> impl Iterator<Item = &mut String> {
        let sessions = [&mut self.client, &mut self.server].into_iter().flatten();
        sessions.filter_map(|session| session.server_name.as_mut())
    }

    /// Cuts the names, which clients choose, to [`CONNECTION_TEXT_BYTES`].
    pub(crate) fn cut_texts(&mut self) {
        for name in self.server_names() {
            *name = cut(std::mem::take(name), CONNECTION_TEXT_BYTES);
        }
    }
}
