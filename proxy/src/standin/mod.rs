//! A stand-in for an Iggy server, in process: TCP and HTTP over one state. It is
//! server 0.8.0 in the classic dialect, or 0.9.0-edge.5 in the VSR dialect. Enough
//! of Iggy for real clients to log in, create streams, topics and groups, send,
//! poll and store offsets; and it can be broken on purpose, by name ([`Fault`]).
//!
//! It keeps everything in memory, up to the limits of [`crate::limits`], and has
//! one user. What it does not do it refuses with 5 (`feature_unavailable`): users
//! and permissions, segments, snapshots, the catalog of options; over HTTP it
//! answers questions and logins, and stores offsets.
//!
//! [`Model`] is the state; this module's [`Standin`] puts sockets around it.

mod classic;
mod cluster;
mod config;
mod faults;
mod http;
mod model;
mod server;
mod tcp;
mod vsr;

pub use cluster::StandinCluster;
pub use config::StandinConfig;
pub use faults::{Description as FaultDescription, Fault, PlacedFault};
pub use model::{Model, Refusal, checksum};
pub use server::Standin;
