//! What the real SDKs make of faults that parallax injects, and what parallax says of them.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod classic;
mod vsr;
