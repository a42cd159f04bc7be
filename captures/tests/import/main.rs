#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(missing_docs, unreachable_pub)]
//! Reading packet captures: the recordings, what other programs make of them,
//! and captures that are damaged, shuffled or made up.

mod damaged_files;
mod files;
mod formats;
mod frames;
mod http;
mod http_recordings;
mod links;
mod packed;
mod reassembly;
mod reassembly_limits;
mod recordings;
mod reordered;
mod support;
mod swapped;
mod tshark;
