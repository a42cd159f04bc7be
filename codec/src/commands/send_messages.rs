use bytes::Bytes;

use crate::decode::{Decode, DecodeShared, finish};
use crate::error::{DecodeError, Failure, Fault};
use crate::messages::{Message, parse_messages, write_messages};
use crate::primitives::{Identifier, Partitioning};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow};

/// Appends messages to a topic, code 101. The reply has no body.
///
/// ```text
/// [metadata length u32]
/// [stream][topic][partitioning][count u32]    the metadata
/// [index: 0 u32, end u32, 0 u64] * count      end: bytes up to and with this message
/// [message] * count
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/messages/send_messages.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendMessages {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// How the partition is chosen.
    pub partitioning: Partitioning,
    /// The messages; offset, timestamp and checksum are the server's to give.
    pub messages: Vec<Message>,
}

const INDEX_SIZE: usize = 16;

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
        let index = reader::widen(count).saturating_mul(INDEX_SIZE);
        let (rest, _) = reader::bytes("message index", index, rest)?;
        let metadata = Self {
            stream,
            topic,
            partitioning,
            count,
        };
        Ok((rest, metadata))
    }
}

impl DecodeShared for SendMessages {
    fn decode_shared(body: &Bytes) -> Result<Self, DecodeError> {
        let (rest, metadata) = Metadata::parse(body).map_err(|error| finish(error, body.len()))?;
        let (messages, failure) = parse_messages(body, rest);
        if let Some(failure) = failure {
            return Err(failure.at(body.len()));
        }
        if messages.len() != reader::widen(metadata.count) {
            let fault = Fault::CountMismatch {
                announced: metadata.count,
                decoded: messages.len(),
            };
            return Err(Failure::new("messages", &[], fault).at(body.len()));
        }
        Ok(Self {
            stream: metadata.stream,
            topic: metadata.topic,
            partitioning: metadata.partitioning,
            messages,
        })
    }
}

impl SendMessages {
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
        writer.list("index", |w| {
            let mut end = 0;
            for message in &self.messages {
                end += message.encoded_length();
                w.group("entry", |w| {
                    w.u32("zero", 0);
                    w.u32("end", narrow(end));
                    w.u64("zero", 0);
                });
            }
        });
        write_messages(&self.messages, writer);
    }
}
