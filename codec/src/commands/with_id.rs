//! What clients ask of servers before 0.6, which let them choose the number of what
//! they create; 0 leaves it to the server.
//!
//! From tag server-0.5.0, `core/common/src/commands/`; tag server-0.6.0 has the number
//! no more. Nothing but the length of the name, which must end with the body, tells the
//! two apart.

use super::{CreateConsumerGroup, CreateTopic};
use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::primitives::Identifier;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Creates a stream, code 202, servers before 0.6.
///
/// ```text
/// [id u32][name length u8][name]
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateStreamWithId {
    /// The number that it is to have, 1 to 16,777,215; 0 for the server's choice.
    pub id: u32,
    /// Its name, 1 to 255 bytes.
    pub name: String,
}

impl Decode for CreateStreamWithId {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, id) = chosen_id(input)?;
        let (rest, name) = reader::name("name", rest)?;
        Ok((rest, Self { id, name }))
    }
}

impl Encode for CreateStreamWithId {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("id", self.id);
        writer.text_u8("name_length", "name", &self.name);
    }
}

/// Creates a topic, code 302, servers before 0.6.
///
/// ```text
/// [stream][id u32][partitions_count u32][compression u8][message_expiry u64]
/// [max_topic_size u64][replication_factor u8][name length u8][name]
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateTopicWithId {
    /// The number that it is to have, 1 to 16,777,215; 0 for the server's choice.
    pub id: u32,
    /// The rest.
    pub topic: CreateTopic,
}

impl Decode for CreateTopicWithId {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, id) = chosen_id(rest)?;
        let (rest, topic) = CreateTopic::parse_settings(stream, rest)?;
        if !matches!(topic.compression_algorithm, 1 | 2) {
            let fault = Fault::UnknownKind(topic.compression_algorithm.into());
            return Err(Failure::fail("compression algorithm", input, fault));
        }
        Ok((rest, Self { id, topic }))
    }
}

impl Encode for CreateTopicWithId {
    fn write(&self, writer: &mut impl Writer) {
        self.topic.stream.write_as("stream", writer);
        writer.u32("id", self.id);
        self.topic.write_settings(writer);
    }
}

/// Creates a consumer group, code 602, servers before 0.6.
///
/// ```text
/// [stream][topic][id u32][name length u8][name]
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateConsumerGroupWithId {
    /// The number that it is to have, 1 to 16,777,215; 0 for the server's choice.
    pub id: u32,
    /// The rest.
    pub group: CreateConsumerGroup,
}

impl Decode for CreateConsumerGroupWithId {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, id) = chosen_id(rest)?;
        let (rest, name) = reader::name("name", rest)?;
        let group = CreateConsumerGroup {
            stream,
            topic,
            name,
        };
        Ok((rest, Self { id, group }))
    }
}

impl Encode for CreateConsumerGroupWithId {
    fn write(&self, writer: &mut impl Writer) {
        self.group.stream.write_as("stream", writer);
        self.group.topic.write_as("topic", writer);
        writer.u32("id", self.id);
        writer.text_u8("name_length", "name", &self.group.name);
    }
}

/// The number. One that is above what 3 bytes hold is not believed: those 4 bytes are
/// the length and the first letters of a name.
fn chosen_id(input: &[u8]) -> Parsed<'_, u32> {
    let (rest, id) = reader::u32("id", input)?;
    if id > MAX_CHOSEN_ID {
        return Err(Failure::fail("id", input, Fault::WrongLength(id.into())));
    }
    Ok((rest, id))
}

pub(crate) const MAX_CHOSEN_ID: u32 = (1 << 24) - 1;
