//! TLS on the command line.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::FalseyValueParser;

use super::say;
use crate::tls::authority::AuthorityFiles;
use crate::tls::{
    DownstreamFiles, DownstreamTls, Identity, Roots, Tls, UpstreamOptions, UpstreamTls,
};

#[derive(Debug, Args)]
#[command(next_help_heading = "TLS (SIGHUP reads its files again, but those of --http)")]
pub(super) struct TlsArguments {
    /// Speak TLS with clients, with what `parallax ca` has made in this directory.
    #[arg(long, env = "PARALLAX_TLS_CA", value_name = "DIRECTORY")]
    tls_ca: Option<PathBuf>,
    /// Speak TLS with clients, with this certificate: PEM, those of the authorities between it
    /// and one that clients know behind it.
    #[arg(
        long,
        env = "PARALLAX_TLS_CERTIFICATE",
        value_name = "FILE",
        conflicts_with = "tls_ca"
    )]
    tls_certificate: Option<PathBuf>,
    /// Its private key, PEM.
    #[arg(long, env = "PARALLAX_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Take no client without a certificate by one of these authorities, PEM.
    #[arg(long, env = "PARALLAX_TLS_CLIENT_CA", value_name = "FILE")]
    tls_client_ca: Option<PathBuf>,
    /// Speak TLS with the server.
    #[arg(long, env = "PARALLAX_UPSTREAM_TLS", value_parser = FalseyValueParser::new())]
    upstream_tls: bool,
    /// Whose certificate the server's must be, PEM. [default: the system's authorities]
    #[arg(long, env = "PARALLAX_UPSTREAM_CA", value_name = "FILE")]
    upstream_ca: Option<PathBuf>,
    /// A certificate to show the server, PEM.
    #[arg(long, env = "PARALLAX_UPSTREAM_CERTIFICATE", value_name = "FILE")]
    upstream_certificate: Option<PathBuf>,
    /// Its private key, PEM.
    #[arg(long, env = "PARALLAX_UPSTREAM_KEY", value_name = "FILE")]
    upstream_key: Option<PathBuf>,
    /// Whom the server's certificate must be for, and whom it is asked for (SNI). [default: the
    /// upstream's host]
    #[arg(long, env = "PARALLAX_UPSTREAM_NAME", value_name = "NAME")]
    upstream_name: Option<String>,
    /// Take any certificate of the server's, so that anybody on the way can be the server. For a
    /// test, never for good.
    #[arg(
        long,
        env = "PARALLAX_UPSTREAM_INSECURE",
        value_parser = FalseyValueParser::new(),
        conflicts_with = "upstream_ca"
    )]
    upstream_insecure: bool,
    /// Whose certificate that of an https:// address in --http must be, PEM. [default: the
    /// system's authorities]
    #[arg(long, env = "PARALLAX_HTTP_CA", value_name = "FILE")]
    http_ca: Option<PathBuf>,
    /// A certificate to show there, PEM.
    #[arg(long, env = "PARALLAX_HTTP_CERTIFICATE", value_name = "FILE")]
    http_certificate: Option<PathBuf>,
    /// Its private key, PEM.
    #[arg(long, env = "PARALLAX_HTTP_KEY", value_name = "FILE")]
    http_key: Option<PathBuf>,
}

impl TlsArguments {
    /// TLS of each side, files read.
    ///
    /// # Errors
    /// A flag lacks another, or is without effect; a file cannot be read or used.
    pub(super) fn tls(self) -> anyhow::Result<Tls> {
        let upstream = UpstreamFlags {
            on: self.upstream_tls,
            ca: self.upstream_ca,
            identity: pair(
                ("--upstream-certificate", self.upstream_certificate),
                ("--upstream-key", self.upstream_key),
            )?,
            name: self.upstream_name,
            insecure: self.upstream_insecure,
        };
        let served = pair(
            ("--tls-certificate", self.tls_certificate),
            ("--tls-key", self.tls_key),
        )?;
        let http = pair(
            ("--http-certificate", self.http_certificate),
            ("--http-key", self.http_key),
        )?;
        Ok(Tls {
            downstream: downstream(served, self.tls_ca, self.tls_client_ca)?,
            upstream: upstream.load()?,
            http: https(self.http_ca, http)?,
        })
    }
}

/// What holds, and loudly what should not.
pub(super) fn say_tls(tls: &Tls) {
    let with = |is_on| if is_on { "TLS" } else { "plain" };
    if !tls.is_off() {
        say(format!(
            "tls        {} with clients, {} with the server; SIGHUP reads the files again",
            with(tls.downstream.is_some()),
            with(tls.upstream.is_some())
        ));
    }
    if tls.upstream.as_ref().is_some_and(|tls| !tls.is_checked()) {
        tracing::warn!(
            "--upstream-insecure: the server's certificate is NOT checked. Anybody on the way can \
             be the server, and read every password and message"
        );
    }
}

fn downstream(
    served: Option<Identity>,
    made: Option<PathBuf>,
    client_ca: Option<PathBuf>,
) -> anyhow::Result<Option<Arc<DownstreamTls>>> {
    let files = match (served, made) {
        (Some(Identity { certificate, key }), _) => DownstreamFiles {
            certificate,
            key,
            client_ca,
        },
        (None, Some(directory)) => {
            let served = AuthorityFiles::of(&directory).served;
            if !served.certificate.exists() {
                bail!(
                    "--tls-ca {}: there is no certificate; make one with `parallax ca --directory {}`",
                    directory.display(),
                    directory.display()
                );
            }
            DownstreamFiles {
                client_ca,
                ..served
            }
        }
        (None, None) if client_ca.is_some() => {
            bail!("--tls-client-ca needs TLS with clients: --tls-ca or --tls-certificate")
        }
        (None, None) => return Ok(None),
    };
    let tls = DownstreamTls::load(files).context("TLS with clients")?;
    Ok(Some(Arc::new(tls)))
}

struct UpstreamFlags {
    on: bool,
    ca: Option<PathBuf>,
    identity: Option<Identity>,
    name: Option<String>,
    insecure: bool,
}

impl UpstreamFlags {
    fn load(self) -> anyhow::Result<Option<Arc<UpstreamTls>>> {
        if !self.on {
            let given = [
                ("--upstream-ca", self.ca.is_some()),
                ("--upstream-certificate", self.identity.is_some()),
                ("--upstream-name", self.name.is_some()),
                ("--upstream-insecure", self.insecure),
            ];
            if let Some((flag, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
                bail!("{flag} needs --upstream-tls: without it the server is spoken to plainly");
            }
            return Ok(None);
        }
        let options = UpstreamOptions {
            roots: match self.ca {
                _ if self.insecure => Roots::Unchecked,
                Some(file) => Roots::Given(file),
                None => Roots::System,
            },
            identity: self.identity,
            server_name: self.name,
        };
        let tls = UpstreamTls::load(options).context("TLS with the server")?;
        Ok(Some(Arc::new(tls)))
    }
}

fn https(
    ca: Option<PathBuf>,
    identity: Option<Identity>,
) -> anyhow::Result<Option<Arc<UpstreamTls>>> {
    if ca.is_none() && identity.is_none() {
        return Ok(None);
    }
    let options = UpstreamOptions {
        roots: ca.map_or(Roots::System, Roots::Given),
        identity,
        server_name: None,
    };
    let tls = UpstreamTls::load(options).context("TLS with the server's HTTP API")?;
    Ok(Some(Arc::new(tls)))
}

/// A certificate and its key: both or none.
fn pair(
    (certificate_flag, certificate): (&str, Option<PathBuf>),
    (key_flag, key): (&str, Option<PathBuf>),
) -> anyhow::Result<Option<Identity>> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some(Identity { certificate, key })),
        (None, None) => Ok(None),
        (Some(_), None) => bail!("{certificate_flag} needs the certificate's key: {key_flag}"),
        (None, Some(_)) => bail!("{key_flag} needs the key's certificate: {certificate_flag}"),
    }
}
