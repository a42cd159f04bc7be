use bytes::Bytes;

use crate::command::{Command, code};
use crate::commands::{
    AttachConsumerSession, ChangePartitions, ChangePassword, CreateConsumerGroup,
    CreateConsumerGroupWithId, CreatePersonalAccessToken, CreateStream, CreateStreamWithId,
    CreateTopic, CreateTopicWithId, CreateTopicWithOptions, CreateUser, DeleteConsumerOffset,
    DeletePersonalAccessToken, DeleteSegments, DescribeOptions, FlushUnsavedBuffer, GetClient,
    GetConsumerOffset, GetSnapshot, GroupRef, LoginRegister, LoginRegisterWithPat, LoginUser,
    LoginWithPersonalAccessToken, PollMessages, SendMessages, StoreConsumerOffset, StreamRef,
    TopicRef, UpdatePermissions, UpdateStream, UpdateTopic, UpdateTopicWithOptions, UpdateUser,
    UserRef,
};
use crate::decode::{Decode, one_of};
use crate::dialect::{DecodeIn, Dialect};
use crate::error::{DecodeError, Fault};
use crate::field::{Field, fields_of};
use crate::opaque::Opaque;
use crate::secrets::request_may_carry_secrets;
use crate::writer::{Encode, Writer};

/// A request's body, by its command.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Code 1: is anybody there. No body.
    Ping,
    /// Code 10. No body.
    GetStats,
    /// Code 11.
    GetSnapshot(GetSnapshot),
    /// Code 12. No body.
    GetClusterMetadata,
    /// Code 13, VSR alone.
    DescribeOptions(DescribeOptions),
    /// Code 14, VSR alone.
    AttachConsumerSession(AttachConsumerSession),
    /// Code 20. No body.
    GetMe,
    /// Code 21.
    GetClient(GetClient),
    /// Code 22. No body.
    GetClients,
    /// Code 31.
    GetUser(UserRef),
    /// Code 32. No body.
    GetUsers,
    /// Code 33.
    CreateUser(CreateUser),
    /// Code 34.
    DeleteUser(UserRef),
    /// Code 35.
    UpdateUser(UpdateUser),
    /// Code 36.
    UpdatePermissions(UpdatePermissions),
    /// Code 37.
    ChangePassword(ChangePassword),
    /// Code 38.
    LoginUser(LoginUser),
    /// Code 39. No body.
    LogoutUser,
    /// Code 40, VSR alone.
    LoginRegister(LoginRegister),
    /// Code 41. No body.
    GetPersonalAccessTokens,
    /// Code 42.
    CreatePersonalAccessToken(CreatePersonalAccessToken),
    /// Code 43.
    DeletePersonalAccessToken(DeletePersonalAccessToken),
    /// Code 44.
    LoginWithPersonalAccessToken(LoginWithPersonalAccessToken),
    /// Code 45, VSR alone.
    LoginRegisterWithPat(LoginRegisterWithPat),
    /// Code 100.
    PollMessages(PollMessages),
    /// Code 101.
    SendMessages(SendMessages),
    /// Code 102.
    FlushUnsavedBuffer(FlushUnsavedBuffer),
    /// Code 103, VSR alone: where to poll.
    GetPollRouting(PollMessages),
    /// Code 104, VSR alone.
    PollMessagesOnPrimary(PollMessages),
    /// Code 120.
    GetConsumerOffset(GetConsumerOffset),
    /// Code 121.
    StoreConsumerOffset(StoreConsumerOffset),
    /// Code 122.
    DeleteConsumerOffset(DeleteConsumerOffset),
    /// Code 123, VSR alone: where to store an offset.
    GetConsumerOffsetRouting(GetConsumerOffset),
    /// Code 200.
    GetStream(StreamRef),
    /// Code 201. No body.
    GetStreams,
    /// Code 202.
    CreateStream(CreateStream),
    /// Code 202, classic, to servers before 0.6.
    CreateStreamWithId(CreateStreamWithId),
    /// Code 203.
    DeleteStream(StreamRef),
    /// Code 204.
    UpdateStream(UpdateStream),
    /// Code 205.
    PurgeStream(StreamRef),
    /// Code 300.
    GetTopic(TopicRef),
    /// Code 301.
    GetTopics(StreamRef),
    /// Code 302, classic, and VSR to servers before 0.9.0-edge.4.
    CreateTopic(CreateTopic),
    /// Code 302, classic, to servers before 0.6.
    CreateTopicWithId(CreateTopicWithId),
    /// Code 302, VSR.
    CreateTopicWithOptions(CreateTopicWithOptions),
    /// Code 303.
    DeleteTopic(TopicRef),
    /// Code 304, classic, and VSR to servers before 0.9.0-edge.4.
    UpdateTopic(UpdateTopic),
    /// Code 304, VSR.
    UpdateTopicWithOptions(UpdateTopicWithOptions),
    /// Code 305.
    PurgeTopic(TopicRef),
    /// Code 402.
    CreatePartitions(ChangePartitions),
    /// Code 403.
    DeletePartitions(ChangePartitions),
    /// Code 503.
    DeleteSegments(DeleteSegments),
    /// Code 600.
    GetConsumerGroup(GroupRef),
    /// Code 601.
    GetConsumerGroups(TopicRef),
    /// Code 602.
    CreateConsumerGroup(CreateConsumerGroup),
    /// Code 602, classic, to servers before 0.6.
    CreateConsumerGroupWithId(CreateConsumerGroupWithId),
    /// Code 603.
    DeleteConsumerGroup(GroupRef),
    /// Code 604.
    JoinConsumerGroup(GroupRef),
    /// Code 605.
    LeaveConsumerGroup(GroupRef),
    /// Code 606, VSR alone.
    SyncConsumerGroup(GroupRef),
    /// A command that no known version of the dialect has.
    Other {
        /// The code.
        code: u32,
        /// The body as it came.
        body: Opaque,
    },
}

impl Request {
    /// Reads the body of a request to a server of this dialect. Some have another
    /// layout in older versions, which the bytes tell; where they do not, the body is
    /// [undetermined](Fault::Undetermined).
    ///
    /// # Errors
    /// Where and why the body of a known command could not be read.
    pub fn decode(dialect: Dialect, code: u32, body: &Bytes) -> Result<Self, DecodeError> {
        if !Command::from_code(code).is_some_and(|command| command.is_in(dialect)) {
            return Ok(Self::Other {
                code,
                body: Opaque(body.clone()),
            });
        }
        match code {
            code::PING => bare(body, Self::Ping),
            code::GET_STATS => bare(body, Self::GetStats),
            code::GET_SNAPSHOT_FILE => read(body, Self::GetSnapshot),
            code::GET_CLUSTER_METADATA => bare(body, Self::GetClusterMetadata),
            code::DESCRIBE_OPTIONS => read(body, Self::DescribeOptions),
            code::ATTACH_CONSUMER_SESSION => read(body, Self::AttachConsumerSession),
            code::GET_ME => bare(body, Self::GetMe),
            code::GET_CLIENT => read(body, Self::GetClient),
            code::GET_CLIENTS => bare(body, Self::GetClients),
            code::GET_USER => read(body, Self::GetUser),
            code::GET_USERS => bare(body, Self::GetUsers),
            code::CREATE_USER => read_in(dialect, body, Self::CreateUser),
            code::DELETE_USER => read(body, Self::DeleteUser),
            code::UPDATE_USER => read_in(dialect, body, Self::UpdateUser),
            code::UPDATE_PERMISSIONS => read(body, Self::UpdatePermissions),
            code::CHANGE_PASSWORD => read(body, Self::ChangePassword),
            code::LOGIN_USER => read(body, Self::LoginUser),
            code::LOGOUT_USER => bare(body, Self::LogoutUser),
            code::LOGIN_REGISTER => read(body, Self::LoginRegister),
            code::LOGIN_REGISTER_WITH_PAT => read(body, Self::LoginRegisterWithPat),
            code::GET_PERSONAL_ACCESS_TOKENS => bare(body, Self::GetPersonalAccessTokens),
            code::CREATE_PERSONAL_ACCESS_TOKEN => read(body, Self::CreatePersonalAccessToken),
            code::DELETE_PERSONAL_ACCESS_TOKEN => read(body, Self::DeletePersonalAccessToken),
            code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN => {
                read(body, Self::LoginWithPersonalAccessToken)
            }
            code::POLL_MESSAGES => read_in(dialect, body, Self::PollMessages),
            code::SEND_MESSAGES => SendMessages::decode(dialect, body).map(Self::SendMessages),
            code::FLUSH_UNSAVED_BUFFER => read(body, Self::FlushUnsavedBuffer),
            code::GET_POLL_ROUTING => read_in(dialect, body, Self::GetPollRouting),
            code::POLL_MESSAGES_ON_PRIMARY => read_in(dialect, body, Self::PollMessagesOnPrimary),
            code::GET_CONSUMER_OFFSET => read_in(dialect, body, Self::GetConsumerOffset),
            code::STORE_CONSUMER_OFFSET => read_in(dialect, body, Self::StoreConsumerOffset),
            code::DELETE_CONSUMER_OFFSET => read_in(dialect, body, Self::DeleteConsumerOffset),
            code::GET_CONSUMER_OFFSET_ROUTING => {
                read_in(dialect, body, Self::GetConsumerOffsetRouting)
            }
            code::GET_STREAM => read(body, Self::GetStream),
            code::GET_STREAMS => bare(body, Self::GetStreams),
            code::CREATE_STREAM => match dialect {
                Dialect::Classic => one_of(read_in(dialect, body, Self::CreateStream), || {
                    read(body, Self::CreateStreamWithId)
                }),
                Dialect::Vsr => read_in(dialect, body, Self::CreateStream),
            },
            code::DELETE_STREAM => read(body, Self::DeleteStream),
            code::UPDATE_STREAM => read_in(dialect, body, Self::UpdateStream),
            code::PURGE_STREAM => read(body, Self::PurgeStream),
            code::GET_TOPIC => read(body, Self::GetTopic),
            code::GET_TOPICS => read(body, Self::GetTopics),
            code::CREATE_TOPIC => match dialect {
                Dialect::Classic => one_of(read(body, Self::CreateTopic), || {
                    read(body, Self::CreateTopicWithId)
                }),
                Dialect::Vsr => one_of(read(body, Self::CreateTopicWithOptions), || {
                    read(body, Self::CreateTopic)
                }),
            },
            code::DELETE_TOPIC => read(body, Self::DeleteTopic),
            code::UPDATE_TOPIC => match dialect {
                Dialect::Classic => read(body, Self::UpdateTopic),
                Dialect::Vsr => one_of(read(body, Self::UpdateTopicWithOptions), || {
                    read(body, Self::UpdateTopic)
                }),
            },
            code::PURGE_TOPIC => read(body, Self::PurgeTopic),
            code::CREATE_PARTITIONS => read(body, Self::CreatePartitions),
            code::DELETE_PARTITIONS => read(body, Self::DeletePartitions),
            code::DELETE_SEGMENTS => read(body, Self::DeleteSegments),
            code::GET_CONSUMER_GROUP => read(body, Self::GetConsumerGroup),
            code::GET_CONSUMER_GROUPS => read(body, Self::GetConsumerGroups),
            code::CREATE_CONSUMER_GROUP => match dialect {
                Dialect::Classic => one_of(read(body, Self::CreateConsumerGroup), || {
                    read(body, Self::CreateConsumerGroupWithId)
                }),
                Dialect::Vsr => read(body, Self::CreateConsumerGroup),
            },
            code::DELETE_CONSUMER_GROUP => read(body, Self::DeleteConsumerGroup),
            code::JOIN_CONSUMER_GROUP => read(body, Self::JoinConsumerGroup),
            code::LEAVE_CONSUMER_GROUP => read(body, Self::LeaveConsumerGroup),
            code::SYNC_CONSUMER_GROUP => read(body, Self::SyncConsumerGroup),
            _ => Ok(Self::Other {
                code,
                body: Opaque(body.clone()),
            }),
        }
    }

    /// The command's code.
    pub fn code(&self) -> u32 {
        match self {
            Self::Ping => code::PING,
            Self::GetStats => code::GET_STATS,
            Self::GetSnapshot(_) => code::GET_SNAPSHOT_FILE,
            Self::GetClusterMetadata => code::GET_CLUSTER_METADATA,
            Self::DescribeOptions(_) => code::DESCRIBE_OPTIONS,
            Self::AttachConsumerSession(_) => code::ATTACH_CONSUMER_SESSION,
            Self::GetMe => code::GET_ME,
            Self::GetClient(_) => code::GET_CLIENT,
            Self::GetClients => code::GET_CLIENTS,
            Self::GetUser(_) => code::GET_USER,
            Self::GetUsers => code::GET_USERS,
            Self::CreateUser(_) => code::CREATE_USER,
            Self::DeleteUser(_) => code::DELETE_USER,
            Self::UpdateUser(_) => code::UPDATE_USER,
            Self::UpdatePermissions(_) => code::UPDATE_PERMISSIONS,
            Self::ChangePassword(_) => code::CHANGE_PASSWORD,
            Self::LoginUser(_) => code::LOGIN_USER,
            Self::LogoutUser => code::LOGOUT_USER,
            Self::LoginRegister(_) => code::LOGIN_REGISTER,
            Self::LoginRegisterWithPat(_) => code::LOGIN_REGISTER_WITH_PAT,
            Self::GetPersonalAccessTokens => code::GET_PERSONAL_ACCESS_TOKENS,
            Self::CreatePersonalAccessToken(_) => code::CREATE_PERSONAL_ACCESS_TOKEN,
            Self::DeletePersonalAccessToken(_) => code::DELETE_PERSONAL_ACCESS_TOKEN,
            Self::LoginWithPersonalAccessToken(_) => code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
            Self::PollMessages(_) => code::POLL_MESSAGES,
            Self::SendMessages(_) => code::SEND_MESSAGES,
            Self::FlushUnsavedBuffer(_) => code::FLUSH_UNSAVED_BUFFER,
            Self::GetPollRouting(_) => code::GET_POLL_ROUTING,
            Self::PollMessagesOnPrimary(_) => code::POLL_MESSAGES_ON_PRIMARY,
            Self::GetConsumerOffset(_) => code::GET_CONSUMER_OFFSET,
            Self::StoreConsumerOffset(_) => code::STORE_CONSUMER_OFFSET,
            Self::DeleteConsumerOffset(_) => code::DELETE_CONSUMER_OFFSET,
            Self::GetConsumerOffsetRouting(_) => code::GET_CONSUMER_OFFSET_ROUTING,
            Self::GetStream(_) => code::GET_STREAM,
            Self::GetStreams => code::GET_STREAMS,
            Self::CreateStream(_) | Self::CreateStreamWithId(_) => code::CREATE_STREAM,
            Self::DeleteStream(_) => code::DELETE_STREAM,
            Self::UpdateStream(_) => code::UPDATE_STREAM,
            Self::PurgeStream(_) => code::PURGE_STREAM,
            Self::GetTopic(_) => code::GET_TOPIC,
            Self::GetTopics(_) => code::GET_TOPICS,
            Self::CreateTopic(_) | Self::CreateTopicWithId(_) | Self::CreateTopicWithOptions(_) => {
                code::CREATE_TOPIC
            }
            Self::DeleteTopic(_) => code::DELETE_TOPIC,
            Self::UpdateTopic(_) | Self::UpdateTopicWithOptions(_) => code::UPDATE_TOPIC,
            Self::PurgeTopic(_) => code::PURGE_TOPIC,
            Self::CreatePartitions(_) => code::CREATE_PARTITIONS,
            Self::DeletePartitions(_) => code::DELETE_PARTITIONS,
            Self::DeleteSegments(_) => code::DELETE_SEGMENTS,
            Self::GetConsumerGroup(_) => code::GET_CONSUMER_GROUP,
            Self::GetConsumerGroups(_) => code::GET_CONSUMER_GROUPS,
            Self::CreateConsumerGroup(_) | Self::CreateConsumerGroupWithId(_) => {
                code::CREATE_CONSUMER_GROUP
            }
            Self::DeleteConsumerGroup(_) => code::DELETE_CONSUMER_GROUP,
            Self::JoinConsumerGroup(_) => code::JOIN_CONSUMER_GROUP,
            Self::LeaveConsumerGroup(_) => code::LEAVE_CONSUMER_GROUP,
            Self::SyncConsumerGroup(_) => code::SYNC_CONSUMER_GROUP,
            Self::Other { code, .. } => *code,
        }
    }

    /// The fields of the body, their ranges counted from `start`.
    pub fn fields(&self, start: usize) -> Vec<Field> {
        fields_of(self, start)
    }
}

impl Encode for Request {
    fn write(&self, writer: &mut impl Writer) {
        match self {
            Self::Ping
            | Self::GetStats
            | Self::GetClusterMetadata
            | Self::GetMe
            | Self::GetClients
            | Self::GetUsers
            | Self::LogoutUser
            | Self::GetPersonalAccessTokens
            | Self::GetStreams => {}
            Self::GetSnapshot(request) => request.write(writer),
            Self::DescribeOptions(request) => request.write(writer),
            Self::AttachConsumerSession(request) => request.write(writer),
            Self::LoginRegister(request) => request.write(writer),
            Self::LoginRegisterWithPat(request) => request.write(writer),
            Self::CreateTopicWithOptions(request) => request.write(writer),
            Self::UpdateTopicWithOptions(request) => request.write(writer),
            Self::GetClient(request) => request.write(writer),
            Self::GetUser(request) | Self::DeleteUser(request) => request.write(writer),
            Self::CreateUser(request) => request.write(writer),
            Self::UpdateUser(request) => request.write(writer),
            Self::UpdatePermissions(request) => request.write(writer),
            Self::ChangePassword(request) => request.write(writer),
            Self::LoginUser(request) => request.write(writer),
            Self::CreatePersonalAccessToken(request) => request.write(writer),
            Self::DeletePersonalAccessToken(request) => request.write(writer),
            Self::LoginWithPersonalAccessToken(request) => request.write(writer),
            Self::PollMessages(request)
            | Self::GetPollRouting(request)
            | Self::PollMessagesOnPrimary(request) => request.write(writer),
            Self::SendMessages(request) => request.write(writer),
            Self::FlushUnsavedBuffer(request) => request.write(writer),
            Self::GetConsumerOffset(request) | Self::GetConsumerOffsetRouting(request) => {
                request.write(writer);
            }
            Self::StoreConsumerOffset(request) => request.write(writer),
            Self::DeleteConsumerOffset(request) => request.write(writer),
            Self::GetStream(request)
            | Self::DeleteStream(request)
            | Self::PurgeStream(request)
            | Self::GetTopics(request) => request.write(writer),
            Self::CreateStream(request) => request.write(writer),
            Self::CreateStreamWithId(request) => request.write(writer),
            Self::UpdateStream(request) => request.write(writer),
            Self::GetTopic(request)
            | Self::DeleteTopic(request)
            | Self::PurgeTopic(request)
            | Self::GetConsumerGroups(request) => request.write(writer),
            Self::CreateTopic(request) => request.write(writer),
            Self::CreateTopicWithId(request) => request.write(writer),
            Self::UpdateTopic(request) => request.write(writer),
            Self::CreatePartitions(request) | Self::DeletePartitions(request) => {
                request.write(writer);
            }
            Self::DeleteSegments(request) => request.write(writer),
            Self::GetConsumerGroup(request)
            | Self::DeleteConsumerGroup(request)
            | Self::JoinConsumerGroup(request)
            | Self::LeaveConsumerGroup(request)
            | Self::SyncConsumerGroup(request) => request.write(writer),
            Self::CreateConsumerGroup(request) => request.write(writer),
            Self::CreateConsumerGroupWithId(request) => request.write(writer),
            Self::Other { code, body } => {
                body.write_as("body", request_may_carry_secrets(*code), writer);
            }
        }
    }
}

fn read<T: Decode>(body: &[u8], request: fn(T) -> Request) -> Result<Request, DecodeError> {
    T::decode_all(body).map(request)
}

/// A command whose layout depends on the dialect.
fn read_in<T: DecodeIn>(
    dialect: Dialect,
    body: &[u8],
    request: fn(T) -> Request,
) -> Result<Request, DecodeError> {
    T::decode_in(dialect, body).map(request)
}

/// A command without a body.
fn bare(body: &[u8], request: Request) -> Result<Request, DecodeError> {
    match body.len() {
        0 => Ok(request),
        length => Err(DecodeError {
            what: "body",
            at: 0,
            fault: Fault::LeftOver(length),
        }),
    }
}
