//! Asking the relay to end: first gently, then at once.

use tokio_util::sync::CancellationToken;

/// A request to end, shared by whoever asks and whoever obeys.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    drain: CancellationToken,
    halt: CancellationToken,
}

impl Shutdown {
    /// Nothing asked for yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ask once more: the first time drains, the second halts. What a handler of
    /// Ctrl-C calls.
    pub fn signal(&self) {
        if self.drain.is_cancelled() {
            self.halt.cancel();
        } else {
            self.drain.cancel();
        }
    }

    /// Whether shutdown has been asked for.
    pub fn is_draining(&self) -> bool {
        self.drain.is_cancelled()
    }

    /// End everything now.
    pub(super) fn halt(&self) {
        self.drain.cancel();
        self.halt.cancel();
    }

    /// Waits until shutdown is asked for.
    pub async fn draining(&self) {
        self.drain.cancelled().await;
    }

    /// Waits until shutdown is asked for a second time, or the time to drain
    /// has passed.
    pub async fn halted(&self) {
        self.halt.cancelled().await;
    }

    /// A part's own copy: it hears what is asked of the whole, and waiting on it
    /// contends with no other part.
    pub(super) fn part(&self) -> Self {
        Self {
            drain: self.drain.child_token(),
            halt: self.halt.child_token(),
        }
    }
}
