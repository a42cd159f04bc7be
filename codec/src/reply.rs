use bytes::Bytes;

use crate::command::code;
use crate::commands::{ConsumerOffset, PolledMessages};
use crate::decode::Decode as _;
use crate::error::DecodeError;
use crate::field::{Field, fields_of};
use crate::writer::{Encode, Writer};

/// The body of a reply whose status is 0, by the command it answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// No body: done, or for a question "there is none" (case D7).
    Empty,
    /// To 100.
    PolledMessages(PolledMessages),
    /// To 120.
    ConsumerOffset(ConsumerOffset),
    /// To a command that this crate knows by its code at most.
    Other {
        /// The body as it came.
        body: Bytes,
    },
}

impl Reply {
    /// Reads the body of a reply to the command with this code. Of a poll reply
    /// whose messages do not fill it, what could be read is returned together
    /// with what was wrong.
    ///
    /// # Errors
    /// Where and why the body could not be read at all.
    pub fn decode(code: u32, body: &Bytes) -> Result<(Self, Option<DecodeError>), DecodeError> {
        if body.is_empty() {
            return Ok((Self::Empty, None));
        }
        Ok(match code {
            code::POLL_MESSAGES => {
                let (reply, fault) = PolledMessages::decode_leniently(body)?;
                (Self::PolledMessages(reply), fault)
            }
            code::GET_CONSUMER_OFFSET => (
                Self::ConsumerOffset(ConsumerOffset::decode_all(body)?),
                None,
            ),
            _ => (Self::Other { body: body.clone() }, None),
        })
    }

    /// The fields of the body, their ranges counted from `start`.
    pub fn fields(&self, start: usize) -> Vec<Field> {
        fields_of(self, start)
    }
}

impl Encode for Reply {
    fn write(&self, writer: &mut impl Writer) {
        match self {
            Self::Empty => {}
            Self::PolledMessages(reply) => reply.write(writer),
            Self::ConsumerOffset(reply) => reply.write(writer),
            Self::Other { body } => writer.bytes("body", body),
        }
    }
}
