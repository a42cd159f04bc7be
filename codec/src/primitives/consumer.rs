use super::Identifier;
use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Who polls: one consumer, or a member of a group.
///
/// ```text
/// [kind u8: 1 consumer, 2 group][identifier]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `primitives/consumer.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Consumer {
    /// Alone or as a group.
    pub kind: ConsumerKind,
    /// The consumer's or the group's id or name.
    pub id: Identifier,
}

/// Whether offsets are kept for one consumer or for a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConsumerKind {
    /// One consumer, kind 1.
    Consumer,
    /// A consumer group, kind 2. HTTP has none (case C1).
    Group,
}

impl ConsumerKind {
    /// `consumer` or `group`, as in the JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consumer => "consumer",
            Self::Group => "group",
        }
    }

    /// The number on the wire.
    pub const fn number(self) -> u8 {
        match self {
            Self::Consumer => 1,
            Self::Group => 2,
        }
    }
}

impl Decode for Consumer {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, kind) = reader::u8("consumer kind", input)?;
        let kind = match kind {
            1 => ConsumerKind::Consumer,
            2 => ConsumerKind::Group,
            other => {
                let fault = Fault::UnknownKind(other.into());
                return Err(Failure::fail("consumer kind", input, fault));
            }
        };
        let (rest, id) = Identifier::parse(rest)?;
        Ok((rest, Self { kind, id }))
    }
}

impl Encode for Consumer {
    fn write(&self, writer: &mut impl Writer) {
        writer.group("consumer", |w| {
            w.kind("kind", self.kind.number(), self.kind.name());
            self.id.write_as("id", w);
        });
    }
}
