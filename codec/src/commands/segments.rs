use crate::decode::Decode;
use crate::primitives::Identifier;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Deletes the oldest segments of a partition, code 503. The reply has no body.
///
/// ```text
/// [stream][topic][partition_id u32][segments_count u32]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/segments/delete_segments.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteSegments {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition.
    pub partition_id: u32,
    /// How many segments.
    pub segments_count: u32,
}

impl Decode for DeleteSegments {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, partition_id) = reader::u32("partition id", rest)?;
        let (rest, segments_count) = reader::u32("segments count", rest)?;
        let value = Self {
            stream,
            topic,
            partition_id,
            segments_count,
        };
        Ok((rest, value))
    }
}

impl Encode for DeleteSegments {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        writer.u32("partition_id", self.partition_id);
        writer.u32("segments_count", self.segments_count);
    }
}
