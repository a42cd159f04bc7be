use bytes::Bytes;

use crate::command::code;
use crate::commands::{
    DeleteConsumerOffset, GetConsumerOffset, PollMessages, SendMessages, StoreConsumerOffset,
};
use crate::decode::{Decode as _, DecodeShared as _};
use crate::error::DecodeError;
use crate::field::{Field, fields_of};
use crate::writer::{Encode, Writer};

/// A request's body, by its command.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// 1: is anybody there. No body.
    Ping,
    /// 100.
    PollMessages(PollMessages),
    /// 101.
    SendMessages(SendMessages),
    /// 120.
    GetConsumerOffset(GetConsumerOffset),
    /// 121.
    StoreConsumerOffset(StoreConsumerOffset),
    /// 122.
    DeleteConsumerOffset(DeleteConsumerOffset),
    /// A command that this crate knows by its code at most.
    Other {
        /// The code.
        code: u32,
        /// The body as it came.
        body: Bytes,
    },
}

impl Request {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// Where and why the body of a known command could not be read.
    pub fn decode(code: u32, body: &Bytes) -> Result<Self, DecodeError> {
        Ok(match code {
            code::POLL_MESSAGES => Self::PollMessages(PollMessages::decode_all(body)?),
            code::SEND_MESSAGES => Self::SendMessages(SendMessages::decode_shared(body)?),
            code::GET_CONSUMER_OFFSET => {
                Self::GetConsumerOffset(GetConsumerOffset::decode_all(body)?)
            }
            code::STORE_CONSUMER_OFFSET => {
                Self::StoreConsumerOffset(StoreConsumerOffset::decode_all(body)?)
            }
            code::DELETE_CONSUMER_OFFSET => {
                Self::DeleteConsumerOffset(DeleteConsumerOffset::decode_all(body)?)
            }
            code::PING if body.is_empty() => Self::Ping,
            _ => Self::Other {
                code,
                body: body.clone(),
            },
        })
    }

    /// The command's code.
    pub fn code(&self) -> u32 {
        match self {
            Self::Ping => code::PING,
            Self::PollMessages(_) => code::POLL_MESSAGES,
            Self::SendMessages(_) => code::SEND_MESSAGES,
            Self::GetConsumerOffset(_) => code::GET_CONSUMER_OFFSET,
            Self::StoreConsumerOffset(_) => code::STORE_CONSUMER_OFFSET,
            Self::DeleteConsumerOffset(_) => code::DELETE_CONSUMER_OFFSET,
            Self::Other { code, .. } => *code,
        }
    }

    /// The fields of the body, their ranges counted from `start`.
    pub fn fields(&self, start: usize) -> Vec<Field> {
        fields_of(self, start)
    }
}

impl Encode for Request {
    fn write(&self, writer: &mut impl Writer) {
        match self {
            Self::Ping => {}
            Self::PollMessages(request) => request.write(writer),
            Self::SendMessages(request) => request.write(writer),
            Self::GetConsumerOffset(request) => request.write(writer),
            Self::StoreConsumerOffset(request) => request.write(writer),
            Self::DeleteConsumerOffset(request) => request.write(writer),
            Self::Other { body, .. } => {
                if !body.is_empty() {
                    writer.bytes("body", body);
                }
            }
        }
    }
}
