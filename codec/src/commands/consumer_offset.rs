use crate::decode::Decode;
use crate::dialect::{DecodeIn, Dialect};
use crate::primitives::{
    Ack, Consumer, Identifier, PartitionLayout, parse_partition, write_partition,
};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Asks for a consumer's stored offset, code 120; in the VSR dialect also 123,
/// where it is to be stored.
///
/// ```text
/// [consumer][stream][topic][partition flag u8][partition u32]
/// ```
/// The reply is [`ConsumerOffset`], or an empty body when none is stored (case
/// D7). From `iggy_binary_protocol` 0.10.0 and 0.11.0, `requests/consumer_offsets/`.
/// Servers before 0.6 have no partition flag: see [`PartitionLayout`].
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
    /// How the partition stands on the wire.
    pub partition_layout: PartitionLayout,
}

/// Stores an offset as the last one consumed, code 121. The reply has no body.
///
/// ```text
/// [consumer][stream][topic][partition flag u8][partition u32][offset u64]
/// [ack u8]                                     VSR, servers from 0.9.0-edge.5
/// ```
/// Next then begins at `offset + 1` (case A9). VSR servers before 0.9.0-edge.5 have
/// a command of its own for the form with an ack (tags server-0.8.2-edge.1 to
/// server-0.9.0-edge.4, `store_consumer_offset_2.rs`; see
/// [`Operation`](crate::vsr::Operation)). The length of the body tells the two apart.
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
    /// How the partition stands on the wire.
    pub partition_layout: PartitionLayout,
    /// The last offset consumed.
    pub offset: u64,
    /// When the server is to answer, where the request says it.
    pub ack: Option<Ack>,
}

/// Forgets a stored offset, code 122: the only way back to the start. The reply
/// has no body. The layout is that of [`GetConsumerOffset`], with an [`Ack`] at its
/// end where [`StoreConsumerOffset`] has one.
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
    /// How the partition stands on the wire.
    pub partition_layout: PartitionLayout,
    /// When the server is to answer, where the request says it.
    pub ack: Option<Ack>,
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

/// What all three requests begin with.
struct Key {
    consumer: Consumer,
    stream: Identifier,
    topic: Identifier,
    partition_id: Option<u32>,
    partition_layout: PartitionLayout,
}

/// The key, in the classic dialect `after` bytes before the end of the body.
fn parse_key(dialect: Dialect, input: &[u8], after: usize) -> Parsed<'_, Key> {
    let (rest, consumer) = Consumer::parse(input)?;
    let (rest, stream) = Identifier::parse(rest)?;
    let (rest, topic) = Identifier::parse(rest)?;
    let (rest, (partition_layout, partition_id)) = parse_partition(dialect, rest, after)?;
    let key = Key {
        consumer,
        stream,
        topic,
        partition_id,
        partition_layout,
    };
    Ok((rest, key))
}

fn parse_ack(dialect: Dialect, input: &[u8]) -> Parsed<'_, Option<Ack>> {
    if dialect == Dialect::Classic || input.is_empty() {
        return Ok((input, None));
    }
    let (rest, ack) = Ack::parse(input)?;
    Ok((rest, Some(ack)))
}

fn write_key(
    (consumer, stream, topic): (&Consumer, &Identifier, &Identifier),
    (layout, partition_id): (PartitionLayout, Option<u32>),
    writer: &mut impl Writer,
) {
    consumer.write(writer);
    stream.write_as("stream", writer);
    topic.write_as("topic", writer);
    write_partition(layout, partition_id, writer);
}

impl DecodeIn for GetConsumerOffset {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, key) = parse_key(dialect, input, 0)?;
        let request = Self {
            consumer: key.consumer,
            stream: key.stream,
            topic: key.topic,
            partition_id: key.partition_id,
            partition_layout: key.partition_layout,
        };
        Ok((rest, request))
    }
}

impl Encode for GetConsumerOffset {
    fn write(&self, writer: &mut impl Writer) {
        let partition = (self.partition_layout, self.partition_id);
        write_key(
            (&self.consumer, &self.stream, &self.topic),
            partition,
            writer,
        );
    }
}

impl DecodeIn for StoreConsumerOffset {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, key) = parse_key(dialect, input, 8)?;
        let (rest, offset) = reader::u64("offset", rest)?;
        let (rest, ack) = parse_ack(dialect, rest)?;
        let request = Self {
            consumer: key.consumer,
            stream: key.stream,
            topic: key.topic,
            partition_id: key.partition_id,
            partition_layout: key.partition_layout,
            offset,
            ack,
        };
        Ok((rest, request))
    }
}

impl Encode for StoreConsumerOffset {
    fn write(&self, writer: &mut impl Writer) {
        let partition = (self.partition_layout, self.partition_id);
        write_key(
            (&self.consumer, &self.stream, &self.topic),
            partition,
            writer,
        );
        writer.u64("offset", self.offset);
        Ack::write_optional(self.ack, writer);
    }
}

impl DecodeIn for DeleteConsumerOffset {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, key) = parse_key(dialect, input, 0)?;
        let (rest, ack) = parse_ack(dialect, rest)?;
        let request = Self {
            consumer: key.consumer,
            stream: key.stream,
            topic: key.topic,
            partition_id: key.partition_id,
            partition_layout: key.partition_layout,
            ack,
        };
        Ok((rest, request))
    }
}

impl Encode for DeleteConsumerOffset {
    fn write(&self, writer: &mut impl Writer) {
        let partition = (self.partition_layout, self.partition_id);
        write_key(
            (&self.consumer, &self.stream, &self.topic),
            partition,
            writer,
        );
        Ack::write_optional(self.ack, writer);
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
        writer.partition("partition_id", self.partition_id);
        writer.u64("current_offset", self.current_offset);
        writer.u64("stored_offset", self.stored_offset);
    }
}
