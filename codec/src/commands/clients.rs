use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, write_sequence};

/// Asks about a connected client, code 21. The reply is [`ClientDetails`], or an
/// empty body when there is none.
///
/// ```text
/// [client_id u32]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/system/get_client.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetClient {
    /// The client's number.
    pub client_id: u32,
}

impl Decode for GetClient {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, client_id) = reader::u32("client id", input)?;
        let value = Self { client_id };
        Ok((rest, value))
    }
}

impl Encode for GetClient {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("client_id", self.client_id);
    }
}

/// A connected client, as it stands in replies.
///
/// ```text
/// [client_id u32][user_id u32][transport u8][address length u32][address]
/// [consumer_groups_count u32]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/clients/client_response.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its number.
    pub client_id: u32,
    /// Who has logged in; before a login `u32::MAX`, with servers before 0.6 (tag
    /// server-0.5.0, `mapper.rs`) 0.
    pub user_id: u32,
    /// 1 TCP, 2 QUIC, 3 HTTP, 4 WebSocket.
    pub transport: u8,
    /// Where it connects from, `ip:port`.
    pub address: String,
    /// How many groups it has joined.
    pub consumer_groups_count: u32,
}

impl Decode for Client {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, client_id) = reader::u32("client id", input)?;
        let (rest, user_id) = reader::u32("user id", rest)?;
        let (rest, transport) = reader::u8("transport", rest)?;
        let (rest, address) = reader::text_u32("address", rest)?;
        let (rest, consumer_groups_count) = reader::u32("consumer groups count", rest)?;
        let value = Self {
            client_id,
            user_id,
            transport,
            address,
            consumer_groups_count,
        };
        Ok((rest, value))
    }
}

impl Encode for Client {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("client_id", self.client_id);
        match self.user_id {
            u32::MAX => writer.meaning("user_id", u32::MAX, "nobody yet"),
            id => writer.u32("user_id", id),
        }
        writer.kind("transport", self.transport, transport_name(self.transport));
        writer.text_u32("address_length", "address", &self.address);
        writer.u32("consumer_groups_count", self.consumer_groups_count);
    }
}

/// A group that a client has joined.
///
/// ```text
/// [stream_id u32][topic_id u32][group_id u32]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/clients/client_response.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupMembership {
    /// The stream's number.
    pub stream_id: u32,
    /// The topic's number.
    pub topic_id: u32,
    /// The group's number.
    pub group_id: u32,
}

impl Decode for GroupMembership {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream_id) = reader::u32("stream id", input)?;
        let (rest, topic_id) = reader::u32("topic id", rest)?;
        let (rest, group_id) = reader::u32("group id", rest)?;
        let value = Self {
            stream_id,
            topic_id,
            group_id,
        };
        Ok((rest, value))
    }
}

impl Encode for GroupMembership {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("stream_id", self.stream_id);
        writer.u32("topic_id", self.topic_id);
        writer.u32("group_id", self.group_id);
    }
}

/// A client and its groups: the reply to 20 and 21.
///
/// ```text
/// [client][membership]*
/// ```
/// There are `consumer_groups_count` memberships. From `iggy_binary_protocol` 0.10.0, `responses/clients/get_client.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientDetails {
    /// The client.
    pub client: Client,
    /// The groups it has joined.
    pub consumer_groups: Vec<GroupMembership>,
}

impl Decode for ClientDetails {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, client) = Client::parse(input)?;
        let count = client.consumer_groups_count;
        let (rest, consumer_groups) = reader::repeated(count, rest, GroupMembership::parse)?;
        let details = Self {
            client,
            consumer_groups,
        };
        Ok((rest, details))
    }
}

impl Encode for ClientDetails {
    fn write(&self, writer: &mut impl Writer) {
        self.client.write(writer);
        write_sequence(
            "consumer_groups",
            "membership",
            &self.consumer_groups,
            writer,
        );
    }
}

pub(crate) const fn transport_name(number: u8) -> &'static str {
    match number {
        1 => "tcp",
        2 => "quic",
        3 => "http",
        4 => "websocket",
        _ => "unknown",
    }
}
