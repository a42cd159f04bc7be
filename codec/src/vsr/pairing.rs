//! Which request a frame of the server's answers.

use super::{Command, EvictionHeader, HEADER_SIZE, Operation, ReplyHeader, RequestHeader};

/// Whether the frame with the header `answer` may answer the request with the header
/// `asked`: a reply or a pong, or an eviction in the place of a login's reply. Any other
/// eviction answers nothing (case E1). Of several requests that fit, the oldest is meant:
/// see [`ReplyHeader::answers`].
pub fn answers(answer: &[u8; HEADER_SIZE], asked: &[u8; HEADER_SIZE]) -> bool {
    let asked = RequestHeader::of(asked);
    let ping = asked.prelude.command == Command::PING_CLIENT;
    let reply = ReplyHeader::of(answer);
    match reply.prelude.command {
        Command::PONG_CLIENT => ping,
        Command::REPLY => !ping && reply.answers(&asked),
        Command::EVICTION => {
            let evicted = EvictionHeader::of(answer);
            !ping && asked.operation == Operation::REGISTER && asked.client == evicted.client
        }
        _ => false,
    }
}
