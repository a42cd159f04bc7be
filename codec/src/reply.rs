use bytes::Bytes;

use crate::command::code;
use crate::commands::{
    Client, ClientDetails, ClusterMetadata, ConsumerGroup, ConsumerGroupDetails, ConsumerOffset,
    Identity, PersonalAccessToken, PolledMessages, RawPersonalAccessToken, Stats, Stream,
    StreamDetails, Topic, TopicDetails, User, UserDetails,
};
use crate::decode::{Decode, decode_sequence};
use crate::error::DecodeError;
use crate::field::{Field, fields_of};
use crate::opaque::Opaque;
use crate::secrets::reply_may_carry_secrets;
use crate::writer::{Encode, Writer, write_sequence};

/// The body of a reply whose status is 0, by the command it answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// No body: done, or for a question "there is none" (case D7).
    Empty,
    /// To 10.
    Stats(Box<Stats>),
    /// To 11: a ZIP file.
    Snapshot(Opaque),
    /// To 12.
    ClusterMetadata(ClusterMetadata),
    /// To 20 and 21.
    Client(ClientDetails),
    /// To 22.
    Clients(Vec<Client>),
    /// To 31 and 33.
    User(UserDetails),
    /// To 32.
    Users(Vec<User>),
    /// To 38 and 44.
    Identity(Identity),
    /// To 41.
    PersonalAccessTokens(Vec<PersonalAccessToken>),
    /// To 42.
    RawPersonalAccessToken(RawPersonalAccessToken),
    /// To 100.
    PolledMessages(PolledMessages),
    /// To 120.
    ConsumerOffset(ConsumerOffset),
    /// To 200.
    Stream(StreamDetails),
    /// To 202: the new stream, without topics.
    CreatedStream(Stream),
    /// To 201.
    Streams(Vec<Stream>),
    /// To 300 and 302.
    Topic(TopicDetails),
    /// To 301.
    Topics(Vec<Topic>),
    /// To 600 and 602.
    ConsumerGroup(ConsumerGroupDetails),
    /// To 601.
    ConsumerGroups(Vec<ConsumerGroup>),
    /// To a command that this crate knows by its code at most, or whose reply has
    /// no body in any known version.
    Other {
        /// The code of the command.
        code: u32,
        /// The body as it came.
        body: Opaque,
    },
}

impl Reply {
    /// Reads the body of a reply to the command with this code. Of a poll reply
    /// whose messages do not fill it, what could be read is returned together
    /// with what was wrong.
    ///
    /// # Errors
    /// Where and why the body could not be read at all.
    pub fn decode(code: u32, body: &Bytes) -> Result<(Self, Option<DecodeError>), DecodeError> {
        if body.is_empty() {
            return Ok((Self::Empty, None));
        }
        if code == code::POLL_MESSAGES {
            let (reply, fault) = PolledMessages::decode_leniently(body)?;
            return Ok((Self::PolledMessages(reply), fault));
        }
        let reply = match code {
            code::GET_STATS => Self::Stats(Box::new(Decode::decode_all(body)?)),
            code::GET_SNAPSHOT_FILE => Self::Snapshot(Opaque(body.clone())),
            code::GET_CLUSTER_METADATA => Self::ClusterMetadata(Decode::decode_all(body)?),
            code::GET_ME | code::GET_CLIENT => Self::Client(Decode::decode_all(body)?),
            code::GET_CLIENTS => Self::Clients(decode_sequence(body)?),
            code::GET_USER | code::CREATE_USER => Self::User(Decode::decode_all(body)?),
            code::GET_USERS => Self::Users(decode_sequence(body)?),
            code::LOGIN_USER | code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN => {
                Self::Identity(Decode::decode_all(body)?)
            }
            code::GET_PERSONAL_ACCESS_TOKENS => Self::PersonalAccessTokens(decode_sequence(body)?),
            code::CREATE_PERSONAL_ACCESS_TOKEN => {
                Self::RawPersonalAccessToken(Decode::decode_all(body)?)
            }
            code::GET_CONSUMER_OFFSET => Self::ConsumerOffset(Decode::decode_all(body)?),
            code::GET_STREAM => Self::Stream(Decode::decode_all(body)?),
            code::CREATE_STREAM => Self::CreatedStream(Decode::decode_all(body)?),
            code::GET_STREAMS => Self::Streams(decode_sequence(body)?),
            code::GET_TOPIC | code::CREATE_TOPIC => Self::Topic(Decode::decode_all(body)?),
            code::GET_TOPICS => Self::Topics(decode_sequence(body)?),
            code::GET_CONSUMER_GROUP | code::CREATE_CONSUMER_GROUP => {
                Self::ConsumerGroup(Decode::decode_all(body)?)
            }
            code::GET_CONSUMER_GROUPS => Self::ConsumerGroups(decode_sequence(body)?),
            _ => Self::Other {
                code,
                body: Opaque(body.clone()),
            },
        };
        Ok((reply, None))
    }

    /// The fields of the body, their ranges counted from `start`.
    pub fn fields(&self, start: usize) -> Vec<Field> {
        fields_of(self, start)
    }
}

impl Encode for Reply {
    fn write(&self, writer: &mut impl Writer) {
        match self {
            Self::Empty => {}
            Self::Stats(reply) => reply.write(writer),
            // The configuration may be in it, and that may hold keys.
            Self::Snapshot(archive) => archive.write_as("archive", true, writer),
            Self::ClusterMetadata(reply) => reply.write(writer),
            Self::Client(reply) => reply.write(writer),
            Self::Clients(clients) => write_sequence("clients", "client", clients, writer),
            Self::User(reply) => reply.write(writer),
            Self::Users(users) => write_sequence("users", "user", users, writer),
            Self::Identity(reply) => reply.write(writer),
            Self::PersonalAccessTokens(tokens) => write_sequence("tokens", "token", tokens, writer),
            Self::RawPersonalAccessToken(reply) => reply.write(writer),
            Self::PolledMessages(reply) => reply.write(writer),
            Self::ConsumerOffset(reply) => reply.write(writer),
            Self::Stream(reply) => reply.write(writer),
            Self::CreatedStream(reply) => reply.write(writer),
            Self::Streams(streams) => write_sequence("streams", "stream", streams, writer),
            Self::Topic(reply) => reply.write(writer),
            Self::Topics(topics) => write_sequence("topics", "topic", topics, writer),
            Self::ConsumerGroup(reply) => reply.write(writer),
            Self::ConsumerGroups(groups) => write_sequence("groups", "group", groups, writer),
            Self::Other { code, body } => {
                body.write_as("body", reply_may_carry_secrets(*code), writer);
            }
        }
    }
}
