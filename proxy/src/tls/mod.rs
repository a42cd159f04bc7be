//! TLS, on the client's side and on the server's, each by itself.
//!
//! Certificates and keys are read from files when the program starts and again when it is
//! asked to ([`DownstreamTls::reload`], [`UpstreamTls::reload`]): connections that are open go
//! on with what they began with. No private key is ever in a message or in `Debug`.

pub mod authority;
mod downstream;
mod error;
mod failure;
mod kept;
mod pem;
mod session;
mod unchecked;
mod upstream;

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, aws_lc_rs};

pub use downstream::{DownstreamFiles, DownstreamTls};
pub use error::TlsError;
pub use failure::{TlsFailure, TlsFault};
pub use kept::Reloads;
pub use upstream::{Identity, Roots, UpstreamOptions, UpstreamTls};

pub(crate) use failure::{by_client, by_server, client_timed_out, server_timed_out, spoke_no_tls};
pub(crate) use session::session;

/// TLS of each side, where there is any.
#[derive(Debug, Clone, Default)]
pub struct Tls {
    /// With clients.
    pub downstream: Option<Arc<DownstreamTls>>,
    /// With the server.
    pub upstream: Option<Arc<UpstreamTls>>,
    /// With the server's HTTP API, where that is not by the system's authorities. Its files are
    /// read when the program starts, and not again.
    pub http: Option<Arc<UpstreamTls>>,
}

impl Tls {
    /// Reads all certificates and keys again, for connections that are made from now on. What
    /// cannot be read stays as it was; that is counted, and given back to be said.
    pub fn reload(&self) -> Vec<TlsError> {
        let downstream = self.downstream.as_ref().map(|tls| tls.reload());
        let upstream = self.upstream.as_ref().map(|tls| tls.reload());
        let failed = [downstream, upstream].into_iter().flatten();
        failed.filter_map(Result::err).collect()
    }

    /// Whether there is none with clients nor with the server's TCP port.
    pub const fn is_off(&self) -> bool {
        self.downstream.is_none() && self.upstream.is_none()
    }
}

/// The one provider of cryptography. It is named, since a program with two has no default.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}
