//! Ours against the published crates of the VSR dialect: `iggy_binary_protocol`
//! and `iggy_common` 0.11.0 say what the bytes are.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

// What both dialects share is tested by the same files, against these crates.
extern crate iggy_binary_protocol_11 as iggy_binary_protocol;
extern crate iggy_common_11 as iggy_common;

use iggy_binary_protocol::requests::{
    consumer_groups as groups, consumer_offsets, messages as polls, system as asked,
    users as logins,
};
use iggy_binary_protocol::responses;
use parallax_codec::{Dialect, code};
use support::their_reading;

/// How they speak.
const DIALECT: Dialect = Dialect::Vsr;

/// Requests beside those that both dialects have.
const MORE_REQUESTS: &[(u32, mutations::Canonical)] = &[
    (
        code::DESCRIBE_OPTIONS,
        their_reading::<asked::DescribeOptionsRequest>,
    ),
    (
        code::ATTACH_CONSUMER_SESSION,
        their_reading::<asked::AttachConsumerSessionRequest>,
    ),
    (
        code::LOGIN_REGISTER,
        their_reading::<logins::LoginRegisterRequest>,
    ),
    (
        code::LOGIN_REGISTER_WITH_PAT,
        their_reading::<logins::LoginRegisterWithPatRequest>,
    ),
    (
        code::GET_POLL_ROUTING,
        their_reading::<polls::PollMessagesRequest>,
    ),
    (
        code::POLL_MESSAGES_ON_PRIMARY,
        their_reading::<polls::PollMessagesRequest>,
    ),
    (
        code::GET_CONSUMER_OFFSET_ROUTING,
        their_reading::<consumer_offsets::GetConsumerOffsetRequest>,
    ),
    (
        code::SYNC_CONSUMER_GROUP,
        their_reading::<groups::SyncConsumerGroupRequest>,
    ),
];

/// Replies beside those that both dialects have.
const MORE_REPLIES: &[(u32, mutations::Canonical)] = &[
    (
        code::DESCRIBE_OPTIONS,
        their_reading::<responses::system::DescribeOptionsResponse>,
    ),
    (
        code::LOGIN_REGISTER,
        their_reading::<responses::users::LoginRegisterResponse>,
    ),
    (
        code::SEND_MESSAGES,
        their_reading::<responses::messages::SendMessagesResponse>,
    ),
    (
        code::GET_POLL_ROUTING,
        their_reading::<responses::messages::PollRoutingResponse>,
    ),
    (
        code::SYNC_CONSUMER_GROUP,
        their_reading::<responses::consumer_groups::SyncConsumerGroupResponse>,
    ),
];

#[path = "../differential/consumer_groups.rs"]
mod consumer_groups;
mod headers;
mod login;
mod messages;
#[path = "../differential/mutations.rs"]
mod mutations;
mod offsets;
mod options;
#[path = "../differential/partitions.rs"]
mod partitions;
mod routing;
mod streams;
#[path = "../differential/support.rs"]
mod support;
#[path = "../differential/system.rs"]
mod system;
mod tables;
#[path = "../differential/tokens.rs"]
mod tokens;
mod topics;
#[path = "../differential/user_headers.rs"]
mod user_headers;
mod users;
