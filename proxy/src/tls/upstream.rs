//! TLS with the server: parallax is the client.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;

use super::kept::Kept;
use super::unchecked::Unchecked;
use super::{Reloads, TlsError, pem, provider};

/// Who may have issued the server's certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Roots {
    /// An authority that this system trusts.
    #[default]
    System,
    /// An authority in this file, and no other.
    Given(PathBuf),
    /// Anybody: neither issuer nor name nor time is looked at. Whoever is on the way can be the
    /// server.
    Unchecked,
}

/// A certificate to show, and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The certificate, with those of the authorities between.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// How the server is spoken to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpstreamOptions {
    /// Who may have issued its certificate.
    pub roots: Roots,
    /// The certificate to show it, if it asks for one.
    pub identity: Option<Identity>,
    /// Whom its certificate must be for; `None` is the host that is dialled.
    pub server_name: Option<String>,
}

/// How the server is spoken to, files read.
#[derive(Debug)]
pub struct UpstreamTls {
    options: UpstreamOptions,
    server_name: Option<ServerName<'static>>,
    kept: Kept<ClientConfig>,
}

impl UpstreamTls {
    /// Reads the files, and the system's authorities where those are asked for.
    ///
    /// # Errors
    /// One cannot be read, or is not what it is given as; the name is none.
    pub fn load(options: UpstreamOptions) -> Result<Self, TlsError> {
        let server_name = options.server_name.as_deref().map(name).transpose()?;
        let kept = Kept::new(configure(&options)?);
        Ok(Self {
            options,
            server_name,
            kept,
        })
    }

    /// Reads the files again, for connections that are made from now on.
    ///
    /// # Errors
    /// As [`load`](Self::load); then what was there before is used.
    pub fn reload(&self) -> Result<(), TlsError> {
        self.kept.replace(configure(&self.options))
    }

    /// How often they were read again.
    pub fn reloads(&self) -> Reloads {
        self.kept.reloads()
    }

    /// Whether the server's certificate is looked at.
    pub fn is_checked(&self) -> bool {
        self.options.roots != Roots::Unchecked
    }

    pub(crate) fn config(&self) -> Arc<ClientConfig> {
        self.kept.now()
    }

    /// Whom the certificate of the server at `host:port` must be for.
    ///
    /// # Errors
    /// The host is none that a certificate can be for.
    pub(crate) fn server_name(&self, upstream: &str) -> Result<ServerName<'static>, TlsError> {
        match &self.server_name {
            Some(name) => Ok(name.clone()),
            None => name(host(upstream)),
        }
    }
}

/// The host of `host:port`.
fn host(address: &str) -> &str {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    bare.unwrap_or(host)
}

fn name(name: &str) -> Result<ServerName<'static>, TlsError> {
    ServerName::try_from(name.to_owned()).map_err(|_| TlsError::Name {
        name: name.to_owned(),
    })
}

fn configure(options: &UpstreamOptions) -> Result<ClientConfig, TlsError> {
    let provider = provider();
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| TlsError::Library(error.to_string()))?;
    let builder = match &options.roots {
        Roots::System => builder.with_root_certificates(pem::system_roots()?),
        Roots::Given(path) => builder.with_root_certificates(pem::roots(path)?),
        Roots::Unchecked => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Unchecked::new(provider))),
    };
    let Some(Identity { certificate, key }) = &options.identity else {
        return Ok(builder.with_no_client_auth());
    };
    builder
        .with_client_auth_cert(pem::certificates(certificate)?, pem::key(key)?)
        .map_err(|error| TlsError::Identity {
            certificate: certificate.clone(),
            key: key.clone(),
            why: error.to_string(),
        })
}
