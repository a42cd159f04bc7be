use std::net::SocketAddr;
use std::sync::Arc;

use parallax_captures::recording::{self, OpenRecording, RecordOptions, Recorder, RecordingError};
use parallax_captures::{Journal, Mutes};
use parallax_web::{About, Access, LiveRoute, ServeError, Source, may_listen};
use tokio::net::{TcpListener, lookup_host};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::observer::observe;
use super::route::RouteConfig;
use super::ways::Ways;
use crate::cluster::{Listener, Listeners, RewriteAddresses};
use crate::faults::Injector;
use crate::limits::{ANALYSIS_THREADS, FLUSH_TIMEOUT, MAX_CONNECTIONS, RECORD_FINISH};
use crate::mirror::{MirrorAlso, MirrorError};
use crate::priority::give_way;
use crate::relay::{
    Interceptor, OnOverload, Relay, RelayConfig, RelayError, Shutdown, Statistics, Tap, TapLimits,
    is_itself, tap,
};
use crate::telemetry::{Figures, Telemetry, TelemetryConfig, TelemetryError};

/// What a proxy is told.
#[derive(Debug, Clone)]
pub struct ProxyConfig {
    /// The ways through it, at least one. Of several each has a name of its own.
    pub routes: Vec<RouteConfig>,
    /// Whether clients are told of the listeners in the place of the nodes that they stand
    /// for.
    pub rewrite_addresses: bool,
    /// What is put to HTTP besides polls of First and Next.
    pub mirror_also: Vec<MirrorAlso>,
    /// The page; `None` for none.
    pub ui: Option<PageConfig>,
    /// What is known already and not to be told again.
    pub mutes: Mutes,
    /// Where what is seen is recorded, if it is to be.
    pub record: Option<RecordOptions>,
    /// Clients that may be connected at once, by all ways together.
    pub max_connections: usize,
    /// What is done where looking falls behind.
    pub on_overload: OnOverload,
    /// Forward only: no tap, no mirror, nothing to see on the page.
    pub bypass: bool,
    /// What is told of parallax itself, and to whom.
    pub telemetry: TelemetryConfig,
}

/// Where a page is served, and to whom.
#[derive(Debug, Clone)]
pub struct PageConfig {
    /// `host:port`; port 0 takes a free one. A loopback address, unless there is a password.
    pub listen: String,
    /// Who may see it.
    pub access: Arc<Access>,
}

impl ProxyConfig {
    /// On a free port of this machine, before the server at `upstream`: no mirror,
    /// no page, nothing muted.
    pub fn before(upstream: impl std::fmt::Display) -> Self {
        Self {
            routes: vec![RouteConfig::before(upstream)],
            rewrite_addresses: false,
            mirror_also: Vec::new(),
            ui: None,
            mutes: Mutes::none(),
            record: None,
            max_connections: MAX_CONNECTIONS,
            on_overload: OnOverload::default(),
            bypass: false,
            telemetry: TelemetryConfig::default(),
        }
    }

    /// The same, which puts polls to the HTTP API at this base URL.
    #[must_use]
    pub fn asking(mut self, http: impl std::fmt::Display) -> Self {
        for route in &mut self.routes {
            route.http = Some(http.to_string());
        }
        self
    }
}

/// Why a proxy did not start.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// There is no route.
    #[error("there is no route from clients to a server")]
    NoRoute,
    /// An address could not be bound.
    #[error("cannot listen on {address} for {purpose}: {source}; choose another with {setting}")]
    Bind {
        /// The address, as given.
        address: String,
        /// `clients` or `the page`.
        purpose: &'static str,
        /// What sets it: a flag, or the key of a route.
        setting: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// An upstream server is the page of this very parallax.
    #[error(
        "the upstream server {upstream} is where parallax serves its own page: point it at the \
         Iggy server's TCP port, mostly 8090, or have the page elsewhere (--ui)"
    )]
    OwnPage {
        /// The upstream server as configured.
        upstream: String,
    },
    /// The relay cannot serve.
    #[error(transparent)]
    Relay(#[from] RelayError),
    /// The page cannot be served there.
    #[error(transparent)]
    Page(#[from] ServeError),
    /// What is seen cannot be recorded.
    #[error("{0} (--record)")]
    Recording(#[from] RecordingError),
    /// The threads for everything but the relay could not be started.
    #[error("cannot start threads: {0}")]
    Threads(std::io::Error),
    /// The program is ending.
    #[error("the program is ending")]
    Ended,
    /// The mirror cannot be set up.
    #[error("{0} (--http)")]
    Mirror(#[from] MirrorError),
    /// What parallax tells of itself cannot be told.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
}

/// A running proxy.
#[derive(Debug)]
pub struct Proxy {
    journal: Arc<Journal>,
    /// By their routes.
    listens: Vec<SocketAddr>,
    ui: Option<(SocketAddr, Arc<Access>)>,
    shutdown: Shutdown,
    relay: JoinHandle<Statistics>,
    observer: Option<JoinHandle<()>>,
    recorder: Option<Recorder>,
    telemetry: Telemetry,
    analysis: Analysis,
}

/// The runtime of everything but the relay: decoding, mirror and page may be busy
/// for as long as they like, and no client waits for them. Where the processors are
/// all busy, its threads stand behind the relay's.
#[derive(Debug)]
struct Analysis {
    /// `None` once it was dropped.
    runtime: Option<Runtime>,
    handle: Handle,
}

impl Analysis {
    fn start() -> Result<Self, ProxyError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(ANALYSIS_THREADS)
            .thread_name("analysis")
            .on_thread_start(give_way)
            .enable_all()
            .build()
            .map_err(ProxyError::Threads)?;
        let handle = runtime.handle().clone();
        Ok(Self {
            runtime: Some(runtime),
            handle,
        })
    }
}

impl Drop for Analysis {
    /// A runtime must not be waited for where it is dropped, which may be within
    /// another.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Proxy {
    /// Binds the addresses and starts to serve: the relay on the caller's
    /// runtime, everything else on one of its own.
    ///
    /// # Errors
    /// An address that cannot be bound, an upstream that is parallax itself, a
    /// page on an address that others can reach.
    pub async fn start(config: ProxyConfig) -> Result<Self, ProxyError> {
        let listeners = listen(&config.routes).await?;
        let listens: Vec<_> = listeners.iter().map(|(_, address)| *address).collect();
        let nodes = Arc::new(nodes(&config.routes, &listens));
        let recording = match config.record.clone().filter(|_| !config.bypass) {
            Some(options) => Some(open_recording(options).await?),
            None => None,
        };
        let journal = match &recording {
            Some(recording) => Arc::clone(recording.journal()),
            None => Arc::new(Journal::new()),
        };
        let injectors: Vec<_> = config.routes.iter().map(RouteConfig::injector).collect();
        let shutdown = Shutdown::new();
        let analysis = Analysis::start()?;

        let ui = match &config.ui {
            Some(address) => {
                let about = about(&config, &listens, &injectors);
                Some(serve_page(address, &analysis, Arc::clone(&journal), about).await?)
            }
            None => None,
        };
        if let Some((page, _)) = &ui {
            lead_not_to(*page, &config.routes).await?;
        }
        let figures = Figures::of(Arc::clone(&journal)).bypassing(config.bypass);
        let (tap, observations) = if config.bypass {
            (None, None)
        } else {
            let (tap, observations) = tap(TapLimits {
                on_overload: config.on_overload,
                ..TapLimits::default()
            });
            (Some(tap), Some(observations))
        };
        let last = recording.as_ref().map(OpenRecording::last_connection);
        let in_path = InPath {
            nodes: &nodes,
            injectors: &injectors,
        };
        let relay = relay(&config, listeners, in_path, tap, last.unwrap_or_default()).await?;
        let mut figures = figures.with_relay(relay.counters(), config.max_connections);
        let observer = match observations {
            Some(observations) => {
                let _within = analysis.handle.enter();
                let ways = Ways::of(&config, &listens, &nodes, &journal)?;
                figures = figures.with_mirrors(ways.mirrors());
                let journal = Arc::clone(&journal);
                Some(tokio::spawn(observe(observations, journal, ways)))
            }
            None => None,
        };
        let recorder = match recording {
            Some(recording) => Some(start_recorder(recording, &analysis).await?),
            None => None,
        };
        let telemetry =
            Telemetry::start(config.telemetry, figures, listens.clone(), shutdown.clone());
        let telemetry = analysis.handle.spawn(telemetry);
        let telemetry = telemetry.await.map_err(|_| ProxyError::Ended)??;
        let relay = tokio::spawn(relay.serve(shutdown.clone()));
        Ok(Self {
            journal,
            listens,
            ui,
            shutdown,
            relay,
            observer,
            recorder,
            telemetry,
            analysis,
        })
    }

    /// Where clients connect; of several ways on the first.
    pub fn listen(&self) -> SocketAddr {
        self.listens[0]
    }

    /// Where clients connect, in the order of the routes.
    pub fn listens(&self) -> &[SocketAddr] {
        &self.listens
    }

    /// Where the page is.
    pub fn ui(&self) -> Option<SocketAddr> {
        self.ui.as_ref().map(|(address, _)| *address)
    }

    /// Where `/metrics`, `/healthz` and `/readyz` are.
    pub const fn metrics(&self) -> Option<SocketAddr> {
        self.telemetry.metrics()
    }

    /// The page's address as it is to be told to the user, and to nobody else: with the
    /// token that opens it.
    pub fn page(&self) -> Option<String> {
        let page = self.ui.as_ref();
        page.map(|(address, access)| access.address(*address))
    }

    /// What was seen.
    pub const fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// To ask it to end: once to finish what is open, twice to end at once.
    pub const fn shutdown(&self) -> &Shutdown {
        &self.shutdown
    }

    /// Waits until shutdown was asked for and what was open has finished: the
    /// relay, then the observations that it left.
    pub async fn finished(self) -> Statistics {
        let statistics = self.relay.await.unwrap_or_default();
        if let Some(observer) = self.observer
            && timeout(FLUSH_TIMEOUT, observer).await.is_err()
        {
            tracing::warn!("not everything that passed was looked at before the end");
        }
        if let Some(recorder) = self.recorder {
            let finished = tokio::task::spawn_blocking(|| recorder.finish());
            if timeout(RECORD_FINISH, finished).await.is_err() {
                tracing::warn!("the disk is slow: not everything was recorded before the end");
            }
        }
        // What was seen last is told as well.
        self.telemetry.finish().await;
        drop(self.analysis);
        statistics
    }
}

/// Opens the directory, which may take as long as what is in it is to be read.
async fn open_recording(options: RecordOptions) -> Result<OpenRecording, ProxyError> {
    let opened = tokio::task::spawn_blocking(|| recording::open(options)).await;
    let opened = opened.map_err(|_| ProxyError::Ended)??;
    for note in opened.notes() {
        tracing::warn!("the recording: {note}");
    }
    Ok(opened)
}

/// Starts the recorder from one of the analysis threads: a thread begins with the
/// priority of the one that starts it.
async fn start_recorder(
    recording: OpenRecording,
    analysis: &Analysis,
) -> Result<Recorder, ProxyError> {
    let started = analysis.handle.spawn_blocking(|| recording.start());
    Ok(started.await.map_err(|_| ProxyError::Ended)??)
}

/// Serves the page on a socket of the analysis runtime.
async fn serve_page(
    page: &PageConfig,
    analysis: &Analysis,
    journal: Arc<Journal>,
    about: About,
) -> Result<(SocketAddr, Arc<Access>), ProxyError> {
    let wanted = page.listen.clone();
    let bound = analysis
        .handle
        .spawn(async move { bind(&wanted, "the page", "--ui".to_owned()).await });
    let listener = bound.await.map_err(|_| ProxyError::Ended)??;
    let ui = listener.local_addr().map_err(RelayError::Listener)?;
    may_listen(ui, &page.access)?;
    let (access, told) = (Arc::clone(&page.access), Arc::clone(&page.access));
    analysis.handle.spawn(async move {
        let served = parallax_web::serve(listener, journal, about, access, std::future::pending());
        if let Err(error) = served.await {
            tracing::error!("the page: {error}");
        }
    });
    Ok((ui, told))
}

/// A listener for each route, with its address.
async fn listen(routes: &[RouteConfig]) -> Result<Vec<(TcpListener, SocketAddr)>, ProxyError> {
    let mut listeners = Vec::new();
    for route in routes {
        let setting = match &route.name {
            Some(name) => format!("listen of the route {name}"),
            None => "--listen".to_owned(),
        };
        let listener = bind(&route.listen, "clients", setting).await?;
        let address = listener.local_addr().map_err(RelayError::Listener)?;
        listeners.push((listener, address));
    }
    if listeners.is_empty() {
        return Err(ProxyError::NoRoute);
    }
    Ok(listeners)
}

/// # Errors
/// A route's server is parallax's own page.
async fn lead_not_to(page: SocketAddr, routes: &[RouteConfig]) -> Result<(), ProxyError> {
    for route in routes {
        // A name without an address may have one by the time a client comes.
        let Ok(mut targets) = lookup_host(&*route.upstream).await else {
            continue;
        };
        if targets.any(|target| is_itself(page, target)) {
            return Err(ProxyError::OwnPage {
                upstream: route.upstream.clone(),
            });
        }
    }
    Ok(())
}

/// Which listener stands for which node.
fn nodes(routes: &[RouteConfig], listens: &[SocketAddr]) -> Listeners {
    let listeners = routes.iter().zip(listens).filter_map(|(route, bound)| {
        Some(Listener {
            bound: *bound,
            advertise: route.advertise.clone(),
            node: route.upstream.parse().ok()?,
            is_tls: route.tls.downstream.is_some(),
        })
    });
    Listeners::new(listeners.collect())
}

/// What may change frames in the path, where it was asked for.
#[derive(Clone, Copy)]
struct InPath<'a> {
    /// Which listener stands for which node.
    nodes: &'a Arc<Listeners>,
    /// By route.
    injectors: &'a [Option<Arc<Injector>>],
}

impl InPath<'_> {
    /// Of a route that listens there. Faults are injected into what clients would get
    /// otherwise, addresses rewritten.
    fn interceptors(
        self,
        config: &ProxyConfig,
        route: usize,
        bound: SocketAddr,
    ) -> Arc<[Arc<dyn Interceptor>]> {
        let mut interceptors: Vec<Arc<dyn Interceptor>> = Vec::new();
        if config.bypass {
            return interceptors.into();
        }
        if config.rewrite_addresses {
            let rewrite = RewriteAddresses::new(Arc::clone(self.nodes), bound);
            interceptors.push(Arc::new(rewrite));
        }
        if let Some(Some(injector)) = self.injectors.get(route) {
            interceptors.push(Arc::<Injector>::clone(injector));
        }
        interceptors.into()
    }
}

/// One relay for all routes; `last` is the number of the connection before.
async fn relay(
    config: &ProxyConfig,
    listeners: Vec<(TcpListener, SocketAddr)>,
    in_path: InPath<'_>,
    tap: Option<Tap>,
    last: u64,
) -> Result<Relay, ProxyError> {
    let configured = |at: usize, route: &RouteConfig, bound: SocketAddr| RelayConfig {
        route: at,
        interceptors: in_path.interceptors(config, at, bound),
        last_connection: last,
        max_connections: config.max_connections,
        tls: route.tls.clone(),
        ..RelayConfig::new(route.upstream.as_str())
    };
    let routes = config.routes.iter().enumerate();
    let mut ways = listeners
        .into_iter()
        .zip(routes)
        .map(|((listener, bound), (at, route))| (listener, configured(at, route, bound)));
    let (listener, first) = ways.next().ok_or(ProxyError::NoRoute)?;
    let mut relay = Relay::new(listener, first, tap).await?;
    for (listener, further) in ways {
        relay.also(listener, further).await?;
    }
    Ok(relay)
}

async fn bind(
    address: &str,
    purpose: &'static str,
    setting: String,
) -> Result<TcpListener, ProxyError> {
    TcpListener::bind(address)
        .await
        .map_err(|source| ProxyError::Bind {
            address: address.to_owned(),
            purpose,
            setting,
            source,
        })
}

fn about(
    config: &ProxyConfig,
    listens: &[SocketAddr],
    injectors: &[Option<Arc<Injector>>],
) -> About {
    let routes = config.routes.iter().zip(listens);
    let routes = routes.map(|(route, listen)| LiveRoute {
        name: route.name.clone(),
        listen: *listen,
        upstream: route.upstream.clone(),
        http: route.http.clone().filter(|_| !config.bypass),
    });
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        source: Source::Live(routes.collect()),
        faults: injectors
            .iter()
            .flatten()
            .flat_map(|injector| injector.in_force())
            .collect(),
    }
}
