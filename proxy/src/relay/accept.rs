//! Taking clients in, whatever the system says in between.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep};

use super::counters::Count;
use super::tap::Tap;
use crate::limits::{ACCEPT_BACKOFF, ACCEPT_TOLD_EVERY};

/// Where clients come from.
pub(super) trait Accept: Send {
    /// The next client. May be given up at any time without losing one.
    fn accept(&mut self) -> impl Future<Output = io::Result<(TcpStream, SocketAddr)>> + Send;
}

impl Accept for TcpListener {
    async fn accept(&mut self) -> io::Result<(TcpStream, SocketAddr)> {
        TcpListener::accept(self).await
    }
}

/// Accepts with a back-off: a failure neither ends it nor makes it spin.
#[derive(Debug)]
pub(super) struct Acceptor<A> {
    from: A,
    /// The way by which they come.
    route: usize,
    failures: u32,
    /// When it was last told that accepting fails.
    told: Option<Instant>,
}

impl<A: Accept> Acceptor<A> {
    pub(super) fn new(from: A, route: usize) -> Self {
        Self {
            from,
            route,
            failures: 0,
            told: None,
        }
    }

    /// The next client, however often accepting fails before. When this is given
    /// up during a wait, the next call tries again at once: a connection that
    /// has just ended may have freed what was lacking.
    pub(super) async fn next(
        &mut self,
        errors: &Count,
        tap: Option<&Tap>,
    ) -> (TcpStream, SocketAddr) {
        loop {
            match self.from.accept().await {
                Ok(client) => {
                    self.failures = 0;
                    return client;
                }
                Err(error) => {
                    errors.add(1);
                    // Where one descriptor comes free and is gone again it begins anew each time.
                    let told_before = self.told.map(|told| told.elapsed());
                    if self.failures == 0 && told_before.is_none_or(|ago| ago >= ACCEPT_TOLD_EVERY)
                    {
                        self.told = Some(Instant::now());
                        tracing::warn!(
                            %error,
                            "a client could not be accepted; trying again until it works. \
                             If no file descriptors are left, raise the limit (ulimit -n)"
                        );
                        if let Some(tap) = tap {
                            tap.not_accepted(self.route, &error);
                        }
                    }
                    let wait = backoff(self.failures);
                    self.failures = self.failures.saturating_add(1);
                    sleep(wait).await;
                }
            }
        }
    }
}

fn backoff(failures: u32) -> Duration {
    let (first, longest) = ACCEPT_BACKOFF;
    first
        .saturating_mul(2_u32.saturating_pow(failures))
        .min(longest)
}
