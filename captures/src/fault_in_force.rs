//! A fault that parallax injects while a journal is written.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::route::RouteName;

/// A fault that is being injected, and how often it was. Its counts may be read at any
/// time, from any thread.
#[derive(Debug)]
pub struct FaultInForce {
    route: Option<RouteName>,
    rule: String,
    matched: AtomicU64,
    injected: AtomicU64,
}

impl FaultInForce {
    /// One that was never injected. `rule` says it as it was asked for:
    /// `poll_messages error=invalid_offset every=3`.
    pub const fn new(route: Option<RouteName>, rule: String) -> Self {
        Self {
            route,
            rule,
            matched: AtomicU64::new(0),
            injected: AtomicU64::new(0),
        }
    }

    /// The route on which it is injected; `None` where there are none with names.
    pub const fn route(&self) -> Option<&RouteName> {
        self.route.as_ref()
    }

    /// The fault as it was asked for.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Requests that it is about.
    pub fn matched(&self) -> u64 {
        self.matched.load(Ordering::Relaxed)
    }

    /// Those of them into which it was injected.
    pub fn injected(&self) -> u64 {
        self.injected.load(Ordering::Relaxed)
    }

    /// Counts a request that it is about; its number, from 1.
    pub fn count_matched(&self) -> u64 {
        self.matched.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Counts an injection, unless there were so many already; whether it did.
    pub fn count_injected(&self, most: u64) -> bool {
        let more = |count| (count < most).then_some(count + 1);
        let counted = self
            .injected
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        counted.is_ok()
    }
}
