use bytes::Bytes;

use crate::decode::{Decode, finish};
use crate::dialect::{DecodeIn, Dialect};
use crate::error::{DecodeError, Fault};
use crate::messages::{Message, MessageLayout, read_polled, write_messages};
use crate::primitives::{
    Consumer, Identifier, PartitionLayout, PollingStrategy, parse_partition, write_partition,
};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Asks for messages, code 100; in the VSR dialect also 103, where they are to be
/// had, and 104, of the server that is the partition's primary.
///
/// ```text
/// [consumer][stream][topic][partition flag u8][partition u32]
/// [strategy u8][value u64][count u32][auto_commit u8]
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0,
/// `requests/messages/poll_messages.rs`. Servers before 0.6 have no partition flag:
/// see [`PartitionLayout`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PollMessages {
    /// Who asks.
    pub consumer: Consumer,
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The partition; `None` leaves it to the server: partition 0 for a
    /// consumer, the next of its own for a member of a group.
    pub partition_id: Option<u32>,
    /// How the partition stands on the wire.
    pub partition_layout: PartitionLayout,
    /// From where to read.
    pub strategy: PollingStrategy,
    /// The most messages wanted. The Rust SDK refuses 0 with 4009 and does not send
    /// it; server 0.8.0 answers it with no message.
    pub count: u32,
    /// Whether the server stores the last offset served as consumed.
    pub auto_commit: bool,
}

/// Bytes of strategy, value, count and `auto_commit`.
const AFTER_PARTITION: usize = 1 + 8 + 4 + 1;

impl DecodeIn for PollMessages {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, consumer) = Consumer::parse(input)?;
        let (rest, stream) = Identifier::parse(rest)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, (partition_layout, partition_id)) =
            parse_partition(dialect, rest, AFTER_PARTITION)?;
        let (rest, strategy) = PollingStrategy::parse(rest)?;
        let (rest, count) = reader::u32("count", rest)?;
        let (rest, auto_commit) = reader::u8("auto_commit", rest)?;
        let poll = Self {
            consumer,
            stream,
            topic,
            partition_id,
            partition_layout,
            strategy,
            count,
            auto_commit: auto_commit != 0,
        };
        Ok((rest, poll))
    }
}

impl Encode for PollMessages {
    fn write(&self, writer: &mut impl Writer) {
        self.consumer.write(writer);
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        write_partition(self.partition_layout, self.partition_id, writer);
        self.strategy.write(writer);
        writer.u32("count", self.count);
        writer.flag("auto_commit", self.auto_commit);
    }
}

/// The answer to a poll.
///
/// ```text
/// [partition_id u32][current_offset u64][count u32][messages]
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0,
/// `responses/messages/poll_messages.rs`. How the messages are laid out depends on
/// the server's version, which the body does not name: see [`MessageLayout`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolledMessages {
    /// The partition that was read. 0 also stands for "none assigned" on
    /// servers up to 0.8 (case B4); two numbers are none:
    /// [`partition_meaning`](crate::primitives::partition_meaning).
    pub partition_id: u32,
    /// The partition's last offset; 0 for an empty one too.
    pub current_offset: u64,
    /// Messages that follow, as the server counts them.
    pub count: u32,
    /// How they are laid out.
    pub layout: MessageLayout,
    /// Messages that could be read.
    pub messages: Vec<Message>,
    /// Bytes after the last readable message; empty in a sound reply.
    pub left_over: Bytes,
}

impl PolledMessages {
    /// Reads a reply even where its messages do not fill the body exactly, with
    /// what was wrong: the bytes are the fact, the client has them already.
    ///
    /// # Errors
    /// Only where the 16 bytes before the messages cannot be read.
    pub fn decode_leniently(
        dialect: Dialect,
        body: &Bytes,
    ) -> Result<(Self, Option<DecodeError>), DecodeError> {
        let prefix = |input| {
            let (rest, partition_id) = reader::u32("partition", input)?;
            let (rest, current_offset) = reader::u64("current offset", rest)?;
            let (rest, count) = reader::u32("count", rest)?;
            Ok((rest, (partition_id, current_offset, count)))
        };
        let (rest, (partition_id, current_offset, count)) =
            prefix(body.as_ref()).map_err(|error| finish(error, body.len()))?;
        let read = read_polled(dialect, count, body, rest);
        let decoded = read.messages.len();
        let fault = read.failure.map(|failure| failure.at(body.len()));
        let mismatch = || {
            (decoded != reader::widen(count)).then(|| DecodeError {
                what: "messages",
                at: body.len(),
                fault: Fault::CountMismatch {
                    announced: count,
                    decoded,
                },
            })
        };
        let reply = Self {
            partition_id,
            current_offset,
            count,
            layout: read.layout,
            messages: read.messages,
            left_over: body.slice(body.len() - read.left..),
        };
        Ok((reply, fault.or_else(mismatch)))
    }
}

impl Encode for PolledMessages {
    fn write(&self, writer: &mut impl Writer) {
        writer.partition("partition_id", self.partition_id);
        writer.u64("current_offset", self.current_offset);
        writer.u32("count", self.count);
        write_messages(&self.layout, &self.messages, writer);
        if !self.left_over.is_empty() {
            writer.bytes("left_over", &self.left_over);
        }
    }
}
