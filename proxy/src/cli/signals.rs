//! What asks the program to end: Ctrl-C, and SIGTERM, which `kill`, systemd and
//! containers send. SIGHUP asks it to read certificates and keys again.

use std::future::pending;
use std::io::{IsTerminal as _, stdin};
use std::sync::mpsc::channel;
use std::thread;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::service;
use crate::tls::Tls;

/// Waits to be asked to end.
pub(super) struct Ending {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
}

impl Ending {
    /// Listens from now on; within a runtime. What is asked before is not heard: it ends
    /// the program there and then.
    pub(super) fn listen() -> Self {
        // Where the system gives one of them not, the other is left.
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
        }
    }

    /// The next time that somebody asks; never where nobody can.
    pub(super) async fn asked(&mut self) {
        tokio::select! {
            () = next(&mut self.interrupt) => {}
            () = next(&mut self.terminate) => {}
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
    let (ask, asked) = channel();
    // A thread of its own: a file of a disk that hangs keeps neither a client waiting nor
    // the program from its end.
    let reading = thread::Builder::new().name("reload".to_owned());
    let reading = reading.spawn(move || {
        while asked.recv().is_ok() {
            // What was asked for meanwhile is done by this.
            while asked.try_recv().is_ok() {}
            service::is_reloading();
            reload(&routes);
            service::is_reloaded();
        }
    });
    if let Err(error) = reading {
        tracing::error!(%error, "no thread for SIGHUP: certificates will not be read again");
    }
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            let _ = ask.send(());
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

async fn next(signal: &mut Option<Signal>) {
    let asked = match signal {
        Some(signal) => signal.recv().await,
        None => None,
    };
    if asked.is_none() {
        pending::<()>().await;
    }
}
