use serde::{Deserialize, Serialize};

use crate::tls::{PeerCertificate, TlsSession, TlsSides};

/// TLS of both sides of a connection.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TlsRecord {
    client: Option<SessionRecord>,
    server: Option<SessionRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SessionRecord {
    version: String,
    cipher_suite: String,
    server_name: Option<String>,
    peer_certificate: String,
}

impl From<&TlsSides> for TlsRecord {
    fn from(tls: &TlsSides) -> Self {
        Self {
            client: tls.client.as_ref().map(SessionRecord::from),
            server: tls.server.as_ref().map(SessionRecord::from),
        }
    }
}

impl From<&TlsSession> for SessionRecord {
    fn from(session: &TlsSession) -> Self {
        Self {
            version: session.version.clone(),
            cipher_suite: session.cipher_suite.clone(),
            server_name: session.server_name.clone(),
            peer_certificate: session.peer_certificate.name().to_owned(),
        }
    }
}

impl TlsRecord {
    /// What was written.
    ///
    /// # Errors
    /// The word that is not known.
    pub(super) fn read(self) -> Result<TlsSides, String> {
        Ok(TlsSides {
            client: self.client.map(SessionRecord::read).transpose()?,
            server: self.server.map(SessionRecord::read).transpose()?,
        })
    }
}

impl SessionRecord {
    fn read(self) -> Result<TlsSession, String> {
        let name = self.peer_certificate;
        let mut all = PeerCertificate::ALL.into_iter();
        let peer_certificate = all
            .find(|one| one.name() == name)
            .ok_or_else(|| format!("no known state of a certificate is called {name:?}"))?;
        Ok(TlsSession {
            version: self.version,
            cipher_suite: self.cipher_suite,
            server_name: self.server_name,
            peer_certificate,
        })
    }
}
