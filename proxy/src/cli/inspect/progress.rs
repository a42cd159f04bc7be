//! How far the reading of a large capture is, on standard error.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::limits::PROGRESS_FROM;

/// A bar or a count; or nothing.
#[derive(Debug, Clone)]
pub(super) struct Progress {
    bar: ProgressBar,
    exchanges: Arc<AtomicU64>,
}

/// Bytes read of the file's, as they stand on the disk.
const OF_A_FILE: &str =
    "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left, {exchanges} exchanges";

const OF_A_PIPE: &str = "{spinner} {bytes}, {exchanges} exchanges";

impl Progress {
    /// Of a file of this size in bytes, or of a pipe. Nothing is shown where nobody
    /// sees it or the file is small.
    pub(super) fn of(size: Option<u64>, is_seen: bool) -> Self {
        let target = if is_seen && is_worth_it(size) {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let exchanges = Arc::new(AtomicU64::new(0));
        let bar = ProgressBar::with_draw_target(size, target);
        let template = if size.is_some() { OF_A_FILE } else { OF_A_PIPE };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let shown = Arc::clone(&exchanges);
            let show = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{}", shown.load(Ordering::Relaxed));
            };
            bar.set_style(style.with_key("exchanges", show));
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar, exchanges }
    }

    /// The same bytes, counted.
    pub(super) fn watching(&self, bytes: impl Read + Send + 'static) -> impl Read + Send + 'static {
        self.bar.wrap_read(bytes)
    }

    /// One more exchange.
    pub(super) fn exchange(&self) {
        self.exchanges.fetch_add(1, Ordering::Relaxed);
    }

    /// Shows nothing any more.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn is_worth_it(size: Option<u64>) -> bool {
    size.is_none_or(|size| size >= PROGRESS_FROM)
}
