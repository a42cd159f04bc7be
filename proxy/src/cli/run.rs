use anyhow::Context as _;
use clap::Args;

use super::Outcome;
use crate::credentials::Credentials;
use crate::live::{Proxy, ProxyConfig};

/// Stand between clients and a server, and show what passes.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Where clients connect instead of to the server.
    #[arg(long, env = "PARALLAX_LISTEN", default_value = "127.0.0.1:8190")]
    listen: String,
    /// The server's TCP address.
    #[arg(long, env = "PARALLAX_UPSTREAM", default_value = "127.0.0.1:8090")]
    upstream: String,
    /// The server's HTTP API. [default: port 3000 of the upstream's host]
    #[arg(long, env = "PARALLAX_HTTP")]
    http: Option<String>,
    /// Do not ask HTTP anything.
    #[arg(long, env = "PARALLAX_NO_MIRROR")]
    no_mirror: bool,
    /// Ask HTTP as this user, with the password in `PARALLAX_HTTP_PASSWORD`,
    /// instead of as the user that the client logs in as.
    #[arg(long, env = "PARALLAX_HTTP_USER")]
    http_user: Option<String>,
    /// Where the page is served.
    #[arg(long, env = "PARALLAX_UI", default_value = "127.0.0.1:8191")]
    ui: String,
    /// Forward only: look at nothing. To measure what looking costs.
    #[arg(long, env = "PARALLAX_BYPASS")]
    bypass: bool,
}

/// A password on the command line is in every process list, so it has no flag.
const HTTP_PASSWORD: &str = "PARALLAX_HTTP_PASSWORD";

pub(super) fn run(arguments: RunArguments) -> anyhow::Result<Outcome> {
    let http = arguments
        .http
        .unwrap_or_else(|| http_of(&arguments.upstream));
    let config = ProxyConfig {
        listen: arguments.listen,
        upstream: arguments.upstream,
        http: (!arguments.no_mirror).then_some(http),
        http_credentials: http_credentials(arguments.http_user)?,
        ui: Some(arguments.ui),
        bypass: arguments.bypass,
    };
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(serve(config))
}

async fn serve(config: ProxyConfig) -> anyhow::Result<Outcome> {
    let upstream = config.upstream.clone();
    let http = config.http.clone().filter(|_| !config.bypass);
    let proxy = Proxy::start(config).await?;
    println!("listening  {}  ->  {upstream}", proxy.listen());
    if let Some(http) = http {
        println!("mirror     asks {http} (--http, or --no-mirror)");
    }
    if let Some(ui) = proxy.ui() {
        println!("page       http://{ui}/");
    }
    println!("Ctrl-C ends it once open requests are answered; twice at once.");
    end_on_ctrl_c(&proxy);
    let journal = std::sync::Arc::clone(proxy.journal());
    let statistics = proxy.finished().await;
    println!(
        "{} connections, {} bytes to the server, {} bytes to clients, {} exchanges, {} findings",
        statistics.accepted,
        statistics.to_server,
        statistics.to_client,
        journal.totals().exchanges,
        journal.findings().len(),
    );
    Ok(Outcome::NothingFound)
}

/// The first Ctrl-C drains, the second halts.
pub(super) fn end_on_ctrl_c(proxy: &Proxy) {
    let shutdown = proxy.shutdown().clone();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            shutdown.signal();
        }
    });
}

/// The HTTP API of the server whose TCP address this is: a password seen on the
/// way to one host is told to no other.
fn http_of(upstream: &str) -> String {
    let host = upstream.rsplit_once(':').map_or(upstream, |(host, _)| host);
    format!("http://{host}:{HTTP_PORT}")
}

/// Where servers 0.8.0 and 0.9 serve HTTP by default.
const HTTP_PORT: u16 = 3000;

fn http_credentials(user: Option<String>) -> anyhow::Result<Option<Credentials>> {
    let Some(username) = user else {
        return Ok(None);
    };
    let password = std::env::var(HTTP_PASSWORD).with_context(|| {
        format!("--http-user needs the password in the environment variable {HTTP_PASSWORD}")
    })?;
    Ok(Some(Credentials::Password { username, password }))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
