//! What asks the program to end: Ctrl-C, and SIGTERM, which `kill`, systemd and
//! containers send. SIGHUP asks it to read certificates and keys again.

use std::io::{IsTerminal as _, stdin};

use tokio::signal::ctrl_c;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::tls::Tls;

/// Waits to be asked to end.
pub(super) struct Ending {
    terminate: Option<Signal>,
}

impl Ending {
    /// Listens from now on; within a runtime.
    pub(super) fn listen() -> Self {
        // Where the system gives no SIGTERM, Ctrl-C is left.
        let terminate = signal(SignalKind::terminate()).ok();
        Self { terminate }
    }

    /// The next time that somebody asks; `false` where nobody ever can.
    pub(super) async fn asked(&mut self) -> bool {
        match &mut self.terminate {
            Some(terminate) => tokio::select! {
                asked = ctrl_c() => asked.is_ok(),
                asked = terminate.recv() => asked.is_some(),
            },
            None => ctrl_c().await.is_ok(),
        }
    }
}

/// Reads certificates and keys again at each SIGHUP from now on; within a runtime. Where there
/// are none, the end of a terminal ends the program as before.
pub(super) fn reload_on_hangup(routes: Vec<Tls>) {
    if routes.iter().all(Tls::is_off) && stdin().is_terminal() {
        return;
    }
    let Ok(mut hangup) = signal(SignalKind::hangup()) else {
        return;
    };
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            reload(&routes);
        }
    });
}

fn reload(routes: &[Tls]) {
    if routes.iter().all(Tls::is_off) {
        tracing::info!("SIGHUP: there are no certificates to read again");
        return;
    }
    let failed: Vec<_> = routes.iter().flat_map(Tls::reload).collect();
    if failed.is_empty() {
        tracing::info!(
            "SIGHUP: certificates and keys were read again; connections from now on use them"
        );
    }
    for error in failed {
        tracing::error!("SIGHUP: {error}; what was read before stays in use");
    }
}
