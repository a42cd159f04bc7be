//! What the relay is told, and why it may refuse to start.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use super::Interceptor;
use super::workers::CarriedOn;
use crate::limits;
use crate::tls::Tls;

/// What the relay is told. [`RelayConfig::new`] gives every default.
#[derive(Debug, Clone)]
pub struct RelayConfig {
    /// The server to relay to, `host:port`. A name is resolved at every dial.
    pub upstream: Arc<str>,
    /// Which of several ways this is; its observations say so.
    pub route: usize,
    /// The number after which connections are numbered.
    pub last_connection: u64,
    /// Which threads carry connections.
    pub carried_on: CarriedOn,
    /// Client connections open at once, see [`limits::MAX_CONNECTIONS`].
    pub max_connections: usize,
    /// See [`limits::DIAL_TIMEOUT`].
    pub dial_timeout: Duration,
    /// TLS of each side.
    pub tls: Tls,
    /// See [`limits::TLS_HANDSHAKE_TIMEOUT`].
    pub handshake_timeout: Duration,
    /// See [`limits::HALF_CLOSED_IDLE`].
    pub half_closed_idle: Duration,
    /// See [`limits::KEEPALIVE_IDLE`]; whole seconds.
    pub keepalive_idle: Duration,
    /// See [`limits::KEEPALIVE_INTERVAL`]; whole seconds.
    pub keepalive_interval: Duration,
    /// See [`limits::PEER_SILENCE`].
    pub peer_silence: Duration,
    /// See [`limits::DRAIN`].
    pub drain: Duration,
    /// See [`limits::DRAIN_QUIET`].
    pub drain_quiet: Duration,
    /// Who is asked about frames before they are passed on. With nobody, which is the
    /// default, they are not looked at.
    pub interceptors: Arc<[Arc<dyn Interceptor>]>,
}

impl RelayConfig {
    /// The defaults, for a server at `host:port`.
    pub fn new(upstream: impl Into<Arc<str>>) -> Self {
        Self {
            upstream: upstream.into(),
            route: 0,
            last_connection: 0,
            carried_on: CarriedOn::default(),
            max_connections: limits::MAX_CONNECTIONS,
            dial_timeout: limits::DIAL_TIMEOUT,
            tls: Tls::default(),
            handshake_timeout: limits::TLS_HANDSHAKE_TIMEOUT,
            half_closed_idle: limits::HALF_CLOSED_IDLE,
            keepalive_idle: limits::KEEPALIVE_IDLE,
            keepalive_interval: limits::KEEPALIVE_INTERVAL,
            peer_silence: limits::PEER_SILENCE,
            drain: limits::DRAIN,
            drain_quiet: limits::DRAIN_QUIET,
            interceptors: Arc::new([]),
        }
    }
}

/// Why a relay did not start.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// The upstream address leads back to the relay's own listener.
    #[error(
        "the upstream server {upstream} is the address that parallax itself listens on \
         ({listener}): every connection would call itself without end. Point the upstream \
         at the Iggy server, or listen on another port"
    )]
    Itself {
        /// The upstream server as configured.
        upstream: Arc<str>,
        /// The listener's address.
        listener: SocketAddr,
    },
    /// The listener has no address, so it is no usable listener.
    #[error("the listening socket has no address: {0}")]
    Listener(#[source] std::io::Error),
    /// The threads that carry connections could not be started.
    #[error("cannot start the relay's threads: {0}")]
    Threads(#[source] std::io::Error),
}
