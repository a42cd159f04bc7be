use std::io;
use std::path::PathBuf;

/// Why TLS cannot be set up. Says which file, what is wrong with it, and what to do; never
/// what is in it.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is longer than any certificate or key.
    #[error("{} is longer than {limit} bytes, so it is not what it is given as", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// [`crate::limits::TLS_FILE_BYTES`].
        limit: u64,
    },
    /// A file does not hold what it is read for.
    #[error("{} holds no {wanted}: give a PEM file (-----BEGIN ...)", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// `certificate` or `private key`.
        wanted: &'static str,
    },
    /// A key that nobody can read without its passphrase.
    #[error(
        "the private key in {0} is encrypted, and parallax asks nobody for a passphrase: give it \
         without (openssl pkey -in {0} -out FILE, for its owner alone)",
        path.display()
    )]
    Encrypted {
        /// The file.
        path: PathBuf,
    },
    /// What a file holds cannot be understood.
    #[error("the {wanted} in {} cannot be read: {why}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// `certificate` or `private key`.
        wanted: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A certificate and a key are not of each other, or of no use.
    #[error(
        "the certificate {} and the key {} cannot be used: {why}",
        certificate.display(),
        key.display()
    )]
    Identity {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The system has no authorities that it trusts.
    #[error(
        "this system has no certificates of authorities that could be read ({why}): install its \
         package (ca-certificates), or give the authority's certificate"
    )]
    NoSystemRoots {
        /// What the system says.
        why: String,
    },
    /// Authorities for clients are of no use.
    #[error("clients cannot be checked by {}: {why}", path.display())]
    ClientAuthority {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The name that the server's certificate is to be for is none.
    #[error("{name:?} is no name or address that a certificate can be for")]
    Name {
        /// As given.
        name: String,
    },
    /// The library has none of what is needed.
    #[error("TLS cannot be set up: {0}")]
    Library(String),
}
