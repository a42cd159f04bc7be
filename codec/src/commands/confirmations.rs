use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow, write_sequence};

/// Where sent messages went: the reply to 101 in the VSR dialect.
///
/// ```text
/// [count u32][confirmation]*
/// ```
/// An empty body is a success too: the server knew the batch already. From
/// `iggy_binary_protocol` 0.11.0, `responses/messages/send_messages.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmations {
    /// One for each partition written to; one in every known version.
    pub confirmations: Vec<Confirmation>,
}

/// Where the messages of one partition went.
///
/// ```text
/// [stream_id u32][topic_id u32][partition_id u32][base_offset u64]
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confirmation {
    /// The stream's number.
    pub stream_id: u32,
    /// The topic's number.
    pub topic_id: u32,
    /// The partition.
    pub partition_id: u32,
    /// The offset of the first message.
    pub base_offset: u64,
}

impl Decode for Confirmations {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, count) = reader::u32("confirmations count", input)?;
        let (rest, confirmations) = reader::repeated(count, rest, Confirmation::parse)?;
        Ok((rest, Self { confirmations }))
    }
}

impl Encode for Confirmations {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("confirmations_count", narrow(self.confirmations.len()));
        write_sequence("confirmations", "confirmation", &self.confirmations, writer);
    }
}

impl Decode for Confirmation {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream_id) = reader::u32("stream id", input)?;
        let (rest, topic_id) = reader::u32("topic id", rest)?;
        let (rest, partition_id) = reader::u32("partition id", rest)?;
        let (rest, base_offset) = reader::u64("base offset", rest)?;
        let value = Self {
            stream_id,
            topic_id,
            partition_id,
            base_offset,
        };
        Ok((rest, value))
    }
}

impl Encode for Confirmation {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("stream_id", self.stream_id);
        writer.u32("topic_id", self.topic_id);
        writer.u32("partition_id", self.partition_id);
        writer.u64("base_offset", self.base_offset);
    }
}
