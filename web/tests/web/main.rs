//! The page as a browser gets it, over a journal filled by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod access;
mod counts;
<<<<<<< HEAD
mod described;
=======
mod detail;
>>>>>>> 78e0ac1 (An exchange in windows: frames and payloads are paged to their end, payloads in every form, times as bars and table, ways on by consumer and partition)
mod filters;
mod http;
mod limits;
mod live;
mod locked_down;
mod pages;
mod sample;
mod two_answers;
