//! The stand-in against recordings of the server that it stands in for, and
//! against its own limits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod http;
mod limits;
mod recorded;
mod recordings;
mod requests;
mod tcp;
mod vsr;
