use super::topics::Topic;
use crate::decode::Decode;
use crate::dialect::{DecodeIn, Dialect};
use crate::primitives::{Identifier, Options};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, write_sequence};

/// Names a stream: get (200), delete (203), purge (205), and the topics of a
/// stream (301).
///
/// ```text
/// [stream]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/streams/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamRef {
    /// The stream.
    pub stream: Identifier,
}

impl Decode for StreamRef {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let value = Self { stream };
        Ok((rest, value))
    }
}

impl Encode for StreamRef {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
    }
}

/// Creates a stream, code 202. The reply is the [`Stream`].
///
/// ```text
/// [name length u8][name]               classic
/// [name length u8][name][option]*      VSR
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0, `requests/streams/create_stream.rs`.
/// Servers before 0.6: [`CreateStreamWithId`](super::CreateStreamWithId).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateStream {
    /// Its name, 1 to 255 bytes.
    pub name: String,
    /// Its settings; `None` in the classic dialect.
    pub options: Option<Options>,
}

impl DecodeIn for CreateStream {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, name) = reader::name("name", input)?;
        let (rest, options) = Options::parse_to_end(dialect, rest)?;
        let value = Self { name, options };
        Ok((rest, value))
    }
}

impl Encode for CreateStream {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u8("name_length", "name", &self.name);
        Options::write_to_end(self.options.as_ref(), writer);
    }
}

/// Renames a stream, code 204. The reply has no body.
///
/// ```text
/// [stream][name length u8][name]               classic
/// [stream][name length u8][name][option]*      VSR
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0, `requests/streams/update_stream.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateStream {
    /// The stream.
    pub stream: Identifier,
    /// Its new name, 1 to 255 bytes.
    pub name: String,
    /// Settings to change; `None` in the classic dialect.
    pub options: Option<Options>,
}

impl DecodeIn for UpdateStream {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, name) = reader::name("name", rest)?;
        let (rest, options) = Options::parse_to_end(dialect, rest)?;
        let value = Self {
            stream,
            name,
            options,
        };
        Ok((rest, value))
    }
}

impl Encode for UpdateStream {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        writer.text_u8("name_length", "name", &self.name);
        Options::write_to_end(self.options.as_ref(), writer);
    }
}

/// A stream, as it stands in replies.
///
/// ```text
/// [id u32][created_at u64][topics_count u32][size_bytes u64][messages_count u64]
/// [name length u8][name]
/// [options length u32][option]*      VSR
/// ```
/// From `iggy_binary_protocol` 0.10.0 and 0.11.0, `responses/streams/stream_response.rs`.
/// VSR servers before 0.9.0-edge.4 have the classic layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Its number.
    pub id: u32,
    /// When it was made, in microseconds since 1970.
    pub created_at: u64,
    /// How many topics it has.
    pub topics_count: u32,
    /// Size of its messages, in bytes.
    pub size_bytes: u64,
    /// How many messages it holds.
    pub messages_count: u64,
    /// Its name.
    pub name: String,
    /// Its settings; `None` in the classic layout.
    pub options: Option<Options>,
}

impl DecodeIn for Stream {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, id) = reader::u32("stream id", input)?;
        let (rest, created_at) = reader::u64("created at", rest)?;
        let (rest, topics_count) = reader::u32("topics count", rest)?;
        let (rest, size_bytes) = reader::u64("size bytes", rest)?;
        let (rest, messages_count) = reader::u64("messages count", rest)?;
        let (rest, name) = reader::name("stream name", rest)?;
        let (rest, options) = Options::parse_sized(dialect, rest)?;
        let value = Self {
            id,
            created_at,
            topics_count,
            size_bytes,
            messages_count,
            name,
            options,
        };
        Ok((rest, value))
    }
}

impl Encode for Stream {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("id", self.id);
        writer.u64("created_at", self.created_at);
        writer.u32("topics_count", self.topics_count);
        writer.u64("size_bytes", self.size_bytes);
        writer.u64("messages_count", self.messages_count);
        writer.text_u8("name_length", "name", &self.name);
        Options::write_sized(self.options.as_ref(), writer);
    }
}

/// A stream and its topics: the reply to 200.
///
/// ```text
/// [stream][topic]*
/// ```
/// There are `topics_count` topics. From `iggy_binary_protocol` 0.10.0, `responses/streams/get_stream.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamDetails {
    /// The stream.
    pub stream: Stream,
    /// Its topics.
    pub topics: Vec<Topic>,
}

impl DecodeIn for StreamDetails {
    fn parse_in(dialect: Dialect, input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Stream::parse_in(dialect, input)?;
        let topic = |input| Topic::parse_in(dialect, input);
        let (rest, topics) = reader::repeated(stream.topics_count, rest, topic)?;
        Ok((rest, Self { stream, topics }))
    }
}

impl Encode for StreamDetails {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write(writer);
        write_sequence("topics", "topic", &self.topics, writer);
    }
}
