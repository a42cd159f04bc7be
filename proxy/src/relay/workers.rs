//! The threads that carry connections.
//!
//! Each has a runtime of its own, and a connection stays on the one it was given:
//! no thread ever wakes another for a byte, which costs more than the byte (an
//! interrupt to another processor; on a virtual machine tens of microseconds).

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::limits::RELAY_THREADS;

/// Which threads carry connections.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CarriedOn {
    /// One for each processor, at most [`RELAY_THREADS`].
    #[default]
    OwnThreads,
    /// The calling runtime's: for one that owns the clock, or whose instructions are
    /// counted.
    CallingRuntime,
}

/// Where connections are carried.
#[derive(Debug)]
pub(super) struct Workers {
    workers: Vec<Worker>,
    /// Ends the threads, and with them what they carry.
    _end: DropGuard,
}

#[derive(Debug)]
struct Worker {
    runtime: Handle,
    /// Held once by each connection that is carried here.
    carried: Carried,
}

/// That a connection is carried somewhere, for as long as it lives.
pub(super) type Carried = Arc<()>;

impl Workers {
    pub(super) fn start(on: CarriedOn) -> io::Result<Self> {
        match on {
            CarriedOn::OwnThreads => Self::threads(),
            CarriedOn::CallingRuntime => Ok(Self::here()),
        }
    }

    fn threads() -> io::Result<Self> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let end = CancellationToken::new();
        let workers = (0..processors.min(RELAY_THREADS)).map(|_| Worker::start(end.clone()));
        Ok(Self {
            workers: workers.collect::<io::Result<_>>()?,
            _end: end.drop_guard(),
        })
    }

    /// The one that carries the fewest connections.
    pub(super) fn least_busy(&self) -> Option<(&Handle, Carried)> {
        let worker = self
            .workers
            .iter()
            .min_by_key(|worker| Arc::strong_count(&worker.carried))?;
        Some((&worker.runtime, Arc::clone(&worker.carried)))
    }

    /// No thread but the one that calls, and its runtime.
    fn here() -> Self {
        Self {
            workers: vec![Worker {
                runtime: Handle::current(),
                carried: Carried::default(),
            }],
            _end: CancellationToken::new().drop_guard(),
        }
    }
}

impl Worker {
    fn start(end: CancellationToken) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        thread::Builder::new()
            .name("relay".to_owned())
            .spawn(move || runtime.block_on(end.cancelled()))?;
        Ok(Self {
            runtime: handle,
            carried: Carried::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_goes_where_the_fewest_are_carried() {
        let workers = Workers::start(CarriedOn::OwnThreads).unwrap();
        let held: Vec<_> = (0..3 * workers.workers.len())
            .map(|_| workers.least_busy().unwrap().1)
            .collect();
        let counts = workers
            .workers
            .iter()
            .map(|worker| Arc::strong_count(&worker.carried) - 1);
        assert!(counts.into_iter().all(|count| count == 3));
        let gone = Arc::clone(&held[0]);
        drop(held);
        let next = workers.least_busy().unwrap().1;
        let one = workers.workers.len() == 1;
        assert_eq!(Arc::ptr_eq(&gone, &next), one);
    }
}
