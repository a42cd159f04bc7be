//! The stand-in against recordings of the server that it stands in for, and
//! against its own limits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]
// A client of the stand-in, which is no mirror.
#![allow(clippy::disallowed_methods)]

mod http;
mod limits;
mod recorded;
mod recordings;
mod requests;
mod tcp;
mod vsr;
