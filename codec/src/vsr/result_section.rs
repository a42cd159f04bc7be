use bytes::Bytes;

use super::Operation;
use crate::decode::{Decode, finish};
use crate::error::DecodeError;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow, write_sequence};

/// What precedes the body of a reply to a replicated command: how it went.
///
/// ```text
/// [count u32] ([index u32][result u32]) * count
/// ```
/// No entry stands for success. There is one at most in every known version.
/// From `iggy_binary_protocol` 0.11.0, `consensus/reply_result.rs`. The status in
/// the header is 0 meanwhile; where it is not, the body is empty and there is no
/// such section, so that the status is to be looked at first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResultSection {
    /// What was refused, and why.
    pub entries: Vec<ResultEntry>,
}

/// One refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultEntry {
    /// Which part of the request.
    pub index: u32,
    /// The number of the error.
    pub result: u32,
}

impl ResultSection {
    /// Splits a reply's body into its result section, where its operation has one,
    /// and the rest.
    ///
    /// # Errors
    /// Where the body is too short for the section it should begin with: a
    /// refusal that is cut short is never taken for success.
    pub fn split(operation: Operation, body: &Bytes) -> Result<(Option<Self>, Bytes), DecodeError> {
        let is_refused_login = operation == Operation::REGISTER && body.is_empty();
        if !operation.is_result_framed() || is_refused_login {
            return Ok((None, body.clone()));
        }
        let (rest, section) = Self::parse(body).map_err(|error| finish(error, body.len()))?;
        Ok((Some(section), body.slice(body.len() - rest.len()..)))
    }

    /// The error of the first entry; `None` for success.
    pub fn error(&self) -> Option<u32> {
        self.entries.first().map(|entry| entry.result)
    }

    /// Bytes that the section takes.
    pub fn encoded_length(&self) -> usize {
        4 + 8 * self.entries.len()
    }
}

impl Decode for ResultSection {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, count) = reader::u32("result count", input)?;
        let (rest, entries) = reader::repeated(count, rest, ResultEntry::parse)?;
        Ok((rest, Self { entries }))
    }
}

impl Encode for ResultSection {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("results_count", narrow(self.entries.len()));
        write_sequence("results", "entry", &self.entries, writer);
    }
}

impl Decode for ResultEntry {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, index) = reader::u32("result index", input)?;
        let (rest, result) = reader::u32("result", rest)?;
        Ok((rest, Self { index, result }))
    }
}

impl Encode for ResultEntry {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("index", self.index);
        writer.u32("result", self.result);
    }
}
