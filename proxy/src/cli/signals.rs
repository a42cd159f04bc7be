//! What asks the program to end: Ctrl-C, and SIGTERM, which `kill`, systemd and
//! containers send.

use tokio::signal::ctrl_c;
use tokio::signal::unix::{Signal, SignalKind, signal};

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
