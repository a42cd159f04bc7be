//! What a reply without a body means.

use crate::command::code;

/// What it means that a reply to this command succeeded and has no body: done, or
/// that what was asked for does not exist. `None` for a command that is not known,
/// or whose reply always has a body.
///
/// ```
/// use parallax_codec::{code, empty_reply_meaning};
/// assert_eq!(empty_reply_meaning(code::GET_CONSUMER_OFFSET), Some("no offset is stored"));
/// ```
///
/// From the recordings `empty`, `group` and `admin` of both servers, and case D7.
/// An SDK that takes such a body for a short one fails on it.
pub const fn empty_reply_meaning(command: u32) -> Option<&'static str> {
    Some(match command {
        code::PING => "the server is there",
        code::GET_CLIENT => "no such client",
        code::GET_CLIENTS => "no client is connected",
        code::GET_USER => "no such user",
        code::GET_USERS => "there are no users",
        code::GET_PERSONAL_ACCESS_TOKENS => "the user has no tokens",
        code::GET_CONSUMER_OFFSET => "no offset is stored",
        code::GET_STREAM => "no such stream",
        code::GET_STREAMS => "there are no streams",
        code::GET_TOPIC => "no such stream or topic",
        code::GET_TOPICS => "no such stream, or it has no topics",
        code::GET_CONSUMER_GROUP => "no such stream, topic or group",
        code::GET_CONSUMER_GROUPS => "no such stream or topic, or it has no groups",
        code::SYNC_CONSUMER_GROUP => "not a member of the group: join it again",
        code::SEND_MESSAGES => "appended, or known already",
        code::POLL_MESSAGES | code::POLL_MESSAGES_ON_PRIMARY => {
            "nothing, not even the partition: the server left out what it always sends"
        }
        code::LOGIN_REGISTER | code::LOGIN_REGISTER_WITH_PAT => "the login failed for good",
        code::DELETE_USER
        | code::UPDATE_USER
        | code::UPDATE_PERMISSIONS
        | code::CHANGE_PASSWORD
        | code::LOGOUT_USER
        | code::DELETE_PERSONAL_ACCESS_TOKEN
        | code::FLUSH_UNSAVED_BUFFER
        | code::STORE_CONSUMER_OFFSET
        | code::DELETE_CONSUMER_OFFSET
        | code::DELETE_STREAM
        | code::UPDATE_STREAM
        | code::PURGE_STREAM
        | code::DELETE_TOPIC
        | code::UPDATE_TOPIC
        | code::PURGE_TOPIC
        | code::CREATE_PARTITIONS
        | code::DELETE_PARTITIONS
        | code::DELETE_SEGMENTS
        | code::DELETE_CONSUMER_GROUP
        | code::JOIN_CONSUMER_GROUP
        | code::LEAVE_CONSUMER_GROUP
        | code::ATTACH_CONSUMER_SESSION => "done",
        _ => return None,
    })
}
