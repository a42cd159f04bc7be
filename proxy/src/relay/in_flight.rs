//! What whoever reads the tap knows of a connection's open requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a request is in flight, told by whoever understands the bytes. Until
/// that is told, the relay goes by which way the latest bytes went.
#[derive(Debug, Clone, Default)]
pub struct InFlight(Arc<Told>);

#[derive(Debug, Default)]
struct Told {
    in_flight: AtomicBool,
    is_abandoned: AtomicBool,
}

impl InFlight {
    /// Tells.
    pub fn set(&self, in_flight: bool) {
        self.0.in_flight.store(in_flight, Ordering::Relaxed);
    }

    /// Whether the connection is over and there was no room in the tap to say so: no
    /// [`Closed`](super::Event::Closed) comes.
    pub fn is_abandoned(&self) -> bool {
        self.0.is_abandoned.load(Ordering::Relaxed)
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.in_flight.load(Ordering::Relaxed)
    }

    pub(super) fn abandon(&self) {
        self.0.is_abandoned.store(true, Ordering::Relaxed);
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
