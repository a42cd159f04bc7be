//! What whoever reads the tap knows of a connection's open requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a request is in flight, told by whoever understands the bytes. Until
/// that is told, the relay goes by which way the latest bytes went.
#[derive(Debug, Clone, Default)]
pub struct InFlight(Arc<AtomicBool>);

impl InFlight {
    /// Tells.
    pub fn set(&self, in_flight: bool) {
        self.0.store(in_flight, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for InFlight {
    /// It is a place to tell something, and no part of what happened: events that
    /// differ here alone are the same.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for InFlight {}
