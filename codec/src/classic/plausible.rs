//! Whether bytes look like a frame's first ones: how a reader that came in the
//! middle of a conversation finds its feet.

use super::framer::words;
use crate::command::Command;
use crate::error_code::ErrorCode;
use crate::limits::MAX_FRAME_BODY;
use crate::reader;

/// Whether `bytes` may be the beginning of a request: a code that is known and a
/// length that a server would take. Fewer than 8 bytes do not tell.
pub fn looks_like_request(bytes: &[u8]) -> bool {
    let Some((length, code)) = words(bytes) else {
        return false;
    };
    (4..=MAX_FRAME_BODY).contains(&reader::widen(length)) && Command::from_code(code).is_some()
}

/// Whether `bytes` may be the beginning of a reply: a status that is 0 or known,
/// and no body where it is an error.
pub fn looks_like_reply(bytes: &[u8]) -> bool {
    let Some((status, length)) = words(bytes) else {
        return false;
    };
    let length = reader::widen(length);
    if status == 0 {
        length <= MAX_FRAME_BODY
    } else {
        length == 0 && ErrorCode(status).name().is_some()
    }
}
