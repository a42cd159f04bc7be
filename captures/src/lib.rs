//! What parallax saw.
//!
//! The nouns ([`Exchange`], [`Connection`], [`Verdict`], [`Finding`]), the
//! [`Journal`] that records them, and where they can come from and go to. Opens
//! no listening socket and asks no server anything.

mod alteration;
mod annotation;
mod connection;
mod exchange;
mod fault_in_force;
mod finding;
mod frame_fields;
mod gap;
mod glob;
mod journal;
mod kept;
mod latency;
mod layouts;
mod mirror_status;
mod retries;
mod route;
mod standing;
mod tallies;
mod tls;
mod trouble;

pub mod activity;
pub mod catalog;
pub mod decoding;
pub mod difference;
pub mod dissector;
pub mod export;
pub mod file;
pub mod filter;
pub mod grounds;
pub mod http_poll;
pub mod import;
pub mod json;
pub mod known;
pub mod limits;
pub mod mute;
pub mod partition;
pub mod poll;
pub mod private;
pub mod recording;
pub mod redaction;
pub mod summary;
pub mod text;
pub mod two_answers;
pub mod verdict;

pub use activity::{Activity, Moment, Occurrences, Slots};
pub use alteration::{Alteration, ServerAnswer};
pub use annotation::Annotation;
pub use connection::{Connection, ConnectionId, Dialect, Undecoded};
pub use exchange::{BinaryContent, Content, Exchange, HttpContent, Times, UnsolicitedContent};
pub use fault_in_force::FaultInForce;
pub use finding::{Finding, FindingCode, Severity};
pub use gap::{Gap, Gaps, Unseen};
pub use journal::{
    Archive, Change, Column, Comparison, Condition, Counts, Journal, Late, Listing, Measure,
    NotAnnotated, OnConnection, PartitionFigures, PartitionPlace, Partitions, Rank, Ranking,
    Restored, Scalar, Taken, Totals, Wanted,
};
pub use latency::{
    Buckets, Dimension, Label, Latencies, LatencySeries, LatencyTimeline, Sample, Side,
};
pub use layouts::{Layout, Layouts, Shown};
pub use mirror_status::{MirrorState, MirrorStatus, MirrorTrouble};
pub use mute::Mutes;
pub use poll::{Poll, PollAnswer};
pub use retries::{Attempt, Attempts, Retries, is_transient};
pub use route::RouteName;
pub use standing::{Hindrance, Progress, Standing, is_still_seen, standings, what_hinders};
pub use tallies::{ExchangeKind, Tallies};
pub use tls::{PeerCertificate, TlsSession, TlsSides};
pub use trouble::{Trouble, TroubleKind, troubles};
pub use verdict::{Verdict, VerdictKind};
