//! What the program takes of memory, as the system counts it (`VmRSS` and `VmHWM` of
//! `/proc`). What the kernel holds for sockets is not in it.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    missing_docs
)]

mod idle;
mod long_frame;
mod stuck;
mod support;
