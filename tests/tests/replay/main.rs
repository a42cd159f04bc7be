//! The recordings played again: to a server, and from tape to the real SDKs.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod classic;
mod http;
mod other_clients;
mod to;
mod vsr;
