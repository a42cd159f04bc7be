//! A local authority, and the certificate that clients of parallax are served with.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::ToSpan as _;
use jiff::civil::Date;
use parallax_captures::private;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, date_time_ymd,
};

use rustls::pki_types::ServerName;

use super::DownstreamFiles;

/// Where everything is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityFiles {
    /// The authority's certificate: for clients.
    pub authority: PathBuf,
    /// The authority's private key: for nobody.
    pub authority_key: PathBuf,
    /// The certificate that clients are served with, and its private key.
    pub served: DownstreamFiles,
}

impl AuthorityFiles {
    /// In this directory.
    pub fn of(directory: &Path) -> Self {
        Self {
            authority: directory.join("ca.pem"),
            authority_key: directory.join("ca.key"),
            served: DownstreamFiles {
                certificate: directory.join("server.pem"),
                key: directory.join("server.key"),
                client_ca: None,
            },
        }
    }
}

/// The last day of each certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validity {
    /// Of the authority's.
    pub authority: Option<Date>,
    /// Of the one that clients are served with.
    pub served: Date,
}

/// Why there is no authority, or no certificate by it.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// There is one, which clients may trust already.
    #[error(
        "there is an authority in {} already, which clients may know: --renew makes a new \
         certificate by it. For another authority name another directory, or remove this one",
        directory.display()
    )]
    Exists {
        /// The directory.
        directory: PathBuf,
    },
    /// There is none to renew by.
    #[error(
        "there is no authority in {} ({source}): make one with `parallax ca` without --renew",
        directory.display()
    )]
    Missing {
        /// The directory.
        directory: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A name is none that a certificate can be for.
    #[error(
        "{name:?} is no name or address that a certificate can be for: give a host's name, \
         *.example.org, or an IP address, without a port"
    )]
    Name {
        /// As given.
        name: String,
    },
    /// The library makes none of what it was given, or a key is none.
    #[error("cannot make the certificate: {0}")]
    Certificate(#[from] rcgen::Error),
}

/// The names that every certificate has.
pub const LOCAL_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Makes an authority in a directory, and a certificate by it for [`LOCAL_NAMES`] and `names`.
///
/// # Errors
/// There is an authority; a name is none; a file cannot be written.
pub fn create(directory: &Path, names: &[String], today: Date) -> Result<Validity, AuthorityError> {
    let files = AuthorityFiles::of(directory);
    if files.authority.exists() || files.authority_key.exists() {
        return Err(AuthorityError::Exists {
            directory: directory.to_owned(),
        });
    }
    let until = today.saturating_add(10.years());
    let mut params = valid(CertificateParams::new(Vec::new())?, today, until);
    params.distinguished_name = name(AUTHORITY);
    // It signs certificates of servers alone, and no further authority.
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let issuer = Issuer::new(params, &key);
    let served = serve(&issuer, names, today)?;

    make_directory(directory)?;
    write_new(&files.authority_key, &key.serialize_pem())?;
    write_new(&files.authority, &certificate.pem())?;
    served.write(&files)?;
    Ok(Validity {
        authority: Some(until),
        served: served.until,
    })
}

/// Makes another certificate by the authority in a directory. Whoever knows the authority
/// takes it.
///
/// # Errors
/// There is no authority; a name is none; a file cannot be written.
pub fn renew(directory: &Path, names: &[String], today: Date) -> Result<Validity, AuthorityError> {
    let files = AuthorityFiles::of(directory);
    let key = fs::read_to_string(&files.authority_key);
    let key = key.map_err(|source| AuthorityError::Missing {
        directory: directory.to_owned(),
        source,
    })?;
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name = name(AUTHORITY);
    let issuer = Issuer::new(params, KeyPair::from_pem(&key)?);
    let served = serve(&issuer, names, today)?;
    served.write(&files)?;
    Ok(Validity {
        authority: None,
        served: served.until,
    })
}

/// The authority's name: the same each time, so that it can be renewed by.
const AUTHORITY: &str = "parallax local authority";

/// What clients are served with, until when.
struct Served {
    certificate: String,
    key: KeyPair,
    until: Date,
}

impl Served {
    /// Writes both, each at once where there is one.
    fn write(&self, files: &AuthorityFiles) -> Result<(), AuthorityError> {
        replace(&files.served.key, &self.key.serialize_pem())?;
        replace(&files.served.certificate, &self.certificate)
    }
}

fn serve(
    issuer: &Issuer<'_, impl rcgen::SigningKey>,
    names: &[String],
    today: Date,
) -> Result<Served, AuthorityError> {
    if let Some(name) = names.iter().find(|name| !is_name(name)) {
        return Err(AuthorityError::Name { name: name.clone() });
    }
    // Apple's limit for certificates is 825 days.
    let until = today.saturating_add(2.years());
    let local = LOCAL_NAMES.into_iter().map(str::to_owned);
    let mut all: Vec<_> = local.collect();
    all.extend(
        names
            .iter()
            .filter(|one| !LOCAL_NAMES.contains(&one.as_str()))
            .cloned(),
    );
    let mut params = valid(CertificateParams::new(all)?, today, until);
    params.distinguished_name = name("parallax");
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    let certificate = params.signed_by(&key, issuer)?.pem();
    Ok(Served {
        certificate,
        key,
        until,
    })
}

/// Whether clients could look for it in a certificate.
fn is_name(name: &str) -> bool {
    let host = name.strip_prefix("*.").unwrap_or(name);
    ServerName::try_from(host).is_ok_and(|parsed| {
        // Of addresses there is no wildcard.
        host == name || matches!(parsed, ServerName::DnsName(_))
    })
}

/// From the day before, since clocks differ.
fn valid(mut params: CertificateParams, today: Date, until: Date) -> CertificateParams {
    let midnight = |date: Date| {
        let [month, day] = [date.month(), date.day()].map(i8::unsigned_abs);
        date_time_ymd(i32::from(date.year()), month, day)
    };
    params.not_before = midnight(today.saturating_sub(1.day()));
    params.not_after = midnight(until);
    params
}

fn name(common: &str) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, common);
    name
}

fn make_directory(path: &Path) -> Result<(), AuthorityError> {
    private::create_directory(path).map_err(|source| unwritten(path, source))
}

/// A file that was not there, for its owner alone.
fn write_new(path: &Path, text: &str) -> Result<(), AuthorityError> {
    let written = private::create_new(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|source| unwritten(path, source))
}

/// A file, in the place of the one that is there: whoever reads it reads one of the two.
fn replace(path: &Path, text: &str) -> Result<(), AuthorityError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    // Left over from a time that was cut short.
    let _ = fs::remove_file(&beside);
    write_new(&beside, text)?;
    fs::rename(&beside, path).map_err(|source| unwritten(path, source))
}

fn unwritten(path: &Path, source: io::Error) -> AuthorityError {
    AuthorityError::Write {
        path: path.to_owned(),
        source,
    }
}
