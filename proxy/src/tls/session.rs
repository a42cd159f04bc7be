//! What was agreed on in a handshake.

use parallax_captures::{PeerCertificate, TlsSession};
use rustls::{CipherSuite, CommonState, ProtocolVersion};

/// Of a connection whose handshake is done. `server_name` is the name that the client of the
/// two asked for; `is_checked` whether a certificate that the other end showed was looked at.
pub(crate) fn session(
    state: &CommonState,
    server_name: Option<String>,
    is_checked: bool,
) -> TlsSession {
    let suite = state.negotiated_cipher_suite();
    TlsSession {
        version: version(state.protocol_version()),
        cipher_suite: suite.map_or_else(unknown, |suite| cipher_suite(suite.suite())),
        server_name,
        peer_certificate: match state.peer_certificates() {
            None | Some([]) => PeerCertificate::None,
            Some(_) if is_checked => PeerCertificate::Checked,
            Some(_) => PeerCertificate::Unchecked,
        },
    }
}

fn version(version: Option<ProtocolVersion>) -> String {
    match version {
        Some(ProtocolVersion::TLSv1_3) => "TLS 1.3".to_owned(),
        Some(ProtocolVersion::TLSv1_2) => "TLS 1.2".to_owned(),
        _ => unknown(),
    }
}

/// The name that IANA gives it.
fn cipher_suite(suite: CipherSuite) -> String {
    suite
        .as_str()
        .map_or_else(unknown, |name| name.replacen("TLS13_", "TLS_", 1))
}

fn unknown() -> String {
    "unknown".to_owned()
}
