use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use clap::builder::FalseyValueParser;
use parallax_captures::Totals;
use tokio::time::{MissedTickBehavior, interval};

use super::cluster::{ClusterArguments, say_rewriting};
use super::descriptors::room_for;
use super::fault::say_faults;
use super::mute::MuteArguments;
use super::record::RecordArguments;
use super::route::{RouteArguments, RouteTable};
use super::service;
use super::signals::{Ending, reload_on_hangup};
use super::telemetry::TelemetryArguments;
use super::teller::Teller;
use super::tls::say_tls;
use super::ui::UiArguments;
use super::{Outcome, say};
use crate::limits::{DRAIN, MAX_CONNECTIONS, TELL_INTERVAL};
use crate::live::{Proxy, ProxyConfig, RouteConfig};
use crate::mirror::MirrorAlso;
use crate::relay::OnOverload;
use crate::tls::Tls;

/// Stand between clients and a server, and show what passes.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Settings in TOML, by the names of these flags; behind flags and the environment.
    /// [default: parallax.toml, where there is one]
    #[arg(long, env = "PARALLAX_CONFIG", value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    pub(super) route: RouteArguments,
    /// Put these to HTTP as well, besides polls of First and Next; several with commas.
    #[arg(long, env = "PARALLAX_MIRROR_ALSO", value_enum, value_delimiter = ',')]
    mirror_also: Vec<MirrorAlso>,
    /// Clients that may be connected at once; further ones are turned away, and counted.
    #[arg(
        long,
        env = "PARALLAX_MAX_CONNECTIONS",
        default_value_t = MAX_CONNECTIONS,
        value_parser = clients
    )]
    pub(super) max_connections: usize,
    #[command(flatten)]
    pub(super) ui: UiArguments,
    #[command(flatten)]
    cluster: ClusterArguments,
    #[command(flatten)]
    mute: MuteArguments,
    #[command(flatten)]
    pub(super) record: RecordArguments,
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

/// # Errors
/// It is no number, or nobody could connect.
fn clients(text: &str) -> Result<usize, String> {
    let clients = text.parse().ok().filter(|clients| *clients > 0);
    clients.ok_or_else(|| format!("not a number from 1 to {}", usize::MAX))
}

/// Routes are those of the file, else the one that the arguments name.
pub(super) fn run(arguments: RunArguments, routes: Vec<RouteTable>) -> anyhow::Result<Outcome> {
    let clients_wanted = arguments.max_connections;
    let config = arguments.proxy(routes)?;
    tokio::runtime::Runtime::new()
        .context("cannot start the runtime")?
        .block_on(serve(config, clients_wanted))
}

impl RunArguments {
    fn proxy(self, routes: Vec<RouteTable>) -> anyhow::Result<ProxyConfig> {
        let routes = self.route.configs(routes)?;
        let http = routes.iter().find_map(|route| route.http.as_deref());
        Ok(ProxyConfig {
            record: self.record.options(http)?,
            routes,
            rewrite_addresses: self.cluster.rewrite_addresses,
            mirror_also: self.mirror_also,
            ui: Some(self.ui.page()?),
            mutes: self.mute.rules()?,
            on_overload: self.on_overload,
            max_connections: room_for(self.max_connections),
            bypass: self.bypass,
            telemetry: self.telemetry.config()?,
        })
    }
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
        if !bypass {
            say_faults(&route.faults);
        }
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
    say(format!(
        "Ctrl-C ends it once open requests are answered; after {} s whatever is open is cut off; \
         twice at once.",
        DRAIN.as_secs()
    ));
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
