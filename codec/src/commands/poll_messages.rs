use bytes::Bytes;

use crate::decode::{Decode, DecodeShared, finish};
use crate::error::DecodeError;
use crate::messages::{Message, parse_messages, write_messages};
use crate::primitives::{Consumer, Identifier, PollingStrategy, parse_partition, write_partition};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Asks for messages, code 100.
///
/// ```text
/// [consumer][stream][topic][partition flag u8][partition u32]
/// [strategy u8][value u64][count u32][auto_commit u8]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/messages/poll_messages.rs`;
/// servers 0.6 to 0.8.
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
    /// From where to read.
    pub strategy: PollingStrategy,
    /// The most messages wanted. The Rust SDK refuses 0 with 4009 and does not send
    /// it; server 0.8.0 answers it with no message.
    pub count: u32,
    /// Whether the server stores the last offset served as consumed.
    pub auto_commit: bool,
}

impl Decode for PollMessages {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, consumer) = Consumer::parse(input)?;
        let (rest, stream) = Identifier::parse(rest)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, partition_id) = parse_partition(rest)?;
        let (rest, strategy) = PollingStrategy::parse(rest)?;
        let (rest, count) = reader::u32("count", rest)?;
        let (rest, auto_commit) = reader::u8("auto_commit", rest)?;
        let poll = Self {
            consumer,
            stream,
            topic,
            partition_id,
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
        write_partition(self.partition_id, writer);
        self.strategy.write(writer);
        writer.u32("count", self.count);
        writer.flag("auto_commit", self.auto_commit);
    }
}

/// The answer to a poll.
///
/// ```text
/// [partition_id u32][current_offset u64][count u32][message]*
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/messages/poll_messages.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolledMessages {
    /// The partition that was read. 0 also stands for "none assigned" on
    /// servers up to 0.8 (case B4).
    pub partition_id: u32,
    /// The partition's last offset; 0 for an empty one too.
    pub current_offset: u64,
    /// Messages that follow, as the server counts them.
    pub count: u32,
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
    pub fn decode_leniently(body: &Bytes) -> Result<(Self, Option<DecodeError>), DecodeError> {
        let prefix = |input| {
            let (rest, partition_id) = reader::u32("partition", input)?;
            let (rest, current_offset) = reader::u64("current offset", rest)?;
            let (rest, count) = reader::u32("count", rest)?;
            Ok((rest, (partition_id, current_offset, count)))
        };
        let (rest, (partition_id, current_offset, count)) =
            prefix(body.as_ref()).map_err(|error| finish(error, body.len()))?;
        let (messages, failure) = parse_messages(body, rest);
        let left = failure.as_ref().map_or(0, |_| {
            let read: usize = messages.iter().map(Message::encoded_length).sum();
            rest.len() - read
        });
        let reply = Self {
            partition_id,
            current_offset,
            count,
            messages,
            left_over: body.slice(body.len() - left..),
        };
        let mismatch = failure.map(|failure| failure.at(body.len())).or_else(|| {
            let decoded = reply.messages.len();
            (decoded != reader::widen(count)).then(|| DecodeError {
                what: "messages",
                at: body.len(),
                fault: crate::error::Fault::CountMismatch {
                    announced: count,
                    decoded,
                },
            })
        });
        Ok((reply, mismatch))
    }
}

impl DecodeShared for PolledMessages {
    fn decode_shared(body: &Bytes) -> Result<Self, DecodeError> {
        match Self::decode_leniently(body)? {
            (reply, None) => Ok(reply),
            (_, Some(error)) => Err(error),
        }
    }
}

impl Encode for PolledMessages {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("partition_id", self.partition_id);
        writer.u64("current_offset", self.current_offset);
        writer.u32("count", self.count);
        write_messages(&self.messages, writer);
        if !self.left_over.is_empty() {
            writer.bytes("left_over", &self.left_over);
        }
    }
}
