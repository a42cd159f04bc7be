//! Bytes to values.

use crate::error::{DecodeError, Fault};
use crate::reader::{self, Parsed};

/// A value that can be read from the wire.
pub trait Decode: Sized {
    /// Reads the value from the front of `input`; what follows it is returned
    /// first, as nom does.
    ///
    /// # Errors
    /// The field that could not be read, and how many bytes were left there.
    fn parse(input: &[u8]) -> Parsed<'_, Self>;

    /// Reads a value that is the whole of `body`.
    ///
    /// # Errors
    /// Where and why reading stopped, or how many bytes were left over.
    fn decode_all(body: &[u8]) -> Result<Self, DecodeError> {
        match Self::parse(body) {
            Ok(([], value)) => Ok(value),
            Ok((rest, _)) => Err(DecodeError {
                what: "body",
                at: body.len() - rest.len(),
                fault: Fault::LeftOver(rest.len()),
            }),
            Err(error) => Err(finish(error, body.len())),
        }
    }
}

/// Values until `body` ends.
pub(crate) fn decode_sequence<T>(
    body: &[u8],
    parse: impl for<'a> Fn(&'a [u8]) -> Parsed<'a, T>,
) -> Result<Vec<T>, DecodeError> {
    match reader::until_end(body, parse) {
        Ok((_, values)) => Ok(values),
        Err(error) => Err(finish(error, body.len())),
    }
}

/// What a body says that may be in either of two layouts, `newer` and `older`, as it
/// reads in each. Where it reads in both, nothing tells which is right.
pub(crate) fn one_of<T>(
    newer: Result<T, DecodeError>,
    older: impl FnOnce() -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    match (newer, older()) {
        (Ok(_), Ok(_)) => Err(DecodeError {
            what: "body",
            at: 0,
            fault: Fault::Undetermined,
        }),
        (Ok(value), Err(_)) | (Err(_), Ok(value)) => Ok(value),
        (Err(error), Err(_)) => Err(error),
    }
}

pub(crate) fn finish(error: nom::Err<crate::error::Failure>, body_length: usize) -> DecodeError {
    match error {
        nom::Err::Error(failure) | nom::Err::Failure(failure) => failure.at(body_length),
        // No parser of this crate is a streaming one; were one added, its
        // "more needed" is a body cut short.
        nom::Err::Incomplete(_) => DecodeError {
            what: "body",
            at: body_length,
            fault: Fault::Truncated {
                needed: body_length + 1,
                left: body_length,
            },
        },
    }
}
