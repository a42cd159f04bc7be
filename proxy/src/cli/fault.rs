//! `--fault`: faults that are injected into what clients see.

use clap::Args;

use super::say;
use crate::faults::Fault;

#[derive(Debug, Args)]
pub(super) struct FaultArguments {
    /// Inject a fault into what clients see, to test how they recover: a command, what is
    /// done, to which of its requests; like `poll_messages error=invalid_offset every=3`.
    /// Several with commas, or the flag again.
    #[arg(
        long,
        env = "PARALLAX_FAULT",
        value_name = "FAULT",
        value_delimiter = ',',
        long_help = "Inject a fault into what clients see, to test how they recover. Several \
                     with commas, or the flag again. Off unless given.\n\n\
                     COMMAND ACTION [SELECTOR]...\n\n\
                     COMMAND   a command's name, or any\n\
                     ACTION    error=CODE   the client is answered with this error (name or \
                     number); the server is not asked\n          \
                     empty        a poll is answered with no message\n          \
                     delay=TIME   the reply comes later by 500ms, 2s, 1m\n          \
                     cut=BYTES    after so many bytes of the reply both connections are closed\n          \
                     drop         the reply is not passed on\n\
                     SELECTOR  every=N, first=N, times=N: every Nth, the first N, at most N of \
                     them\n          \
                     chance=P seed=N: each with probability P\n          \
                     stream=S topic=T partition=P strategy=first: polls, sends and offsets \
                     there\n\n\
                     Examples: 'poll_messages error=4100 every=3', 'poll_messages empty \
                     strategy=first', 'send_messages drop times=1', 'any delay=200ms chance=0.1'"
    )]
    fault: Vec<Fault>,
}

impl FaultArguments {
    /// The faults.
    pub(super) fn faults(self) -> Vec<Fault> {
        self.fault
    }
}

/// Says what is being injected.
pub(super) fn say_faults(faults: &[Fault]) {
    for fault in faults {
        say(format!(
            "FAULT      {fault}  (injected into what clients see; --fault)"
        ));
    }
}
