use crate::decode::Decode;
use crate::primitives::{Identifier, Options};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Creates a topic, code 302 in the VSR dialect. The reply is
/// [`TopicDetails`](super::TopicDetails).
///
/// ```text
/// [stream][partitions_count u32][name length u8][name][option]*
/// ```
/// What the classic [`CreateTopic`](super::CreateTopic) has fields for are options
/// here: `compression_algorithm`, `message_expiry`, `max_topic_size`, and others;
/// code 13 asks for all. From `iggy_binary_protocol` 0.11.0,
/// `requests/topics/create_topic.rs`; servers from 0.9.0-edge.4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTopicWithOptions {
    /// The stream.
    pub stream: Identifier,
    /// How many partitions it is to have.
    pub partitions_count: u32,
    /// Its name, 1 to 255 bytes.
    pub name: String,
    /// Its settings; the server's defaults for those left out.
    pub options: Options,
}

impl Decode for CreateTopicWithOptions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, partitions_count) = reader::u32("partitions count", rest)?;
        let (rest, name) = reader::name("name", rest)?;
        let value = Self {
            stream,
            partitions_count,
            name,
            options: Options::of(rest)?,
        };
        Ok((&[], value))
    }
}

impl Encode for CreateTopicWithOptions {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        writer.u32("partitions_count", self.partitions_count);
        writer.text_u8("name_length", "name", &self.name);
        Options::write_to_end(Some(&self.options), writer);
    }
}

/// Changes a topic, code 304 in the VSR dialect. The reply has no body.
///
/// ```text
/// [stream][topic][name length u8][name][option]*
/// ```
/// Options that are left out stay as they are. From `iggy_binary_protocol` 0.11.0,
/// `requests/topics/update_topic.rs`; servers from 0.9.0-edge.4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateTopicWithOptions {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// Its new name, 1 to 255 bytes.
    pub name: String,
    /// Settings to change.
    pub options: Options,
}

impl Decode for UpdateTopicWithOptions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, name) = reader::name("name", rest)?;
        let value = Self {
            stream,
            topic,
            name,
            options: Options::of(rest)?,
        };
        Ok((&[], value))
    }
}

impl Encode for UpdateTopicWithOptions {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        writer.text_u8("name_length", "name", &self.name);
        Options::write_to_end(Some(&self.options), writer);
    }
}
