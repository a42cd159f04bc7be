//! Certificates and keys, out of PEM files.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rustls::RootCertStore;
use rustls::pki_types::pem::{Error as PemError, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::TlsError;
use crate::limits::TLS_FILE_BYTES;

const CERTIFICATE: &str = "certificate";
const KEY: &str = "private key";

/// The certificates in a file, in their order, at least one.
pub(super) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let text = read(path)?;
    let found = CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>();
    match found {
        Ok(found) if found.is_empty() => Err(empty(path, CERTIFICATE)),
        Ok(found) => Ok(found),
        Err(error) => Err(malformed(path, CERTIFICATE, &error)),
    }
}

/// The first private key in a file.
pub(super) fn key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let text = read(path)?;
    if is_encrypted(&text) {
        return Err(TlsError::Encrypted {
            path: path.to_owned(),
        });
    }
    PrivateKeyDer::from_pem_slice(&text).map_err(|error| match error {
        PemError::NoItemsFound => empty(path, KEY),
        error => malformed(path, KEY, &error),
    })
}

/// Whether a passphrase is needed to read it: as PKCS #8 has it (RFC 5958), or as OpenSSL
/// did before.
fn is_encrypted(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")
        || text.contains("Proc-Type: 4,ENCRYPTED")
}

/// The authorities in a file, at least one.
pub(super) fn roots(path: &Path) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots
            .add(certificate)
            .map_err(|error| malformed(path, CERTIFICATE, &error))?;
    }
    Ok(roots)
}

/// The authorities that the system trusts, at least one.
pub(super) fn system_roots() -> Result<RootCertStore, TlsError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (usable, unusable) = roots.add_parsable_certificates(found.certs);
    if usable == 0 {
        let why = match found.errors.first() {
            Some(error) => error.to_string(),
            None => format!("{unusable} are there, none can be used"),
        };
        return Err(TlsError::NoSystemRoots { why });
    }
    Ok(roots)
}

fn read(path: &Path) -> Result<Vec<u8>, TlsError> {
    let failed = |source| TlsError::Read {
        path: path.to_owned(),
        source,
    };
    let mut text = Vec::new();
    let file = File::open(path).map_err(failed)?;
    let length = file.take(TLS_FILE_BYTES + 1).read_to_end(&mut text);
    if length.map_err(failed)? as u64 > TLS_FILE_BYTES {
        return Err(TlsError::TooLong {
            path: path.to_owned(),
            limit: TLS_FILE_BYTES,
        });
    }
    Ok(text)
}

fn empty(path: &Path, wanted: &'static str) -> TlsError {
    TlsError::Empty {
        path: path.to_owned(),
        wanted,
    }
}

fn malformed(path: &Path, wanted: &'static str, error: &impl ToString) -> TlsError {
    TlsError::Malformed {
        path: path.to_owned(),
        wanted,
        why: error.to_string(),
    }
}
