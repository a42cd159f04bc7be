use super::part::{Content, Part, Parts, unread};
use super::{clients, consumer_groups, consumer_offsets, messages, streams, system, topics, users};
use crate::command::code;
use crate::dialect::Dialect;
use crate::secrets::reply_may_carry_secrets;

/// The layouts that the body of a reply to this command may have in a dialect, where
/// its status is 0, the newest first: of several the one holds that the body fills and
/// no other. A body without a byte has no field in any:
/// [`empty_reply_meaning`](crate::empty_reply_meaning).
pub fn reply(dialect: Dialect, code: u32) -> &'static [Parts] {
    match dialect {
        Dialect::Classic => classic(code),
        Dialect::Vsr => vsr(code),
    }
}

fn classic(code: u32) -> &'static [Parts] {
    match code {
        code::GET_USER | code::CREATE_USER => &[users::DETAILS_CLASSIC],
        code::GET_USERS => &[users::USERS_CLASSIC],
        code::GET_STREAM => &[streams::DETAILS_CLASSIC],
        code::CREATE_STREAM => &[streams::STREAM_CLASSIC],
        code::GET_STREAMS => &[streams::STREAMS_CLASSIC],
        code::GET_TOPIC | code::CREATE_TOPIC => &[topics::DETAILS_CLASSIC],
        code::GET_TOPICS => &[topics::TOPICS_CLASSIC],
        _ => both(code),
    }
}

fn vsr(code: u32) -> &'static [Parts] {
    match code {
        code::DESCRIBE_OPTIONS => &[system::OPTION_CATALOG],
        code::LOGIN_REGISTER | code::LOGIN_REGISTER_WITH_PAT => &[users::SESSION],
        code::SEND_MESSAGES => &[messages::CONFIRMATIONS],
        code::GET_POLL_ROUTING | code::GET_CONSUMER_OFFSET_ROUTING => &[system::ROUTING],
        code::SYNC_CONSUMER_GROUP => &[consumer_groups::ASSIGNMENT],
        code::GET_USER | code::CREATE_USER => &[users::DETAILS_VSR, users::DETAILS_CLASSIC],
        code::GET_USERS => &[users::USERS_VSR, users::USERS_CLASSIC],
        code::GET_STREAM => &[streams::DETAILS_VSR, streams::DETAILS_CLASSIC],
        code::CREATE_STREAM => &[streams::STREAM_VSR, streams::STREAM_CLASSIC],
        code::GET_STREAMS => &[streams::STREAMS_VSR, streams::STREAMS_CLASSIC],
        code::GET_TOPIC | code::CREATE_TOPIC => &[topics::DETAILS_VSR, topics::DETAILS_CLASSIC],
        code::GET_TOPICS => &[topics::TOPICS_VSR, topics::TOPICS_CLASSIC],
        _ => both(code),
    }
}

fn both(code: u32) -> &'static [Parts] {
    match code {
        code::GET_STATS => &[system::STATS],
        code::GET_SNAPSHOT_FILE => SNAPSHOT,
        code::GET_CLUSTER_METADATA => &[system::CLUSTER_METADATA],
        code::GET_ME | code::GET_CLIENT => &[clients::CLIENT_DETAILS],
        code::GET_CLIENTS => &[clients::CLIENTS],
        code::LOGIN_USER | code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN => &[users::IDENTITY],
        code::GET_PERSONAL_ACCESS_TOKENS => &[users::TOKENS],
        code::CREATE_PERSONAL_ACCESS_TOKEN => &[users::TOKEN],
        code::POLL_MESSAGES | code::POLL_MESSAGES_ON_PRIMARY => &[messages::POLLED],
        code::GET_CONSUMER_OFFSET => &[consumer_offsets::CONSUMER_OFFSET],
        code::GET_CONSUMER_GROUP | code::CREATE_CONSUMER_GROUP => &[consumer_groups::GROUP_DETAILS],
        code::GET_CONSUMER_GROUPS => &[consumer_groups::GROUPS],
        _ => unread(reply_may_carry_secrets(code)),
    }
}

/// The configuration may be in it, and that may hold keys.
const SNAPSHOT: &[Parts] = &[&[Part::Rest {
    name: "archive",
    content: Content::SecretBytes,
}]];
