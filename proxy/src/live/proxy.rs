use std::net::SocketAddr;
use std::sync::Arc;

use parallax_captures::recording::{self, OpenRecording, RecordOptions, Recorder, RecordingError};
use parallax_captures::{Journal, Mutes};
use parallax_web::{About, Access, LiveRoute, ServeError, Source, may_listen};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::observer::observe;
use super::route::RouteConfig;
use super::ways::Ways;
use crate::limits::{ANALYSIS_THREADS, FLUSH_TIMEOUT, MAX_CONNECTIONS, RECORD_FINISH};
use crate::mirror::{MirrorAlso, MirrorError};
use crate::priority::give_way;
use crate::relay::{
    OnOverload, Relay, RelayConfig, RelayError, Shutdown, Statistics, Tap, TapLimits, tap,
};
use crate::telemetry::{Figures, Telemetry, TelemetryConfig, TelemetryError};

/// What a proxy is told.
#[derive(Debug, Clone)]
pub struct ProxyConfig {
    /// The ways through it, at least one. Of several each has a name of its own.
    pub routes: Vec<RouteConfig>,
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
    #[error("cannot listen on {address} for {purpose}: {source}; choose another with {flag}")]
    Bind {
        /// The address, as given.
        address: String,
        /// `clients` or `the page`.
        purpose: &'static str,
        /// The flag that sets it.
        flag: &'static str,
        /// What the system says.
        source: std::io::Error,
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
        let recording = match config.record.clone().filter(|_| !config.bypass) {
            Some(options) => Some(open_recording(options).await?),
            None => None,
        };
        let journal = match &recording {
            Some(recording) => Arc::clone(recording.journal()),
            None => Arc::new(Journal::new()),
        };
        let shutdown = Shutdown::new();
        let analysis = Analysis::start()?;

        let ui = match &config.ui {
            Some(address) => {
                let about = about(&config, &listens);
                Some(serve_page(address, &analysis, Arc::clone(&journal), about).await?)
            }
            None => None,
        };
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
        let relay = relay(&config, listeners, tap, last.unwrap_or_default()).await?;
        let mut figures = figures.with_relay(relay.counters(), config.max_connections);
        let observer = match observations {
            Some(observations) => {
                let _within = analysis.handle.enter();
                let ways = Ways::of(&config, &listens, &journal)?;
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
        .spawn(async move { bind(&wanted, "the page", "--ui").await });
    let listener = bound.await.map_err(|_| ProxyError::Ended)??;
    let ui = local(&listener, &page.listen)?;
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
        let listener = bind(&route.listen, "clients", "--listen").await?;
        let address = local(&listener, &route.listen)?;
        listeners.push((listener, address));
    }
    if listeners.is_empty() {
        return Err(ProxyError::NoRoute);
    }
    Ok(listeners)
}

/// One relay for all routes; `last` is the number of the connection before.
async fn relay(
    config: &ProxyConfig,
    listeners: Vec<(TcpListener, SocketAddr)>,
    tap: Option<Tap>,
    last: u64,
) -> Result<Relay, ProxyError> {
    let configured = |at: usize, route: &RouteConfig| RelayConfig {
        route: at,
        last_connection: last,
        max_connections: config.max_connections,
        tls: route.tls.clone(),
        ..RelayConfig::new(route.upstream.as_str())
    };
    let routes = config.routes.iter().enumerate();
    let mut ways = listeners
        .into_iter()
        .zip(routes.map(|(at, route)| configured(at, route)));
    let ((listener, _), first) = ways.next().ok_or(ProxyError::NoRoute)?;
    let mut relay = Relay::new(listener, first, tap).await?;
    for ((listener, _), further) in ways {
        relay.also(listener, further).await?;
    }
    Ok(relay)
}

async fn bind(
    address: &str,
    purpose: &'static str,
    flag: &'static str,
) -> Result<TcpListener, ProxyError> {
    TcpListener::bind(address)
        .await
        .map_err(|source| ProxyError::Bind {
            address: address.to_owned(),
            purpose,
            flag,
            source,
        })
}

fn local(listener: &TcpListener, address: &str) -> Result<SocketAddr, ProxyError> {
    listener.local_addr().map_err(|source| ProxyError::Bind {
        address: address.to_owned(),
        purpose: "clients",
        flag: "--listen",
        source,
    })
}

fn about(config: &ProxyConfig, listens: &[SocketAddr]) -> About {
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
    }
}
