use crate::classic::framer::Classic;
use crate::decode::finish;
use crate::error::{DecodeError, Fault};
use crate::framing::{Direction, Format};
use crate::reader::Parsed;
use crate::vsr::framer::Vsr;

/// How a connection frames, and with it how the bodies of some commands are laid
/// out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// 8-byte headers, servers up to 0.8: [`crate::classic`].
    Classic,
    /// 256-byte headers, servers from 0.9: [`crate::vsr`].
    Vsr,
}

impl Dialect {
    /// Bytes before a body, in both directions.
    pub const fn header_size(self) -> usize {
        match self {
            Self::Classic => Classic::HEADER_SIZE,
            Self::Vsr => Vsr::HEADER_SIZE,
        }
    }

    /// Bytes of body after a header that goes this way; 0 where its length is below
    /// what it has to count, as [`Body::Malformed`](crate::Body::Malformed) says. `None`
    /// where not all of the header is here.
    pub fn body_length(self, direction: Direction, header: &[u8]) -> Option<u64> {
        let announced = match self {
            Self::Classic => Classic(direction).announced(header),
            Self::Vsr => Vsr.announced(header),
        };
        announced.map(|announced| announced.body_length)
    }
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
