//! Clusters: three stand-in nodes at addresses of their own, a leader that changes, and the
//! real SDKs that follow it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod classic;
mod nodes;
mod vsr;
