use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::reader::{self, Parsed};
use crate::writer::Writer;

/// When a server answers that it has stored or deleted an offset.
///
/// ```text
/// [u8: 0 none, 1 quorum]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `primitives/ack_level.rs`. The classic
/// dialect has no such byte, nor have all VSR requests that might:
/// [`StoreConsumerOffset`](crate::commands::StoreConsumerOffset).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ack {
    /// As soon as the one server has it. A replicated partition waits all the same.
    None,
    /// Once a majority of the replicas has it.
    Quorum,
}

impl Decode for Ack {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, number) = reader::u8("ack", input)?;
        match number {
            0 => Ok((rest, Self::None)),
            1 => Ok((rest, Self::Quorum)),
            other => {
                let fault = Fault::UnknownKind(other.into());
                Err(Failure::fail("ack", input, fault))
            }
        }
    }
}

impl Ack {
    /// The name: `none` or `quorum`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Quorum => "quorum",
        }
    }

    /// Writes the byte, where there is one.
    pub(crate) fn write_optional(ack: Option<Self>, writer: &mut impl Writer) {
        match ack {
            None => {}
            Some(ack @ Self::None) => writer.kind("ack", 0, ack.name()),
            Some(ack @ Self::Quorum) => writer.kind("ack", 1, ack.name()),
        }
    }
}
