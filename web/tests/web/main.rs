//! The page as a browser gets it, over a journal filled by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod access;
mod causes;
mod conclusions;
mod counts;
mod described;
mod detail;
mod document;
mod filters;
mod http;
mod latency;
mod limits;
mod lists;
mod live;
mod locked_down;
mod monitor;
mod overview;
mod pages;
mod partitions;
mod routes;
mod sample;
mod two_answers;
