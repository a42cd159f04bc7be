use bytes::Bytes;

use crate::command::code;
use crate::commands::{
    Assignment, Client, ClientDetails, ClusterMetadata, Confirmations, ConsumerGroup,
    ConsumerGroupDetails, ConsumerOffset, Identity, OptionCatalog, PersonalAccessToken,
    PollRouting, PolledMessages, RawPersonalAccessToken, Session, Stats, Stream, StreamDetails,
    Topic, TopicDetails, User, UserDetails,
};
use crate::decode::{Decode, decode_sequence, finish, one_of};
use crate::dialect::{DecodeIn, Dialect};
use crate::error::{DecodeError, Fault};
use crate::field::{Field, fields_of};
use crate::opaque::Opaque;
use crate::reader;
use crate::secrets::reply_may_carry_secrets;
use crate::writer::{Encode, Writer, narrow, write_sequence};

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
    /// To 13.
    Options(OptionCatalog),
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
    /// To 40 and 45.
    Session(Session),
    /// To 41.
    PersonalAccessTokens(Vec<PersonalAccessToken>),
    /// To 42.
    RawPersonalAccessToken(RawPersonalAccessToken),
    /// To 100 and 104.
    PolledMessages(PolledMessages),
    /// To 101, VSR alone.
    Confirmations(Confirmations),
    /// To 103 and 123.
    PollRouting(PollRouting),
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
    /// To 301, classic.
    Topics(Vec<Topic>),
    /// To 301, VSR: their number, a `u32`, precedes them.
    CountedTopics(Vec<Topic>),
    /// To 600 and 602.
    ConsumerGroup(ConsumerGroupDetails),
    /// To 601.
    ConsumerGroups(Vec<ConsumerGroup>),
    /// To 606.
    Assignment(Assignment),
    /// To a command that no known version of the dialect has, or whose reply has no
    /// body in any of them.
    Other {
        /// The code of the command.
        code: u32,
        /// The body as it came.
        body: Opaque,
    },
}

impl Reply {
    /// Reads the body of a reply, in this dialect, to the command with this code.
    /// In the VSR dialect that is what follows the [result
    /// section](crate::vsr::ResultSection). Of a poll reply whose messages do not
    /// fill it, what could be read is returned together with what was wrong.
    ///
    /// VSR servers before 0.9.0-edge.4 lay out streams, topics and users as the
    /// classic ones do: there are no options, a topic has its replication factor, and
    /// nothing counts a list of topics (tags server-0.8.2-edge.1 and
    /// server-0.9.0-edge.3, `responses/`). Such a body is read in the one of the two
    /// layouts that it fits, and is [undetermined](Fault::Undetermined) where it fits
    /// both.
    ///
    /// # Errors
    /// Where and why the body could not be read at all.
    pub fn decode(
        dialect: Dialect,
        code: u32,
        body: &Bytes,
    ) -> Result<(Self, Option<DecodeError>), DecodeError> {
        if body.is_empty() {
            return Ok((Self::Empty, None));
        }
        if matches!(code, code::POLL_MESSAGES | code::POLL_MESSAGES_ON_PRIMARY) {
            let (reply, fault) = PolledMessages::decode_leniently(dialect, body)?;
            return Ok((Self::PolledMessages(reply), fault));
        }
        let reply = match dialect {
            Dialect::Classic => Self::decode_any(dialect, code, body)?,
            Dialect::Vsr if has_older_layout(code) => one_of(Self::decode_vsr(code, body), || {
                Self::decode_any(Dialect::Classic, code, body)
            })?,
            Dialect::Vsr => Self::decode_vsr(code, body)?,
        };
        Ok((reply, None))
    }

    /// Replies that the VSR dialect alone has, or has in a form of its own.
    fn decode_vsr(code: u32, body: &Bytes) -> Result<Self, DecodeError> {
        Ok(match code {
            code::DESCRIBE_OPTIONS => Self::Options(Decode::decode_all(body)?),
            code::LOGIN_REGISTER | code::LOGIN_REGISTER_WITH_PAT => {
                Self::Session(Decode::decode_all(body)?)
            }
            code::SEND_MESSAGES => Self::Confirmations(Decode::decode_all(body)?),
            code::GET_POLL_ROUTING | code::GET_CONSUMER_OFFSET_ROUTING => {
                Self::PollRouting(Decode::decode_all(body)?)
            }
            code::GET_TOPICS => Self::CountedTopics(counted_topics(body)?),
            code::SYNC_CONSUMER_GROUP => Self::Assignment(Decode::decode_all(body)?),
            _ => Self::decode_any(Dialect::Vsr, code, body)?,
        })
    }

    fn decode_any(dialect: Dialect, code: u32, body: &Bytes) -> Result<Self, DecodeError> {
        Ok(match code {
            code::GET_STATS => Self::Stats(Box::new(Decode::decode_all(body)?)),
            code::GET_SNAPSHOT_FILE => Self::Snapshot(Opaque(body.clone())),
            code::GET_CLUSTER_METADATA => Self::ClusterMetadata(Decode::decode_all(body)?),
            code::GET_ME | code::GET_CLIENT => Self::Client(Decode::decode_all(body)?),
            code::GET_CLIENTS => Self::Clients(decode_sequence(body, Client::parse)?),
            code::GET_USER | code::CREATE_USER => Self::User(DecodeIn::decode_in(dialect, body)?),
            code::GET_USERS => Self::Users(decode_sequence(body, |input| {
                User::parse_in(dialect, input)
            })?),
            code::LOGIN_USER | code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN => {
                Self::Identity(Decode::decode_all(body)?)
            }
            code::GET_PERSONAL_ACCESS_TOKENS => {
                Self::PersonalAccessTokens(decode_sequence(body, PersonalAccessToken::parse)?)
            }
            code::CREATE_PERSONAL_ACCESS_TOKEN => {
                Self::RawPersonalAccessToken(Decode::decode_all(body)?)
            }
            code::GET_CONSUMER_OFFSET => Self::ConsumerOffset(Decode::decode_all(body)?),
            code::GET_STREAM => Self::Stream(DecodeIn::decode_in(dialect, body)?),
            code::CREATE_STREAM => Self::CreatedStream(DecodeIn::decode_in(dialect, body)?),
            code::GET_STREAMS => Self::Streams(decode_sequence(body, |input| {
                Stream::parse_in(dialect, input)
            })?),
            code::GET_TOPIC | code::CREATE_TOPIC => {
                Self::Topic(DecodeIn::decode_in(dialect, body)?)
            }
            code::GET_TOPICS => Self::Topics(decode_sequence(body, |input| {
                Topic::parse_in(dialect, input)
            })?),
            code::GET_CONSUMER_GROUP | code::CREATE_CONSUMER_GROUP => {
                Self::ConsumerGroup(Decode::decode_all(body)?)
            }
            code::GET_CONSUMER_GROUPS => {
                Self::ConsumerGroups(decode_sequence(body, ConsumerGroup::parse)?)
            }
            _ => Self::Other {
                code,
                body: Opaque(body.clone()),
            },
        })
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
            Self::Options(reply) => reply.write(writer),
            Self::Client(reply) => reply.write(writer),
            Self::Clients(clients) => write_sequence("clients", "client", clients, writer),
            Self::User(reply) => reply.write(writer),
            Self::Users(users) => write_sequence("users", "user", users, writer),
            Self::Identity(reply) => reply.write(writer),
            Self::Session(reply) => reply.write(writer),
            Self::PersonalAccessTokens(tokens) => write_sequence("tokens", "token", tokens, writer),
            Self::RawPersonalAccessToken(reply) => reply.write(writer),
            Self::PolledMessages(reply) => reply.write(writer),
            Self::Confirmations(reply) => reply.write(writer),
            Self::PollRouting(reply) => reply.write(writer),
            Self::ConsumerOffset(reply) => reply.write(writer),
            Self::Stream(reply) => reply.write(writer),
            Self::CreatedStream(reply) => reply.write(writer),
            Self::Streams(streams) => write_sequence("streams", "stream", streams, writer),
            Self::Topic(reply) => reply.write(writer),
            Self::Topics(topics) => write_sequence("topics", "topic", topics, writer),
            Self::CountedTopics(topics) => {
                writer.u32("topics_count", narrow(topics.len()));
                write_sequence("topics", "topic", topics, writer);
            }
            Self::ConsumerGroup(reply) => reply.write(writer),
            Self::ConsumerGroups(groups) => write_sequence("groups", "group", groups, writer),
            Self::Assignment(reply) => reply.write(writer),
            Self::Other { code, body } => {
                body.write_as("body", reply_may_carry_secrets(*code), writer);
            }
        }
    }
}

/// Whether VSR servers before 0.9.0-edge.4 lay out the reply to this command as the
/// classic ones do, and those since otherwise.
const fn has_older_layout(code: u32) -> bool {
    matches!(
        code,
        code::GET_USER
            | code::GET_USERS
            | code::CREATE_USER
            | code::GET_STREAM
            | code::GET_STREAMS
            | code::CREATE_STREAM
            | code::GET_TOPIC
            | code::GET_TOPICS
            | code::CREATE_TOPIC
    )
}

/// `[count u32][topic]*`, the whole of `body`.
fn counted_topics(body: &[u8]) -> Result<Vec<Topic>, DecodeError> {
    let parse = |input| {
        let (rest, count) = reader::u32("topics count", input)?;
        reader::repeated(count, rest, |input| Topic::parse_in(Dialect::Vsr, input))
    };
    let (rest, topics) = parse(body).map_err(|error| finish(error, body.len()))?;
    match rest.len() {
        0 => Ok(topics),
        left => Err(DecodeError {
            what: "body",
            at: body.len() - left,
            fault: Fault::LeftOver(left),
        }),
    }
}
