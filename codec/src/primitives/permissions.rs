use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow};

/// What a user may do: everywhere, in single streams, in single topics.
///
/// ```text
/// [global u8 * 10][streams follow u8]
///   [stream_id u32][u8 * 6][topics follow u8]
///     [topic_id u32][u8 * 4][another topic follows u8]
///   [another stream follows u8]
/// ```
/// Every permission is a byte, 0 or 1, in the order of the names below. From
/// `iggy_binary_protocol` 0.10.0, `primitives/permissions.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permissions {
    /// What is granted everywhere, in the order of [`Permissions::GLOBAL`].
    pub global: [bool; 10],
    /// What is granted in single streams.
    pub streams: Vec<StreamPermissions>,
}

/// What a user may do in one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamPermissions {
    /// The stream's number.
    pub stream_id: u32,
    /// What is granted, in the order of [`Permissions::STREAM`].
    pub granted: [bool; 6],
    /// What is granted in single topics.
    pub topics: Vec<TopicPermissions>,
}

/// What a user may do in one topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicPermissions {
    /// The topic's number.
    pub topic_id: u32,
    /// What is granted, in the order of [`Permissions::TOPIC`].
    pub granted: [bool; 4],
}

impl Permissions {
    /// The permissions that hold everywhere.
    pub const GLOBAL: [&'static str; 10] = [
        "manage_servers",
        "read_servers",
        "manage_users",
        "read_users",
        "manage_streams",
        "read_streams",
        "manage_topics",
        "read_topics",
        "poll_messages",
        "send_messages",
    ];
    /// The permissions that hold in a stream.
    pub const STREAM: [&'static str; 6] = [
        "manage_stream",
        "read_stream",
        "manage_topics",
        "read_topics",
        "poll_messages",
        "send_messages",
    ];
    /// The permissions that hold in a topic.
    pub const TOPIC: [&'static str; 4] = [
        "manage_topic",
        "read_topic",
        "poll_messages",
        "send_messages",
    ];

    /// `[length u32][permissions]`.
    pub(crate) fn parse_sized(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, length) = reader::u32("permissions length", input)?;
        let (after, permissions) = Self::parse(rest)?;
        if rest.len() - after.len() != reader::widen(length) {
            let fault = Fault::WrongLength(length.into());
            return Err(Failure::fail("permissions", input, fault));
        }
        Ok((after, permissions))
    }

    /// The bytes that [`Permissions::parse_sized`] reads.
    pub(crate) fn write_sized(&self, writer: &mut impl Writer) {
        writer.u32("permissions_length", narrow(self.encode().len()));
        writer.group("permissions", |w| self.write(w));
    }

    /// `[flag u8]`, followed where it is 1 by `[length u32][permissions]`.
    pub(crate) fn parse_optional(input: &[u8]) -> Parsed<'_, Option<Self>> {
        reader::optional("permissions flag", input, Self::parse_sized)
    }

    /// The bytes that [`Permissions::parse_optional`] reads.
    pub(crate) fn write_optional(permissions: Option<&Self>, writer: &mut impl Writer) {
        writer.flag("permissions_given", permissions.is_some());
        if let Some(permissions) = permissions {
            permissions.write_sized(writer);
        }
    }
}

impl Decode for Permissions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, global) = flags(input)?;
        let (rest, streams) = chain(rest, StreamPermissions::parse)?;
        Ok((rest, Self { global, streams }))
    }
}

impl Encode for Permissions {
    fn write(&self, writer: &mut impl Writer) {
        write_flags(&Self::GLOBAL, &self.global, writer);
        writer.flag("streams_follow", !self.streams.is_empty());
        writer.list("streams", |w| {
            for (index, stream) in self.streams.iter().enumerate() {
                w.group("stream", |w| {
                    stream.write(w);
                    w.flag("another_follows", index + 1 < self.streams.len());
                });
            }
        });
    }
}

impl Decode for StreamPermissions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream_id) = reader::u32("permissions' stream", input)?;
        let (rest, granted) = flags(rest)?;
        let (rest, topics) = chain(rest, TopicPermissions::parse)?;
        let permissions = Self {
            stream_id,
            granted,
            topics,
        };
        Ok((rest, permissions))
    }
}

impl Encode for StreamPermissions {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("stream_id", self.stream_id);
        write_flags(&Permissions::STREAM, &self.granted, writer);
        writer.flag("topics_follow", !self.topics.is_empty());
        writer.list("topics", |w| {
            for (index, topic) in self.topics.iter().enumerate() {
                w.group("topic", |w| {
                    topic.write(w);
                    w.flag("another_follows", index + 1 < self.topics.len());
                });
            }
        });
    }
}

impl Decode for TopicPermissions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, topic_id) = reader::u32("permissions' topic", input)?;
        let (rest, granted) = flags(rest)?;
        Ok((rest, Self { topic_id, granted }))
    }
}

impl Encode for TopicPermissions {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("topic_id", self.topic_id);
        write_flags(&Permissions::TOPIC, &self.granted, writer);
    }
}

fn flags<const N: usize>(mut input: &[u8]) -> Parsed<'_, [bool; N]> {
    let mut granted = [false; N];
    for flag in &mut granted {
        (input, *flag) = reader::flag("permission", input)?;
    }
    Ok((input, granted))
}

fn write_flags(names: &[&'static str], granted: &[bool], writer: &mut impl Writer) {
    for (name, granted) in names.iter().zip(granted) {
        writer.flag(name, *granted);
    }
}

/// `[1 u8][element]` for every element, then `[0 u8]`.
fn chain<'a, T>(
    input: &'a [u8],
    element: impl Fn(&'a [u8]) -> Parsed<'a, T>,
) -> Parsed<'a, Vec<T>> {
    let mut elements = Vec::new();
    let (mut rest, mut more) = reader::flag("permissions follow", input)?;
    while more {
        let (after, value) = element(rest)?;
        elements.push(value);
        (rest, more) = reader::flag("permissions follow", after)?;
    }
    Ok((rest, elements))
}
