use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// A stream, topic, consumer, group or user, by number or by name.
///
/// ```text
/// [kind u8][length u8][value]
///  1 numeric   4       u32
///  2 string    1..=255 UTF-8
/// ```
/// From `iggy_binary_protocol` 0.10.0, `primitives/identifier.rs`.
///
/// A name may look like a number; only the kind tells (case C3): the name "7"
/// and the number 7 are two things on TCP and one over HTTP.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Identifier {
    /// By number, given by the server.
    Numeric(u32),
    /// By name, given by a user.
    Named(String),
}

impl Identifier {
    /// Whether this is a name that an HTTP path would read as a number.
    pub fn is_numeric_name(&self) -> bool {
        matches!(self, Self::Named(name) if name.parse::<u32>().is_ok())
    }

    /// Writes the identifier as the group `name`.
    pub(crate) fn write_as(&self, name: &'static str, writer: &mut impl Writer) {
        writer.group(name, |w| self.write(w));
    }
}

impl std::fmt::Display for Identifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Numeric(number) => write!(f, "{number}"),
            Self::Named(name) => f.write_str(name),
        }
    }
}

impl Decode for Identifier {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, kind) = reader::u8("identifier kind", input)?;
        let (rest, length) = reader::u8("identifier length", rest)?;
        match (kind, length) {
            (1, 4) => {
                let (rest, number) = reader::u32("numeric identifier", rest)?;
                Ok((rest, Self::Numeric(number)))
            }
            (2, 1..) => {
                let (rest, name) = reader::text("named identifier", length.into(), rest)?;
                Ok((rest, Self::Named(name)))
            }
            (1 | 2, _) => {
                let fault = Fault::WrongLength(length.into());
                Err(Failure::fail("identifier", input, fault))
            }
            _ => {
                let fault = Fault::UnknownKind(kind.into());
                Err(Failure::fail("identifier", input, fault))
            }
        }
    }
}

impl Encode for Identifier {
    fn write(&self, writer: &mut impl Writer) {
        match self {
            Self::Numeric(number) => {
                writer.kind("kind", 1, "numeric");
                writer.u8("length", 4);
                writer.u32("value", *number);
            }
            Self::Named(name) => {
                writer.kind("kind", 2, "string");
                writer.text_u8("length", "value", name);
            }
        }
    }
}
