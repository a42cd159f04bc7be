//! The real SDKs through parallax: the same bytes as without it, and the same story.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod classic;
mod vsr;
