//! One way from clients to a server, on the command line or as a `[[route]]`.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use clap::builder::FalseyValueParser;
use parallax_captures::RouteName;

use super::fault::FaultArguments;
use super::tls::TlsArguments;
use crate::cluster::Endpoint;
use crate::credentials::Credentials;
use crate::limits::PASSWORD_BYTES;
use crate::live::RouteConfig;

#[derive(Debug, Args)]
pub(super) struct RouteArguments {
    /// Where clients connect instead of to the server.
    #[arg(
        long,
        env = "PARALLAX_LISTEN",
        default_value = "127.0.0.1:8190",
        value_parser = own_address
    )]
    pub(super) listen: String,
    /// The server's TCP address.
    #[arg(
        long,
        env = "PARALLAX_UPSTREAM",
        default_value = "127.0.0.1:8090",
        value_parser = address
    )]
    pub(super) upstream: String,
    /// The server's HTTP API. [default: port 3000 of the upstream's host]
    // What is set may hold a password, which is refused, and must not be in the help.
    #[arg(
        long,
        env = "PARALLAX_HTTP",
        hide_env_values = true,
        hide_default_value = true
    )]
    http: Option<String>,
    /// Do not ask HTTP anything.
    #[arg(long, env = "PARALLAX_NO_MIRROR", value_parser = FalseyValueParser::new())]
    no_mirror: bool,
    /// Ask HTTP as this user, with the password in `PARALLAX_HTTP_PASSWORD` or in
    /// --http-password-file, instead of as the user that the client logs in as.
    #[arg(long, env = "PARALLAX_HTTP_USER")]
    http_user: Option<String>,
    /// The first line of this file is that user's password.
    #[arg(long, env = "PARALLAX_HTTP_PASSWORD_FILE", value_name = "FILE")]
    http_password_file: Option<PathBuf>,
    /// Where clients of a cluster are told that the listener is, if that is not where it
    /// listens: behind a port mapping, or by the name that a certificate is for.
    #[arg(long, env = "PARALLAX_ADVERTISE", value_name = "HOST:PORT")]
    advertise: Option<Endpoint>,
    #[command(flatten)]
    tls: TlsArguments,
    #[command(flatten)]
    fault: FaultArguments,
}

/// What a `[[route]]` has.
#[derive(Debug, Args)]
pub(super) struct RouteTable {
    /// Its name: letters, digits, -, _ and .
    #[arg(long, value_parser = RouteName::new)]
    name: RouteName,
    /// The cluster that the server is a node of: nodes of one cluster are one server to
    /// whatever is concluded. [default: each upstream is a server of its own]
    #[arg(long, value_parser = RouteName::new)]
    cluster: Option<RouteName>,
    #[command(flatten)]
    route: RouteArguments,
}

/// A password on the command line is in every process list, so it has no flag.
pub(super) const HTTP_PASSWORD: &str = "PARALLAX_HTTP_PASSWORD";

impl RouteTable {
    /// As [`RouteArguments::config`].
    pub(super) fn config(self) -> anyhow::Result<RouteConfig> {
        let Self {
            name,
            cluster,
            route,
        } = self;
        let route = route.config().with_context(|| format!("route {name}"))?;
        Ok(RouteConfig {
            name: Some(name),
            cluster,
            ..route
        })
    }
}

impl RouteArguments {
    /// Those of the file, else this one.
    ///
    /// # Errors
    /// As [`RouteArguments::config`].
    pub(super) fn configs(self, tables: Vec<RouteTable>) -> anyhow::Result<Vec<RouteConfig>> {
        self.each(tables).into_iter().collect()
    }

    /// The same, each by itself.
    pub(super) fn each(self, tables: Vec<RouteTable>) -> Vec<anyhow::Result<RouteConfig>> {
        if tables.is_empty() {
            return vec![self.config()];
        }
        tables.into_iter().map(RouteTable::config).collect()
    }

    /// The route, without a name; files read.
    ///
    /// # Errors
    /// An address that is none; a user without a password; a file that cannot be used.
    pub(super) fn config(self) -> anyhow::Result<RouteConfig> {
        let http = match &self.http {
            Some(http) => with_scheme(http),
            None => http_of(&self.upstream),
        };
        Ok(RouteConfig {
            name: None,
            http: (!self.no_mirror).then_some(http),
            http_credentials: http_credentials(self.http_user, self.http_password_file)?,
            listen: self.listen,
            upstream: self.upstream,
            tls: self.tls.tls()?,
            advertise: self.advertise,
            cluster: None,
            faults: self.fault.faults(),
        })
    }
}

/// The address of somebody else.
///
/// # Errors
/// It is not of the form `host:port`.
pub(super) fn address(text: &str) -> Result<String, String> {
    match port(text) {
        Some(1..) => Ok(text.to_owned()),
        _ => Err("not host:port, e.g. 127.0.0.1:8090 or [::1]:8090".to_owned()),
    }
}

/// An address to listen on, of whose port the system may have the choice.
///
/// # Errors
/// It is not of the form `host:port`.
pub(super) fn own_address(text: &str) -> Result<String, String> {
    match port(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(
            "not host:port, e.g. 127.0.0.1:8190, or 0.0.0.0:8190 for every address of this machine"
                .to_owned(),
        ),
    }
}

fn port(address: &str) -> Option<u16> {
    let (host, port) = address.rsplit_once(':')?;
    let is_bare_ipv6 = host.contains(':') && !host.starts_with('[');
    let is_host = !host.is_empty()
        && !is_bare_ipv6
        && !host.contains(|c: char| c.is_whitespace() || c.is_control());
    port.parse().ok().filter(|_| is_host)
}

/// A bare `host:port` is meant as HTTP.
fn with_scheme(http: &str) -> String {
    if http.contains("://") {
        http.to_owned()
    } else {
        format!("http://{http}")
    }
}

/// The HTTP API of the server whose TCP address this is: a password seen on the
/// way to one host is told to no other.
fn http_of(upstream: &str) -> String {
    let host = upstream.rsplit_once(':').map_or(upstream, |(host, _)| host);
    format!("http://{host}:{HTTP_PORT}")
}

/// Where servers 0.8.0 and 0.9 serve HTTP by default.
const HTTP_PORT: u16 = 3000;

fn http_credentials(
    user: Option<String>,
    password_file: Option<PathBuf>,
) -> anyhow::Result<Option<Credentials>> {
    let Some(username) = user else {
        ensure!(
            password_file.is_none(),
            "--http-password-file is for --http-user: name the user"
        );
        return Ok(None);
    };
    let password = match password_file {
        Some(path) => password_in(&path)
            .with_context(|| format!("cannot read the password in {}", path.display()))?,
        None => std::env::var(HTTP_PASSWORD).with_context(|| {
            format!(
                "--http-user needs the password in the environment variable {HTTP_PASSWORD}, or \
                 --http-password-file"
            )
        })?,
    };
    Ok(Some(Credentials::Password { username, password }))
}

/// The first line of a file. What else is in it is nobody's business, nor any error's.
fn password_in(path: &std::path::Path) -> anyhow::Result<String> {
    use std::io::Read as _;

    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    file.take(PASSWORD_BYTES).read_to_string(&mut text)?;
    let password = text.lines().next().unwrap_or_default().to_owned();
    ensure!(!password.is_empty(), "its first line is empty");
    Ok(password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_host_and_port_and_the_system_may_choose_an_own_one() {
        for upstream in ["127.0.0.1:8090", "iggy.internal:1", "[::1]:8090"] {
            assert_eq!(address(upstream).as_deref(), Ok(upstream));
        }
        for upstream in [
            "nohost",
            "nohost:",
            ":8090",
            "host:0",
            "::1:8090",
            "host:70000",
            "a host:1",
            "5",
            "",
        ] {
            let error = address(upstream).unwrap_err();
            assert!(error.contains("host:port"), "{error}");
            assert_eq!(own_address(upstream).is_ok(), upstream == "host:0");
        }
    }

    #[test]
    fn an_http_address_without_a_scheme_is_http() {
        assert_eq!(with_scheme("127.0.0.1:3000"), "http://127.0.0.1:3000");
        assert_eq!(with_scheme("https://a:1"), "https://a:1");
    }

    #[test]
    fn http_is_asked_on_the_host_that_the_client_logs_in_at() {
        for (upstream, http) in [
            ("127.0.0.1:8090", "http://127.0.0.1:3000"),
            ("iggy.internal:5000", "http://iggy.internal:3000"),
            ("[::1]:8090", "http://[::1]:3000"),
        ] {
            assert_eq!(http_of(upstream), http);
        }
    }

    #[test]
    fn a_password_is_the_first_line_of_its_file_and_is_in_no_error() {
        let path = std::env::temp_dir().join(format!("parallax-password-{}", std::process::id()));
        std::fs::write(&path, "hush hush\nand more\n").unwrap();
        let read = http_credentials(Some("iggy".to_owned()), Some(path.clone()));
        let Ok(Some(Credentials::Password { password, .. })) = read else {
            panic!("{read:?}");
        };
        assert_eq!(password, "hush hush");
        std::fs::write(&path, "\nhush\n").unwrap();
        let error = http_credentials(Some("iggy".to_owned()), Some(path.clone())).unwrap_err();
        assert!(!format!("{error:?}").contains("hush"), "{error:?}");
        std::fs::remove_file(&path).unwrap();
        assert!(http_credentials(None, Some(path)).is_err());
    }
}
