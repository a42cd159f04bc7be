use super::part::{Parts, unread};
use super::{
    clients, consumer_groups, consumer_offsets, messages, streams, system, topics, users, with_id,
};
use crate::command::{Command, code};
use crate::dialect::Dialect;
use crate::secrets::request_may_carry_secrets;

/// The layouts that the body of a request with this code may have in a dialect, the
/// newest first: of several the one holds that the body fills and no other.
pub fn request(dialect: Dialect, code: u32) -> &'static [Parts] {
    if !Command::from_code(code).is_some_and(|command| command.is_in(dialect)) {
        return unread(request_may_carry_secrets(code));
    }
    match dialect {
        Dialect::Classic => classic(code),
        Dialect::Vsr => vsr(code),
    }
}

fn classic(code: u32) -> &'static [Parts] {
    match code {
        code::CREATE_USER => &[users::CREATE_CLASSIC],
        code::UPDATE_USER => &[users::UPDATE_CLASSIC],
        code::POLL_MESSAGES => &[messages::POLL_CLASSIC],
        code::GET_CONSUMER_OFFSET | code::DELETE_CONSUMER_OFFSET => {
            &[consumer_offsets::KEY_CLASSIC]
        }
        code::STORE_CONSUMER_OFFSET => &[consumer_offsets::STORE_CLASSIC],
        code::CREATE_STREAM => &[streams::CREATE_CLASSIC, with_id::STREAM],
        code::UPDATE_STREAM => &[streams::UPDATE_CLASSIC],
        code::CREATE_TOPIC => &[topics::CREATE, with_id::TOPIC],
        code::UPDATE_TOPIC => &[topics::UPDATE],
        code::CREATE_CONSUMER_GROUP => &[consumer_groups::CREATE, with_id::GROUP],
        _ => both(code),
    }
}

fn vsr(code: u32) -> &'static [Parts] {
    match code {
        code::DESCRIBE_OPTIONS => &[system::DESCRIBE_OPTIONS],
        code::ATTACH_CONSUMER_SESSION => &[system::ATTACH_SESSION],
        code::CREATE_USER => &[users::CREATE_VSR],
        code::UPDATE_USER => &[users::UPDATE_VSR],
        code::LOGIN_REGISTER => &[users::LOGIN_REGISTER],
        code::LOGIN_REGISTER_WITH_PAT => &[users::LOGIN_REGISTER_WITH_PAT],
        code::POLL_MESSAGES | code::GET_POLL_ROUTING | code::POLL_MESSAGES_ON_PRIMARY => {
            &[messages::POLL_VSR]
        }
        code::GET_CONSUMER_OFFSET | code::GET_CONSUMER_OFFSET_ROUTING => {
            &[consumer_offsets::KEY_VSR]
        }
        code::STORE_CONSUMER_OFFSET => &[consumer_offsets::STORE_VSR],
        code::DELETE_CONSUMER_OFFSET => &[consumer_offsets::DELETE_VSR],
        code::CREATE_STREAM => &[streams::CREATE_VSR],
        code::UPDATE_STREAM => &[streams::UPDATE_VSR],
        code::CREATE_TOPIC => &[topics::CREATE_WITH_OPTIONS, topics::CREATE],
        code::UPDATE_TOPIC => &[topics::UPDATE_WITH_OPTIONS, topics::UPDATE],
        code::CREATE_CONSUMER_GROUP => &[consumer_groups::CREATE],
        code::SYNC_CONSUMER_GROUP => &[consumer_groups::GROUP_REF],
        _ => both(code),
    }
}

/// Commands that both dialects lay out alike; those without a body are left.
fn both(code: u32) -> &'static [Parts] {
    match code {
        code::GET_SNAPSHOT_FILE => &[system::GET_SNAPSHOT],
        code::GET_CLIENT => &[clients::CLIENT_REF],
        code::GET_USER | code::DELETE_USER => &[users::USER_REF],
        code::UPDATE_PERMISSIONS => &[users::UPDATE_PERMISSIONS],
        code::CHANGE_PASSWORD => &[users::CHANGE_PASSWORD],
        code::LOGIN_USER => &[users::LOGIN],
        code::CREATE_PERSONAL_ACCESS_TOKEN => &[users::CREATE_TOKEN],
        code::DELETE_PERSONAL_ACCESS_TOKEN => &[users::DELETE_TOKEN],
        code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN => &[users::TOKEN],
        code::SEND_MESSAGES => &[messages::SEND],
        code::FLUSH_UNSAVED_BUFFER => &[messages::FLUSH],
        code::GET_STREAM | code::DELETE_STREAM | code::PURGE_STREAM | code::GET_TOPICS => {
            &[streams::STREAM_REF]
        }
        code::GET_TOPIC | code::DELETE_TOPIC | code::PURGE_TOPIC | code::GET_CONSUMER_GROUPS => {
            &[topics::TOPIC_REF]
        }
        code::CREATE_PARTITIONS | code::DELETE_PARTITIONS => &[topics::CHANGE_PARTITIONS],
        code::DELETE_SEGMENTS => &[topics::DELETE_SEGMENTS],
        code::GET_CONSUMER_GROUP
        | code::DELETE_CONSUMER_GROUP
        | code::JOIN_CONSUMER_GROUP
        | code::LEAVE_CONSUMER_GROUP => &[consumer_groups::GROUP_REF],
        _ => &[&[]],
    }
}
