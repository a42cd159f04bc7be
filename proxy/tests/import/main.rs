//! Captures that somebody brings: large ones, busy ones, on any port, through a pipe.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]
#![allow(missing_docs, unreachable_pub)]

mod bounded;
mod live;
mod ports;
mod program;
mod traffic;
mod wire;
