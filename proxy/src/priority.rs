//! Threads that give way to the relay's.

use rustix::process::{getpriority_process, setpriority_process};

use crate::limits::BEHIND_THE_RELAY;

/// Has the calling thread take the processor only where no thread of the relay, and
/// nobody else's, wants it. On Linux the priority is a thread's own; elsewhere it would
/// be the whole process's, so it is left as it is.
pub(crate) fn give_way() {
    if !cfg!(target_os = "linux") {
        return;
    }
    // Who has been put lower already stays there.
    let now = getpriority_process(None).unwrap_or(0);
    if let Err(error) = setpriority_process(None, now.max(BEHIND_THE_RELAY)) {
        tracing::debug!(%error, "a thread keeps the relay's priority");
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_gives_way_leaves_the_others_as_they_are() {
        let own = getpriority_process(None).unwrap();
        let other = std::thread::spawn(|| {
            give_way();
            getpriority_process(None).unwrap()
        });
        assert_eq!(other.join().unwrap(), own.max(BEHIND_THE_RELAY));
        assert_eq!(getpriority_process(None).unwrap(), own);
    }
}
