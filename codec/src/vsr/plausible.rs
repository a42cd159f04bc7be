//! Whether bytes look like a frame's first ones: how a reader that came in the
//! middle of a conversation finds its feet.

use super::Command;
use super::framer::{COMMAND_AT, SIZE_AT, size_of_frame};
use super::{Direction, HEADER_SIZE, Operation};
use crate::limits::MAX_FRAME_BODY;
use crate::reader;

/// Whether `bytes` may begin a request, to the server: a known operation and
/// nothing where nothing may be. Fewer than 256 bytes do not tell.
pub fn looks_like_request(bytes: &[u8]) -> bool {
    let Some(header) = begins_well(bytes, Direction::ToServer) else {
        return false;
    };
    let operation = Operation(header[176]);
    Command(header[COMMAND_AT]) != Command::REQUEST
        || (operation.name() != "unknown"
            && operation != Operation(0)
            && header[177..184].iter().all(|byte| *byte == 0))
}

/// Whether `bytes` may begin a reply or an eviction, to the client.
pub fn looks_like_reply(bytes: &[u8]) -> bool {
    let Some(header) = begins_well(bytes, Direction::ToClient) else {
        return false;
    };
    match Command(header[COMMAND_AT]) {
        Command::REPLY => {
            Operation(header[208]).name() != "unknown"
                && header[209..216].iter().all(|byte| *byte == 0)
        }
        Command::EVICTION => reader::widen(size_of_frame(header)) == HEADER_SIZE,
        _ => true,
    }
}

/// Whether `bytes` may begin a frame that goes this way.
pub fn looks_like_frame(direction: Direction, bytes: &[u8]) -> bool {
    match direction {
        Direction::ToServer => looks_like_request(bytes),
        Direction::ToClient => looks_like_reply(bytes),
    }
}

/// A header with a size that can be, a command that goes this way, and nothing in
/// the fields that every known version leaves 0.
fn begins_well(bytes: &[u8], direction: Direction) -> Option<&[u8; HEADER_SIZE]> {
    let header = bytes.first_chunk::<HEADER_SIZE>()?;
    let size = reader::widen(size_of_frame(header));
    let unused = header[..32].iter().chain(&header[SIZE_AT + 8..COMMAND_AT]);
    let unused = unused.chain(&header[62..128]);
    let well = (HEADER_SIZE..=HEADER_SIZE + MAX_FRAME_BODY).contains(&size)
        && Command(header[COMMAND_AT]).direction() == Some(direction)
        && unused.copied().all(|byte| byte == 0);
    well.then_some(header)
}
