//! Ours against the published crates: `iggy_binary_protocol` and `iggy_common`
//! 0.10.0 say what the bytes are.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use parallax_codec::Dialect;

/// How they speak.
const DIALECT: Dialect = Dialect::Classic;

/// Requests beside those that both dialects have.
const MORE_REQUESTS: &[(u32, mutations::Canonical)] = &[];

/// Replies beside those that both dialects have.
const MORE_REPLIES: &[(u32, mutations::Canonical)] = &[];

mod consumer_groups;
mod consumer_offsets;
mod messages;
mod mutations;
mod partitions;
mod streams;
mod support;
mod system;
mod tables;
mod tokens;
mod topics;
mod user_headers;
mod users;
