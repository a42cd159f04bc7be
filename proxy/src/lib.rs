//! parallax: a transparent TCP debugging proxy for Apache Iggy.

pub mod analyst;
mod bounded;
pub mod cli;
pub mod cluster;
pub mod comparison;
pub mod credentials;
pub mod demo;
pub mod faults;
pub mod findings;
pub mod ledger;
mod limited_listener;
pub mod limits;
pub mod live;
pub mod mirror;
pub mod offline;
mod priority;
pub mod relay;
pub mod replay;
mod report;
pub mod session;
pub mod standin;
pub mod telemetry;
pub mod tls;
mod vsr_client;
