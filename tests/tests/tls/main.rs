//! TLS on both sides of parallax, each by itself.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod authority;
mod classic;
mod ends;
mod handshake;
mod mirror;
mod reload;
mod support;
mod vsr;
