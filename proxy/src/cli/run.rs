use std::net::SocketAddr;

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::FalseyValueParser;
use parallax_captures::Totals;
use tokio::time::{MissedTickBehavior, interval};

use super::cluster::{ClusterArguments, say_rewriting};
use super::descriptors::room_for;
use super::mute::MuteArguments;
use super::record::RecordArguments;
use super::service;
use super::signals::{Ending, reload_on_hangup};
use super::telemetry::TelemetryArguments;
use super::teller::Teller;
use super::tls::{TlsArguments, say_tls};
use super::ui::UiArguments;
use super::{Outcome, say};
use crate::credentials::Credentials;
use crate::limits::{MAX_CONNECTIONS, TELL_INTERVAL};
use crate::live::{Proxy, ProxyConfig, RouteConfig};
use crate::mirror::MirrorAlso;
use crate::relay::OnOverload;
use crate::tls::Tls;

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
    #[arg(long, env = "PARALLAX_NO_MIRROR", value_parser = FalseyValueParser::new())]
    no_mirror: bool,
    /// Put these to HTTP as well, besides polls of First and Next; several with commas.
    #[arg(long, env = "PARALLAX_MIRROR_ALSO", value_enum, value_delimiter = ',')]
    mirror_also: Vec<MirrorAlso>,
    /// Ask HTTP as this user, with the password in `PARALLAX_HTTP_PASSWORD`,
    /// instead of as the user that the client logs in as.
    #[arg(long, env = "PARALLAX_HTTP_USER")]
    http_user: Option<String>,
    /// Clients that may be connected at once; further ones are turned away, and counted.
    #[arg(long, env = "PARALLAX_MAX_CONNECTIONS", default_value_t = MAX_CONNECTIONS)]
    max_connections: usize,
    #[command(flatten)]
    ui: UiArguments,
    #[command(flatten)]
    tls: TlsArguments,
    #[command(flatten)]
    cluster: ClusterArguments,
    #[command(flatten)]
    mute: MuteArguments,
    #[command(flatten)]
    record: RecordArguments,
    #[command(flatten)]
    telemetry: TelemetryArguments,
    /// What to do where looking falls behind: lose observations, so that no client ever
    /// waits, or slow clients down, so that nothing is lost.
    #[arg(
        long,
        env = "PARALLAX_ON_OVERLOAD",
        value_enum,
        default_value_t,
        conflicts_with = "bypass"
    )]
    on_overload: OnOverload,
    /// Forward only: look at nothing. To measure what looking costs.
    #[arg(long, env = "PARALLAX_BYPASS", value_parser = FalseyValueParser::new())]
    bypass: bool,
}

/// A password on the command line is in every process list, so it has no flag.
const HTTP_PASSWORD: &str = "PARALLAX_HTTP_PASSWORD";

pub(super) fn run(arguments: RunArguments) -> anyhow::Result<Outcome> {
    check_address("--upstream", &arguments.upstream)?;
    let http = match &arguments.http {
        Some(http) => with_scheme(http),
        None => http_of(&arguments.upstream),
    };
    let http = (!arguments.no_mirror).then_some(http);
    let record = arguments.record.options(http.as_deref())?;
    let route = RouteConfig {
        name: None,
        listen: arguments.listen,
        upstream: arguments.upstream,
        http,
        http_credentials: http_credentials(arguments.http_user)?,
        tls: arguments.tls.tls()?,
        advertise: arguments.cluster.advertise,
        cluster: None,
    };
    let config = ProxyConfig {
        routes: vec![route],
        rewrite_addresses: arguments.cluster.rewrite_addresses,
        record,
        mirror_also: arguments.mirror_also,
        ui: Some(arguments.ui.page()?),
        mutes: arguments.mute.rules()?,
        on_overload: arguments.on_overload,
        max_connections: room_for(arguments.max_connections),
        bypass: arguments.bypass,
        telemetry: arguments.telemetry.config()?,
    };
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(serve(config, arguments.max_connections))
}

async fn serve(config: ProxyConfig, clients_wanted: usize) -> anyhow::Result<Outcome> {
    let clients = config.max_connections;
    let otlp = config.telemetry.otlp.as_ref();
    let otlp = otlp.map(|otlp| otlp.endpoint().to_owned());
    let (routes, bypass) = (config.routes.clone(), config.bypass);
    let rewrite_addresses = config.rewrite_addresses;
    let tls: Vec<Tls> = routes.iter().map(|route| route.tls.clone()).collect();
    let proxy = Proxy::start(config).await?;
    end_on_ctrl_c(&proxy);
    for (route, listen) in routes.iter().zip(proxy.listens()) {
        say_route(route, *listen, bypass);
    }
    say_rewriting(rewrite_addresses);
    if clients < clients_wanted {
        say(format!(
            "clients    at most {clients} at once, not {clients_wanted}: each needs two open files, \
             and the system allows no more (ulimit -n)"
        ));
    }
    if let Some(recording) = proxy.journal().recording() {
        say(format!("recording  {}", recording.directory.display()));
    }
    if let Some(page) = proxy.page() {
        say(format!("page       {}", service::told_page(&page)?));
    }
    if let Some(metrics) = proxy.metrics() {
        say(format!("metrics    http://{metrics}/metrics"));
    }
    if let Some(otlp) = otlp {
        say(format!("otlp       sends to {otlp}"));
    }
    say("Ctrl-C ends it once open requests are answered; twice at once.");
    reload_on_hangup(tls);
    let ways = routes.iter().zip(proxy.listens());
    let ways = ways.map(|(route, listen)| format!("{listen}  ->  {}", route.upstream));
    service::is_ready(&ways.collect::<Vec<_>>().join(", "));
    let journal = std::sync::Arc::clone(proxy.journal());
    let mut teller = Teller::new(proxy.ui());
    let mut ticks = interval(TELL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut finished = std::pin::pin!(proxy.finished());
    let statistics = loop {
        tokio::select! {
            statistics = &mut finished => break statistics,
            _ = ticks.tick() => teller.tell(&journal),
        }
    };
    teller.tell(&journal);
    say(format!(
        "{} connections, {} bytes to the server, {} bytes to clients, {} exchanges, {} findings, {} muted",
        statistics.accepted,
        statistics.to_server,
        statistics.to_client,
        journal.totals().exchanges,
        journal.findings().len(),
        journal.muted_findings().len(),
    ));
    say_overload(&journal.totals());
    Ok(Outcome::NothingFound)
}

fn say_route(route: &RouteConfig, listen: SocketAddr, bypass: bool) {
    let name = route.name.as_ref();
    let name = name.map_or_else(String::new, |name| format!("   ({name})"));
    say(format!("listening  {listen}  ->  {}{name}", route.upstream));
    say_tls(&route.tls);
    if let Some(http) = route.http.as_ref().filter(|_| !bypass) {
        say(format!("mirror     asks {http} (--http, or --no-mirror)"));
    }
}

/// What looking cost, where it fell behind.
fn say_overload(totals: &Totals) {
    if totals.observations_dropped > 0 {
        say(format!(
            "{} observations were dropped, so that no client had to wait",
            totals.observations_dropped
        ));
    }
    if totals.clients_slowed > 0 {
        say(format!(
            "clients were slowed down {} times, {:.3} s in all, so that nothing was dropped",
            totals.clients_slowed,
            totals.clients_slowed_for.as_secs_f64()
        ));
    }
}

/// The first Ctrl-C or SIGTERM drains, the second halts.
pub(super) fn end_on_ctrl_c(proxy: &Proxy) {
    let shutdown = proxy.shutdown().clone();
    let mut ending = Ending::listen();
    tokio::spawn(async move {
        loop {
            ending.asked().await;
            service::is_stopping();
            shutdown.signal();
        }
    });
}

/// # Errors
/// It is not of the form `host:port`.
pub(super) fn check_address(flag: &str, address: &str) -> anyhow::Result<()> {
    let parts = address.rsplit_once(':');
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    let bare_ipv6 = |host: &str| host.contains(':') && !host.starts_with('[');
    match parts {
        Some((host, port)) if !host.is_empty() && !bare_ipv6(host) && is_port(port) => Ok(()),
        _ => bail!("{flag} {address:?} is not host:port, e.g. 127.0.0.1:8090 or [::1]:8090"),
    }
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
    fn an_upstream_is_host_and_port() {
        for upstream in ["127.0.0.1:8090", "iggy.internal:1", "[::1]:8090"] {
            assert!(check_address("--upstream", upstream).is_ok(), "{upstream}");
        }
        for upstream in [
            "nohost",
            "nohost:",
            ":8090",
            "host:0",
            "::1:8090",
            "host:70000",
            "",
        ] {
            let error = check_address("--upstream", upstream)
                .unwrap_err()
                .to_string();
            assert!(error.contains("host:port"), "{error}");
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
}
