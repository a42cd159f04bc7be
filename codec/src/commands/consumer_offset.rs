use crate::decode::Decode;
use crate::primitives::{Consumer, Identifier, parse_partition, write_partition};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Asks for a consumer's stored offset, code 120.
///
/// ```text
/// [consumer][stream][topic][partition flag u8][partition u32]
/// ```
/// The reply is [`ConsumerOffset`], or an empty body when none is stored (case
/// D7). From `iggy_binary_protocol` 0.10.0, `requests/consumer_offsets/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetConsumerOffset {
    /// Whose offset.
    pub consumer: Consumer,
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition, or the server's choice.
    pub partition_id: Option<u32>,
}

/// Stores an offset as the last one consumed, code 121. The reply has no body.
///
/// ```text
/// [consumer][stream][topic][partition flag u8][partition u32][offset u64]
/// ```
/// Next then begins at `offset + 1` (case A9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreConsumerOffset {
    /// Whose offset.
    pub consumer: Consumer,
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition, or the server's choice.
    pub partition_id: Option<u32>,
    /// The last offset consumed.
    pub offset: u64,
}

/// Forgets a stored offset, code 122: the only way back to the start. The reply
/// has no body. The layout is that of [`GetConsumerOffset`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteConsumerOffset {
    /// Whose offset.
    pub consumer: Consumer,
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition, or the server's choice.
    pub partition_id: Option<u32>,
}

/// What is stored for a consumer.
///
/// ```text
/// [partition_id u32][current_offset u64][stored_offset u64]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/consumer_offsets/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumerOffset {
    /// The partition.
    pub partition_id: u32,
    /// The partition's last offset.
    pub current_offset: u64,
    /// The last offset consumed.
    pub stored_offset: u64,
}

type Key = (Consumer, Identifier, Identifier, Option<u32>);

fn parse_key(input: &[u8]) -> Parsed<'_, Key> {
    let (rest, consumer) = Consumer::parse(input)?;
    let (rest, stream) = Identifier::parse(rest)?;
    let (rest, topic) = Identifier::parse(rest)?;
    let (rest, partition_id) = parse_partition(rest)?;
    Ok((rest, (consumer, stream, topic, partition_id)))
}

fn write_key(
    consumer: &Consumer,
    stream: &Identifier,
    topic: &Identifier,
    partition_id: Option<u32>,
    writer: &mut impl Writer,
) {
    consumer.write(writer);
    stream.write_as("stream", writer);
    topic.write_as("topic", writer);
    write_partition(partition_id, writer);
}

impl Decode for GetConsumerOffset {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, (consumer, stream, topic, partition_id)) = parse_key(input)?;
        let request = Self {
            consumer,
            stream,
            topic,
            partition_id,
        };
        Ok((rest, request))
    }
}

impl Encode for GetConsumerOffset {
    fn write(&self, writer: &mut impl Writer) {
        let partition_id = self.partition_id;
        write_key(
            &self.consumer,
            &self.stream,
            &self.topic,
            partition_id,
            writer,
        );
    }
}

impl Decode for StoreConsumerOffset {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, (consumer, stream, topic, partition_id)) = parse_key(input)?;
        let (rest, offset) = reader::u64("offset", rest)?;
        let request = Self {
            consumer,
            stream,
            topic,
            partition_id,
            offset,
        };
        Ok((rest, request))
    }
}

impl Encode for StoreConsumerOffset {
    fn write(&self, writer: &mut impl Writer) {
        let partition_id = self.partition_id;
        write_key(
            &self.consumer,
            &self.stream,
            &self.topic,
            partition_id,
            writer,
        );
        writer.u64("offset", self.offset);
    }
}

impl Decode for DeleteConsumerOffset {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, (consumer, stream, topic, partition_id)) = parse_key(input)?;
        let request = Self {
            consumer,
            stream,
            topic,
            partition_id,
        };
        Ok((rest, request))
    }
}

impl Encode for DeleteConsumerOffset {
    fn write(&self, writer: &mut impl Writer) {
        let partition_id = self.partition_id;
        write_key(
            &self.consumer,
            &self.stream,
            &self.topic,
            partition_id,
            writer,
        );
    }
}

impl Decode for ConsumerOffset {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, partition_id) = reader::u32("partition", input)?;
        let (rest, current_offset) = reader::u64("current offset", rest)?;
        let (rest, stored_offset) = reader::u64("stored offset", rest)?;
        let reply = Self {
            partition_id,
            current_offset,
            stored_offset,
        };
        Ok((rest, reply))
    }
}

impl Encode for ConsumerOffset {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("partition_id", self.partition_id);
        writer.u64("current_offset", self.current_offset);
        writer.u64("stored_offset", self.stored_offset);
    }
}
