use crate::decode::Decode;
use crate::primitives::Identifier;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Writes what a partition holds in memory to disk, code 102. The reply has no
/// body.
///
/// ```text
/// [stream][topic][partition_id u32][fsync u8]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/messages/flush_unsaved_buffer.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushUnsavedBuffer {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition.
    pub partition_id: u32,
    /// Whether to wait until the disk has it.
    pub fsync: bool,
}

impl Decode for FlushUnsavedBuffer {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, partition_id) = reader::u32("partition id", rest)?;
        let (rest, fsync) = reader::flag("fsync", rest)?;
        let value = Self {
            stream,
            topic,
            partition_id,
            fsync,
        };
        Ok((rest, value))
    }
}

impl Encode for FlushUnsavedBuffer {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        writer.u32("partition_id", self.partition_id);
        writer.flag("fsync", self.fsync);
    }
}
