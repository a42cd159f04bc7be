use std::net::SocketAddr;
use std::sync::Arc;

use parallax_captures::Journal;
use parallax_web::{About, ServeError, Source};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::observer::observe;
use crate::analyst::Analyst;
use crate::credentials::Credentials;
use crate::limits::FLUSH_TIMEOUT;
use crate::mirror::{Mirror, MirrorConfig, MirrorError};
use crate::relay::{Relay, RelayConfig, RelayError, Shutdown, Statistics, TapLimits, tap};

/// What a proxy is told.
#[derive(Debug, Clone)]
pub struct ProxyConfig {
    /// Where clients connect, `host:port`; port 0 takes a free one.
    pub listen: String,
    /// The server's binary protocol, `host:port`.
    pub upstream: String,
    /// Base URL of the server's HTTP API; `None` turns the mirror off.
    pub http: Option<String>,
    /// To ask HTTP as this user instead of the client's own.
    pub http_credentials: Option<Credentials>,
    /// Where the page is served, a loopback address; `None` for no page.
    pub ui: Option<String>,
    /// Forward only: no tap, no mirror, nothing to see on the page.
    pub bypass: bool,
}

/// Why a proxy did not start.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
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
    /// The mirror cannot be set up.
    #[error("{0} (--http)")]
    Mirror(#[from] MirrorError),
}

/// A running proxy.
#[derive(Debug)]
pub struct Proxy {
    journal: Arc<Journal>,
    listen: SocketAddr,
    ui: Option<SocketAddr>,
    shutdown: Shutdown,
    relay: JoinHandle<Statistics>,
    observer: Option<JoinHandle<()>>,
    /// Ends when this is dropped.
    page: Option<JoinHandle<()>>,
}

impl Proxy {
    /// Binds the addresses and starts to serve.
    ///
    /// # Errors
    /// An address that cannot be bound, an upstream that is parallax itself, a
    /// page on an address that others can reach.
    pub async fn start(config: ProxyConfig) -> Result<Self, ProxyError> {
        let listener = bind(&config.listen, "clients", "--listen").await?;
        let listen = local(&listener, &config.listen)?;
        let journal = Arc::new(Journal::new());
        let shutdown = Shutdown::new();

        let (ui, page) = match &config.ui {
            Some(address) => {
                let listener = bind(address, "the page", "--ui").await?;
                let bound = local(&listener, address)?;
                if !bound.ip().is_loopback() {
                    return Err(ServeError::NotLoopback(bound).into());
                }
                let about = about(&config, listen);
                let journal = Arc::clone(&journal);
                let page = tokio::spawn(async move {
                    let served =
                        parallax_web::serve(listener, journal, about, std::future::pending());
                    if let Err(error) = served.await {
                        tracing::error!("the page: {error}");
                    }
                });
                (Some(bound), Some(page))
            }
            None => (None, None),
        };

        let analyst = Arc::new(Analyst::new(Arc::clone(&journal)));
        let (tap, observations) = if config.bypass {
            (None, None)
        } else {
            let (tap, observations) = tap(TapLimits::default());
            (Some(tap), Some(observations))
        };
        let relay_config = RelayConfig::new(config.upstream.as_str());
        let relay = Relay::new(listener, relay_config, tap).await?;
        let observer = match observations {
            Some(observations) => {
                let mirror = match &config.http {
                    Some(base) => {
                        let settings = MirrorConfig::new(base, config.http_credentials.clone())?;
                        Some(Mirror::spawn(settings, Arc::clone(&analyst)))
                    }
                    None => None,
                };
                Some(tokio::spawn(observe(observations, analyst, mirror)))
            }
            None => None,
        };
        let relay = tokio::spawn(relay.serve(shutdown.clone()));
        Ok(Self {
            journal,
            listen,
            ui,
            shutdown,
            relay,
            observer,
            page,
        })
    }

    /// Where clients connect.
    pub const fn listen(&self) -> SocketAddr {
        self.listen
    }

    /// Where the page is.
    pub const fn ui(&self) -> Option<SocketAddr> {
        self.ui
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
        if let Some(page) = self.page {
            page.abort();
        }
        statistics
    }
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

fn about(config: &ProxyConfig, listen: SocketAddr) -> About {
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        source: Source::Live {
            listen,
            upstream: config.upstream.clone(),
            http: config.http.clone().filter(|_| !config.bypass),
        },
    }
}
