//! Why bytes could not be decoded, and where.

use nom::error::{ErrorKind, FromExternalError, ParseError};

/// A body that could not be decoded: what was being read, at which byte, why.
///
/// ```
/// use parallax_codec::{Decode, DecodeError, primitives::Identifier};
/// let error = Identifier::decode_all(&[1, 4, 7, 0]).unwrap_err();
/// assert_eq!(error.to_string(), "numeric identifier cut short at byte 2: 4 bytes needed, 2 left");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} {fault} at byte {at}{}", fault.detail())]
pub struct DecodeError {
    /// The field or structure that was being read.
    pub what: &'static str,
    /// Byte, counted from the start of the body, where reading stopped.
    pub at: usize,
    /// What was wrong there.
    pub fault: Fault,
}

/// What can be wrong with bytes at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The body ends before the field does.
    Truncated {
        /// Bytes the field needs.
        needed: usize,
        /// Bytes that were left.
        left: usize,
    },
    /// A kind, flag or discriminant that no known version has.
    UnknownKind(u64),
    /// More than one known layout fits, and nothing decides.
    Undetermined,
    /// A key that comes twice where it may come once.
    Repeated,
    /// A reserved field that every known version leaves 0.
    NotZero,
    /// Text that is not UTF-8.
    NotUtf8,
    /// A length that contradicts the kind it belongs to.
    WrongLength(u64),
    /// The fields end before the body does.
    LeftOver(usize),
    /// The frames of a batch record do not fill it, or are not as many as it says.
    Miscounted,
    /// A count and the elements that follow it disagree.
    CountMismatch {
        /// Elements announced.
        announced: u32,
        /// Elements that could be read.
        decoded: usize,
    },
}

impl Fault {
    fn detail(&self) -> String {
        match self {
            Self::Truncated { needed, left } => format!(": {needed} bytes needed, {left} left"),
            Self::UnknownKind(value) => format!(": value {value}"),
            Self::WrongLength(length) => format!(": length {length}"),
            Self::LeftOver(count) => format!(": {count} bytes left over"),
            Self::CountMismatch { announced, decoded } => {
                format!(": {announced} announced, {decoded} decoded")
            }
            Self::Miscounted
            | Self::NotUtf8
            | Self::NotZero
            | Self::Repeated
            | Self::Undetermined => String::new(),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Truncated { .. } => "cut short",
            Self::UnknownKind(_) => "is of no known kind",
            Self::NotUtf8 => "is not UTF-8",
            Self::Miscounted => "do not fill their record",
            Self::NotZero => "is reserved and not 0",
            Self::Repeated => "comes twice",
            Self::Undetermined => "fits more than one layout",
            Self::WrongLength(_) => "has an impossible length",
            Self::LeftOver(_) => "ends early",
            Self::CountMismatch { .. } => "do not match their count",
        })
    }
}

/// The error of the parsers inside this crate. It remembers how much input was
/// left, which becomes a position once the whole body is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub(crate) what: &'static str,
    pub(crate) left: usize,
    pub(crate) fault: Fault,
}

impl Failure {
    /// A failure at the place where `rest` begins.
    pub(crate) const fn new(what: &'static str, rest: &[u8], fault: Fault) -> Self {
        Self {
            what,
            left: rest.len(),
            fault,
        }
    }

    /// The same as an unrecoverable nom error.
    pub(crate) const fn fail(what: &'static str, rest: &[u8], fault: Fault) -> nom::Err<Self> {
        nom::Err::Failure(Self::new(what, rest, fault))
    }

    /// The public error, given the length of the whole body.
    pub(crate) fn at(self, body_length: usize) -> DecodeError {
        DecodeError {
            what: self.what,
            at: body_length.saturating_sub(self.left),
            fault: self.fault,
        }
    }
}

impl ParseError<&[u8]> for Failure {
    fn from_error_kind(input: &[u8], _: ErrorKind) -> Self {
        // Our parsers name what they read (`reader`); nom's own combinators
        // only ever run out of input.
        Self::new(
            "field",
            input,
            Fault::Truncated {
                needed: input.len() + 1,
                left: input.len(),
            },
        )
    }

    fn append(_: &[u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<E> FromExternalError<&[u8], E> for Failure {
    fn from_external_error(input: &[u8], kind: ErrorKind, _: E) -> Self {
        Self::from_error_kind(input, kind)
    }
}
