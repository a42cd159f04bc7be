use crate::decode::Decode;
use crate::dialect::{DecodeIn, Dialect};
use crate::primitives::{Identifier, Options};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, write_sequence};

/// Names a topic: get (300), delete (303), purge (305), and the groups of a topic
/// (601).
///
/// ```text
/// [stream][topic]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/topics/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicRef {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
}

impl Decode for TopicRef {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let value = Self { stream, topic };
        Ok((rest, value))
    }
}

impl Encode for TopicRef {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
    }
}

/// Creates a topic, code 302 in the classic dialect, and in the VSR dialect with
/// servers before 0.9.0-edge.4 (tag server-0.9.0-edge.3). The reply is
/// [`TopicDetails`]. Servers before 0.6:
/// [`CreateTopicWithId`](super::CreateTopicWithId).
///
/// ```text
/// [stream][partitions_count u32][compression u8][message_expiry u64]
/// [max_topic_size u64][replication_factor u8][name length u8][name]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/topics/create_topic.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTopic {
    /// The stream.
    pub stream: Identifier,
    /// How many partitions it is to have.
    pub partitions_count: u32,
    /// 1 none, 2 gzip.
    pub compression_algorithm: u8,
    /// How long messages are kept, in microseconds; 0 the server's default,
    /// `u64::MAX` for ever.
    pub message_expiry: u64,
    /// In bytes; 0 the server's default, `u64::MAX` without a limit.
    pub max_topic_size: u64,
    /// Copies of each message; 0 the server's default.
    pub replication_factor: u8,
    /// Its name, 1 to 255 bytes.
    pub name: String,
}

impl Decode for CreateTopic {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        Self::parse_settings(stream, rest)
    }
}

impl CreateTopic {
    /// What follows the stream.
    pub(super) fn parse_settings(stream: Identifier, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, partitions_count) = reader::u32("partitions count", input)?;
        let (rest, compression_algorithm) = reader::u8("compression algorithm", rest)?;
        let (rest, message_expiry) = reader::u64("message expiry", rest)?;
        let (rest, max_topic_size) = reader::u64("max topic size", rest)?;
        let (rest, replication_factor) = reader::u8("replication factor", rest)?;
        let (rest, name) = reader::name("name", rest)?;
        let value = Self {
            stream,
            partitions_count,
            compression_algorithm,
            message_expiry,
            max_topic_size,
            replication_factor,
            name,
        };
        Ok((rest, value))
    }

    /// What follows the stream.
    pub(super) fn write_settings(&self, writer: &mut impl Writer) {
        writer.u32("partitions_count", self.partitions_count);
        writer.kind(
            "compression_algorithm",
            self.compression_algorithm,
            compression_name(self.compression_algorithm),
        );
        writer.u64("message_expiry", self.message_expiry);
        writer.u64("max_topic_size", self.max_topic_size);
        writer.u8("replication_factor", self.replication_factor);
        writer.text_u8("name_length", "name", &self.name);
    }
}

impl Encode for CreateTopic {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.write_settings(writer);
    }
}

/// Changes a topic, code 304 in the classic dialect, and in the VSR dialect with
/// servers before 0.9.0-edge.4 (tag server-0.9.0-edge.3). The reply has no body.
///
/// ```text
/// [stream][topic][compression u8][message_expiry u64]
/// [max_topic_size u64][replication_factor u8][name length u8][name]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/topics/update_topic.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateTopic {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// 1 none, 2 gzip.
    pub compression_algorithm: u8,
    /// How long messages are kept, in microseconds; 0 the server's default,
    /// `u64::MAX` for ever.
    pub message_expiry: u64,
    /// In bytes; 0 the server's default, `u64::MAX` without a limit.
    pub max_topic_size: u64,
    /// Copies of each message; 0 the server's default.
    pub replication_factor: u8,
    /// Its new name, 1 to 255 bytes.
    pub name: String,
}

impl Decode for UpdateTopic {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, compression_algorithm) = reader::u8("compression algorithm", rest)?;
        let (rest, message_expiry) = reader::u64("message expiry", rest)?;
        let (rest, max_topic_size) = reader::u64("max topic size", rest)?;
        let (rest, replication_factor) = reader::u8("replication factor", rest)?;
        let (rest, name) = reader::name("name", rest)?;
        let value = Self {
            stream,
            topic,
            compression_algorithm,
            message_expiry,
            max_topic_size,
            replication_factor,
            name,
        };
        Ok((rest, value))
    }
}

impl Encode for UpdateTopic {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        writer.kind(
            "compression_algorithm",
            self.compression_algorithm,
            compression_name(self.compression_algorithm),
        );
        writer.u64("message_expiry", self.message_expiry);
        writer.u64("max_topic_size", self.max_topic_size);
        writer.u8("replication_factor", self.replication_factor);
        writer.text_u8("name_length", "name", &self.name);
    }
}

/// A topic, as it stands in replies.
///
/// ```text
/// [id u32][created_at u64][partitions_count u32][message_expiry u64][compression u8]
/// [max_topic_size u64]
/// [replication_factor u8]                    classic
/// [size_bytes u64][messages_count u64][name length u8][name]
/// [options length u32][option]*              VSR
/// [derived options length u32][option]*      VSR
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0, `responses/streams/get_stream.rs`. VSR
/// servers before 0.9.0-edge.4 have the classic layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its number.
    pub id: u32,
    /// When it was made, in microseconds since 1970.
    pub created_at: u64,
    /// How many partitions it has.
    pub partitions_count: u32,
    /// How long messages are kept, in microseconds; 0 the server's default,
    /// `u64::MAX` for ever.
    pub message_expiry: u64,
    /// 1 none, 2 gzip.
    pub compression_algorithm: u8,
    /// In bytes; 0 the server's default, `u64::MAX` without a limit.
    pub max_topic_size: u64,
    /// Copies of each message, 0 the server's default; `None` in the layout of VSR.
    pub replication_factor: Option<u8>,
    /// Size of its messages, in bytes.
    pub size_bytes: u64,
    /// How many messages it holds.
    pub messages_count: u64,
    /// Its name.
    pub name: String,
    /// Its settings; `None` in the classic layout.
    pub options: Option<TopicOptions>,
}

/// A topic's settings, by who made them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TopicOptions {
    /// Those that a client asked for.
    pub explicit: Options,
    /// Those that the server filled in from its defaults.
    pub derived: Options,
}

impl TopicOptions {
    fn parse(dialect: Dialect, input: &[u8]) -> Parsed<'_, Option<Self>> {
        let (rest, explicit) = Options::parse_sized(dialect, input)?;
        let (rest, derived) = Options::parse_sized(dialect, rest)?;
        let both = explicit.zip(derived);
        Ok((
            rest,
            both.map(|(explicit, derived)| Self { explicit, derived }),
        ))
    }
}

impl DecodeIn for Topic {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, id) = reader::u32("topic id", input)?;
        let (rest, created_at) = reader::u64("created at", rest)?;
        let (rest, partitions_count) = reader::u32("partitions count", rest)?;
        let (rest, message_expiry) = reader::u64("message expiry", rest)?;
        let (rest, compression_algorithm) = reader::u8("compression algorithm", rest)?;
        let (rest, max_topic_size) = reader::u64("max topic size", rest)?;
        let (rest, replication_factor) = match dialect {
            Dialect::Classic => {
                let (rest, factor) = reader::u8("replication factor", rest)?;
                (rest, Some(factor))
            }
            Dialect::Vsr => (rest, None),
        };
        let (rest, size_bytes) = reader::u64("size bytes", rest)?;
        let (rest, messages_count) = reader::u64("messages count", rest)?;
        let (rest, name) = reader::name("topic name", rest)?;
        let (rest, options) = TopicOptions::parse(dialect, rest)?;
        let value = Self {
            id,
            created_at,
            partitions_count,
            message_expiry,
            compression_algorithm,
            max_topic_size,
            replication_factor,
            size_bytes,
            messages_count,
            name,
            options,
        };
        Ok((rest, value))
    }
}

impl Encode for Topic {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("id", self.id);
        writer.u64("created_at", self.created_at);
        writer.u32("partitions_count", self.partitions_count);
        writer.u64("message_expiry", self.message_expiry);
        writer.kind(
            "compression_algorithm",
            self.compression_algorithm,
            compression_name(self.compression_algorithm),
        );
        writer.u64("max_topic_size", self.max_topic_size);
        if let Some(factor) = self.replication_factor {
            writer.u8("replication_factor", factor);
        }
        writer.u64("size_bytes", self.size_bytes);
        writer.u64("messages_count", self.messages_count);
        writer.text_u8("name_length", "name", &self.name);
        if let Some(options) = &self.options {
            let (explicit, derived) = (&options.explicit, &options.derived);
            explicit.write_sized_as("options_length", "options", writer);
            derived.write_sized_as("derived_options_length", "derived_options", writer);
        }
    }
}

/// A partition, as it stands in [`TopicDetails`].
///
/// ```text
/// [id u32][created_at u64][segments_count u32][current_offset u64][size_bytes u64]
/// [messages_count u64]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/topics/get_topic.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Its number; the first is 0 since server 0.6.
    pub id: u32,
    /// When it was made, in microseconds since 1970.
    pub created_at: u64,
    /// How many segment files it has.
    pub segments_count: u32,
    /// Its last offset; 0 for an empty one too.
    pub current_offset: u64,
    /// Size of its messages, in bytes.
    pub size_bytes: u64,
    /// How many messages it holds.
    pub messages_count: u64,
}

impl Decode for Partition {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, id) = reader::u32("partition id", input)?;
        let (rest, created_at) = reader::u64("created at", rest)?;
        let (rest, segments_count) = reader::u32("segments count", rest)?;
        let (rest, current_offset) = reader::u64("current offset", rest)?;
        let (rest, size_bytes) = reader::u64("size bytes", rest)?;
        let (rest, messages_count) = reader::u64("messages count", rest)?;
        let value = Self {
            id,
            created_at,
            segments_count,
            current_offset,
            size_bytes,
            messages_count,
        };
        Ok((rest, value))
    }
}

impl Encode for Partition {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("id", self.id);
        writer.u64("created_at", self.created_at);
        writer.u32("segments_count", self.segments_count);
        writer.u64("current_offset", self.current_offset);
        writer.u64("size_bytes", self.size_bytes);
        writer.u64("messages_count", self.messages_count);
    }
}

/// A topic and its partitions: the reply to 300 and 302.
///
/// ```text
/// [topic][partition]*
/// ```
/// There are `partitions_count` partitions. From `iggy_binary_protocol` 0.10.0, `responses/topics/get_topic.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicDetails {
    /// The topic.
    pub topic: Topic,
    /// Its partitions.
    pub partitions: Vec<Partition>,
}

impl DecodeIn for TopicDetails {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, topic) = Topic::parse_in(dialect, input)?;
        let (rest, partitions) = reader::repeated(topic.partitions_count, rest, Partition::parse)?;
        Ok((rest, Self { topic, partitions }))
    }
}

impl Encode for TopicDetails {
    fn write(&self, writer: &mut impl Writer) {
        self.topic.write(writer);
        write_sequence("partitions", "partition", &self.partitions, writer);
    }
}

pub(crate) const fn compression_name(number: u8) -> &'static str {
    match number {
        1 => "none",
        2 => "gzip",
        _ => "unknown",
    }
}
