use crate::decode::Decode;
use crate::primitives::Identifier;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow, write_sequence};

/// Names a consumer group: get (600), delete (603), join (604), leave (605).
///
/// ```text
/// [stream][topic][group]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/consumer_groups/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRef {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// The consumer group.
    pub group: Identifier,
}

impl Decode for GroupRef {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, group) = Identifier::parse(rest)?;
        let value = Self {
            stream,
            topic,
            group,
        };
        Ok((rest, value))
    }
}

impl Encode for GroupRef {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        self.group.write_as("group", writer);
    }
}

/// Creates a consumer group, code 602. The reply is [`ConsumerGroupDetails`].
///
/// ```text
/// [stream][topic][name length u8][name]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/consumer_groups/create_consumer_group.rs`.
/// Servers before 0.6: [`CreateConsumerGroupWithId`](super::CreateConsumerGroupWithId).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateConsumerGroup {
    /// The stream.
    pub stream: Identifier,
    /// The topic.
    pub topic: Identifier,
    /// Its name, 1 to 255 bytes.
    pub name: String,
}

impl Decode for CreateConsumerGroup {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream) = Identifier::parse(input)?;
        let (rest, topic) = Identifier::parse(rest)?;
        let (rest, name) = reader::name("name", rest)?;
        let value = Self {
            stream,
            topic,
            name,
        };
        Ok((rest, value))
    }
}

impl Encode for CreateConsumerGroup {
    fn write(&self, writer: &mut impl Writer) {
        self.stream.write_as("stream", writer);
        self.topic.write_as("topic", writer);
        writer.text_u8("name_length", "name", &self.name);
    }
}

/// A consumer group, as it stands in replies.
///
/// ```text
/// [id u32][partitions_count u32][members_count u32][name length u8][name]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/consumer_groups/consumer_group_response.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumerGroup {
    /// Its number.
    pub id: u32,
    /// How many partitions its topic has.
    pub partitions_count: u32,
    /// How many clients have joined it.
    pub members_count: u32,
    /// Its name.
    pub name: String,
}

impl Decode for ConsumerGroup {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, id) = reader::u32("group id", input)?;
        let (rest, partitions_count) = reader::u32("partitions count", rest)?;
        let (rest, members_count) = reader::u32("members count", rest)?;
        let (rest, name) = reader::name("group name", rest)?;
        let value = Self {
            id,
            partitions_count,
            members_count,
            name,
        };
        Ok((rest, value))
    }
}

impl Encode for ConsumerGroup {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("id", self.id);
        writer.u32("partitions_count", self.partitions_count);
        writer.u32("members_count", self.members_count);
        writer.text_u8("name_length", "name", &self.name);
    }
}

/// A member of a group and the partitions assigned to it.
///
/// ```text
/// [id u32][partitions_count u32][partition_id u32]*
/// ```
/// There are `partitions_count` ids. From `iggy_binary_protocol` 0.10.0, `responses/consumer_groups/get_consumer_group.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumerGroupMember {
    /// The member's number.
    pub id: u32,
    /// Its partitions.
    pub partitions: Vec<u32>,
}

impl Decode for ConsumerGroupMember {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, id) = reader::u32("member id", input)?;
        let (rest, count) = reader::u32("partitions count", rest)?;
        let partition = |input| reader::u32("partition id", input);
        let (rest, partitions) = reader::repeated(count, rest, partition)?;
        Ok((rest, Self { id, partitions }))
    }
}

impl Encode for ConsumerGroupMember {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("id", self.id);
        writer.u32("partitions_count", narrow(self.partitions.len()));
        writer.list("partitions", |w| {
            for id in &self.partitions {
                w.u32("partition_id", *id);
            }
        });
    }
}

/// A consumer group and its members: the reply to 600 and 602.
///
/// ```text
/// [group][member]*
/// ```
/// There are `members_count` members. From `iggy_binary_protocol` 0.10.0, `responses/consumer_groups/get_consumer_group.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumerGroupDetails {
    /// The group.
    pub group: ConsumerGroup,
    /// Its members.
    pub members: Vec<ConsumerGroupMember>,
}

impl Decode for ConsumerGroupDetails {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, group) = ConsumerGroup::parse(input)?;
        let count = group.members_count;
        let (rest, members) = reader::repeated(count, rest, ConsumerGroupMember::parse)?;
        Ok((rest, Self { group, members }))
    }
}

impl Encode for ConsumerGroupDetails {
    fn write(&self, writer: &mut impl Writer) {
        self.group.write(writer);
        write_sequence("members", "member", &self.members, writer);
    }
}
