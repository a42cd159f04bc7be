//! Wireshark's `tshark`, with the dissector that parallax prints, shows of a capture what
//! parallax itself reads in it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod content;
mod every_command;
mod limits;
mod pcap;
mod recordings;
mod same;
mod tshark;

#[path = "../../../codec/tests/shape/entropy.rs"]
mod entropy;
#[path = "../../../codec/tests/shape/write.rs"]
mod write;
