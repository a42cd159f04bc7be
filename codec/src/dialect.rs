use crate::decode::finish;
use crate::error::{DecodeError, Fault};
use crate::reader::Parsed;

/// How a connection frames, and with it how the bodies of some commands are laid
/// out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// 8-byte headers, servers up to 0.8: [`crate::classic`].
    Classic,
    /// 256-byte headers, servers from 0.9: [`crate::vsr`].
    Vsr,
}

/// A value whose layout depends on the dialect.
pub trait DecodeIn: Sized {
    /// Reads the value from the front of `input`, as [`Decode::parse`] does.
    ///
    /// [`Decode::parse`]: crate::Decode::parse
    ///
    /// # Errors
    /// The field that could not be read, and how many bytes were left there.
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self>;

    /// Reads a value that is the whole of `body`.
    ///
    /// # Errors
    /// Where and why reading stopped, or how many bytes were left over.
    fn decode_in(dialect: Dialect, body: &[u8]) -> Result<Self, DecodeError> {
        match Self::parse_in(dialect, body) {
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
