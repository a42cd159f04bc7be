//! TLS with clients: parallax is the server.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::server::WebPkiClientVerifier;

use super::kept::Kept;
use super::{Reloads, TlsError, pem, provider};

/// The files that clients are served with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownstreamFiles {
    /// The certificate, and those of the authorities between it and one that clients know.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The authorities by one of which a client's certificate must be; `None` asks for none.
    pub client_ca: Option<PathBuf>,
}

/// What clients are served with.
#[derive(Debug)]
pub struct DownstreamTls {
    files: DownstreamFiles,
    kept: Kept<ServerConfig>,
}

impl DownstreamTls {
    /// Reads the files.
    ///
    /// # Errors
    /// One cannot be read, or is not what it is given as.
    pub fn load(files: DownstreamFiles) -> Result<Self, TlsError> {
        let kept = Kept::new(configure(&files)?);
        Ok(Self { files, kept })
    }

    /// Reads the files again, for clients that come from now on.
    ///
    /// # Errors
    /// As [`load`](Self::load); then clients are served with what was there before.
    pub fn reload(&self) -> Result<(), TlsError> {
        self.kept.replace(configure(&self.files))
    }

    /// How often they were read again.
    pub fn reloads(&self) -> Reloads {
        self.kept.reloads()
    }

    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        self.kept.now()
    }
}

fn configure(files: &DownstreamFiles) -> Result<ServerConfig, TlsError> {
    let provider = provider();
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| TlsError::Library(error.to_string()))?;
    let builder = match &files.client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let roots = Arc::new(pem::roots(path)?);
            let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider);
            let verifier = verifier
                .build()
                .map_err(|error| TlsError::ClientAuthority {
                    path: path.clone(),
                    why: error.to_string(),
                })?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    builder
        .with_single_cert(
            pem::certificates(&files.certificate)?,
            pem::key(&files.key)?,
        )
        .map_err(|error| TlsError::Identity {
            certificate: files.certificate.clone(),
            key: files.key.clone(),
            why: error.to_string(),
        })
}
