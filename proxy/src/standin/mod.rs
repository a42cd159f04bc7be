//! A stand-in for an Iggy server 0.8.0, in process: TCP in the classic dialect,
//! and HTTP, over one state. Enough of Iggy for real clients to log in, create
//! streams, topics and groups, send, poll and store offsets; and it can be broken
//! on purpose, the way that recordings of a real server show.
//!
//! It keeps everything in memory, up to the limits of [`crate::limits`], and has
//! one user. What it does not do it refuses with 5 (`feature_unavailable`): users
//! and permissions, segments, snapshots; over HTTP it answers questions and
//! logins, and stores offsets.
//!
//! [`Model`] is the state; this module's [`Standin`] puts sockets around it.

mod config;
mod http;
mod model;
mod server;
mod tcp;

pub use config::{FalseFirstOffset, StandinConfig};
pub use model::{Model, Refusal, checksum};
pub use server::Standin;
