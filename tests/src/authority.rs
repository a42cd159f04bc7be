//! Authorities and certificates for tests, made by another hand than parallax's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::RootCertStore;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A folder of its own for a test; removed when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one, told apart by the test's name.
    pub fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("parallax-{test}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("it can be made");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file in it.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.file(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Signs certificates.
pub struct Authority {
    /// Its own certificate, PEM.
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key, PEM.
pub struct Issued {
    /// The certificate.
    pub certificate: String,
    /// The private key.
    pub key: String,
}

impl Authority {
    /// One of this name.
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names are fine");
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let key = KeyPair::generate().expect("there is randomness");
        let pem = params.self_signed(&key).expect("it signs").pem();
        Self {
            pem,
            issuer: Issuer::new(params, key),
        }
    }

    /// A certificate for these names, of a server or a client, for a long time.
    pub fn issue(&self, names: &[&str]) -> Issued {
        self.issue_until(names, 2100)
    }

    /// One that ends with the beginning of a year.
    pub fn issue_until(&self, names: &[&str], year: i32) -> Issued {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("they are names");
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        params.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        let key = KeyPair::generate().expect("there is randomness");
        let certificate = params.signed_by(&key, &self.issuer).expect("it signs");
        Issued {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        }
    }

    /// Those who trust it and nobody else.
    pub fn roots(&self) -> Arc<RootCertStore> {
        let certificate = CertificateDer::from_pem_slice(self.pem.as_bytes());
        let mut roots = RootCertStore::empty();
        roots
            .add(certificate.expect("it is one"))
            .expect("it is one");
        Arc::new(roots)
    }
}

impl Issued {
    /// The certificate, as the library takes it.
    pub fn chain(&self) -> Vec<CertificateDer<'static>> {
        vec![CertificateDer::from_pem_slice(self.certificate.as_bytes()).expect("it is one")]
    }

    /// The key, as the library takes it.
    pub fn private_key(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("it is one")
    }
}

/// The cryptography of the tests' own ends.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}
