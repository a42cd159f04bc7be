use crate::decode::Decode;
use crate::primitives::Identifier;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Adds (402) or removes (403) partitions of a topic. The reply has no body.
///
/// ```text
/// [stream][topic][partitions_count u32]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/partitions/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangePartitions {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// How many to add, or how many to remove from the end.
    pub partitions_count: u32,
}

impl Decode for ChangePartitions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, partitions_count) = reader::u32("partitions count", rest)?;
        let value = Self {
            stream,
            topic,
            partitions_count,
        };
        Ok((rest, value))
    }
}

impl Encode for ChangePartitions {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        writer.u32("partitions_count", self.partitions_count);
    }
}
