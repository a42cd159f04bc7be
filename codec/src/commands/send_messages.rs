use bytes::Bytes;

use crate::decode::{Decode, finish};
use crate::dialect::Dialect;
use crate::error::{DecodeError, Failure, Fault};
use crate::messages::{HeaderLayout, Message, MessageLayout, read_sent, write_messages};
use crate::primitives::{Identifier, Partitioning};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow};

/// Appends messages to a topic, code 101. The reply has no body in the classic
/// dialect, and [`Confirmations`](super::Confirmations) in VSR.
///
/// ```text
/// [metadata length u32]
/// [stream][topic][partitioning][count u32]    the metadata
///
/// [index: 0 u32, end u32, 0 u64] * count      end: bytes up to and with this message
/// [message] * count                           classic, and VSR before 0.9.0-edge.5
///
/// [batch record]                              VSR from 0.9.0-edge.5
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0,
/// `requests/messages/send_messages.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendMessages {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// How the partition is chosen.
    pub partitioning: Partitioning,
    /// How they are laid out.
    pub layout: MessageLayout,
    /// The messages; offset and timestamp are the server's to give.
    pub messages: Vec<Message>,
}

struct Metadata {
    stream: Identifier,
    topic: Identifier,
    partitioning: Partitioning,
    count: u32,
}

impl Decode for Metadata {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, _) = reader::u32("metadata length", input)?;
        let (rest, stream) = Identifier::parse(rest)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, partitioning) = Partitioning::parse(rest)?;
        let (rest, count) = reader::u32("count", rest)?;
        let metadata = Self {
            stream,
            topic,
            partitioning,
            count,
        };
        Ok((rest, metadata))
    }
}

impl SendMessages {
    /// Reads a request that is the whole of `body`; payloads stay slices of it.
    ///
    /// # Errors
    /// Where and why reading stopped, or how many bytes were left over.
    pub fn decode(dialect: Dialect, body: &Bytes) -> Result<Self, DecodeError> {
        let (rest, metadata) = Metadata::parse(body).map_err(|error| finish(error, body.len()))?;
        let read = read_sent(dialect, metadata.count, body, rest);
        if let Some(failure) = read.failure {
            return Err(failure.at(body.len()));
        }
        if read.messages.len() != reader::widen(metadata.count) {
            let fault = Fault::CountMismatch {
                announced: metadata.count,
                decoded: read.messages.len(),
            };
            return Err(Failure::new("messages", &[], fault).at(body.len()));
        }
        Ok(Self {
            stream: metadata.stream,
            topic: metadata.topic,
            partitioning: metadata.partitioning,
            layout: read.layout,
            messages: read.messages,
        })
    }

    /// The index that precedes messages with headers of their own.
    fn write_index(&self, layout: HeaderLayout, writer: &mut impl Writer) {
        writer.list("index", |w| {
            let mut end = 0;
            for message in &self.messages {
                end += message.length_in(layout);
                w.group("entry", |w| {
                    w.u32("zero", 0);
                    w.u32("end", narrow(end));
                    w.u64("zero", 0);
                });
            }
        });
    }

    fn write_metadata(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        self.partitioning.write(writer);
        writer.u32("count", narrow(self.messages.len()));
    }
}

/// The metadata alone, to learn its length.
struct MetadataOf<'a>(&'a SendMessages);

impl Encode for MetadataOf<'_> {
    fn write(&self, writer: &mut impl Writer) {
        self.0.write_metadata(writer);
    }
}

impl Encode for SendMessages {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("metadata_length", narrow(MetadataOf(self).encode().len()));
        self.write_metadata(writer);
        match self.layout.headers() {
            Some(HeaderLayout::Batches) => {}
            Some(layout) => self.write_index(layout, writer),
            None => self.write_index(HeaderLayout::Headers64, writer),
        }
        write_messages(&self.layout, &self.messages, writer);
    }
}
