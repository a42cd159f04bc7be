use bytes::Bytes;

use crate::command::code;
use crate::commands::{
    ChangePartitions, ChangePassword, CreateConsumerGroup, CreatePersonalAccessToken, CreateStream,
    CreateTopic, CreateUser, DeleteConsumerOffset, DeletePersonalAccessToken, DeleteSegments,
    FlushUnsavedBuffer, GetClient, GetConsumerOffset, GetSnapshot, GroupRef, LoginUser,
    LoginWithPersonalAccessToken, PollMessages, SendMessages, StoreConsumerOffset, StreamRef,
    TopicRef, UpdatePermissions, UpdateStream, UpdateTopic, UpdateUser, UserRef,
};
use crate::decode::{Decode, DecodeShared as _};
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
    /// Code 41. No body.
    GetPersonalAccessTokens,
    /// Code 42.
    CreatePersonalAccessToken(CreatePersonalAccessToken),
    /// Code 43.
    DeletePersonalAccessToken(DeletePersonalAccessToken),
    /// Code 44.
    LoginWithPersonalAccessToken(LoginWithPersonalAccessToken),
    /// Code 100.
    PollMessages(PollMessages),
    /// Code 101.
    SendMessages(SendMessages),
    /// Code 102.
    FlushUnsavedBuffer(FlushUnsavedBuffer),
    /// Code 120.
    GetConsumerOffset(GetConsumerOffset),
    /// Code 121.
    StoreConsumerOffset(StoreConsumerOffset),
    /// Code 122.
    DeleteConsumerOffset(DeleteConsumerOffset),
    /// Code 200.
    GetStream(StreamRef),
    /// Code 201. No body.
    GetStreams,
    /// Code 202.
    CreateStream(CreateStream),
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
    /// Code 302.
    CreateTopic(CreateTopic),
    /// Code 303.
    DeleteTopic(TopicRef),
    /// Code 304.
    UpdateTopic(UpdateTopic),
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
    /// Code 603.
    DeleteConsumerGroup(GroupRef),
    /// Code 604.
    JoinConsumerGroup(GroupRef),
    /// Code 605.
    LeaveConsumerGroup(GroupRef),
    /// A command that this crate knows by its code at most.
    Other {
        /// The code.
        code: u32,
        /// The body as it came.
        body: Opaque,
    },
}

impl Request {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// Where and why the body of a known command could not be read.
    pub fn decode(code: u32, body: &Bytes) -> Result<Self, DecodeError> {
        match code {
            code::PING => bare(body, Self::Ping),
            code::GET_STATS => bare(body, Self::GetStats),
            code::GET_SNAPSHOT_FILE => read(body, Self::GetSnapshot),
            code::GET_CLUSTER_METADATA => bare(body, Self::GetClusterMetadata),
            code::GET_ME => bare(body, Self::GetMe),
            code::GET_CLIENT => read(body, Self::GetClient),
            code::GET_CLIENTS => bare(body, Self::GetClients),
            code::GET_USER => read(body, Self::GetUser),
            code::GET_USERS => bare(body, Self::GetUsers),
            code::CREATE_USER => read(body, Self::CreateUser),
            code::DELETE_USER => read(body, Self::DeleteUser),
            code::UPDATE_USER => read(body, Self::UpdateUser),
            code::UPDATE_PERMISSIONS => read(body, Self::UpdatePermissions),
            code::CHANGE_PASSWORD => read(body, Self::ChangePassword),
            code::LOGIN_USER => read(body, Self::LoginUser),
            code::LOGOUT_USER => bare(body, Self::LogoutUser),
            code::GET_PERSONAL_ACCESS_TOKENS => bare(body, Self::GetPersonalAccessTokens),
            code::CREATE_PERSONAL_ACCESS_TOKEN => read(body, Self::CreatePersonalAccessToken),
            code::DELETE_PERSONAL_ACCESS_TOKEN => read(body, Self::DeletePersonalAccessToken),
            code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN => {
                read(body, Self::LoginWithPersonalAccessToken)
            }
            code::POLL_MESSAGES => read(body, Self::PollMessages),
            code::SEND_MESSAGES => SendMessages::decode_shared(body).map(Self::SendMessages),
            code::FLUSH_UNSAVED_BUFFER => read(body, Self::FlushUnsavedBuffer),
            code::GET_CONSUMER_OFFSET => read(body, Self::GetConsumerOffset),
            code::STORE_CONSUMER_OFFSET => read(body, Self::StoreConsumerOffset),
            code::DELETE_CONSUMER_OFFSET => read(body, Self::DeleteConsumerOffset),
            code::GET_STREAM => read(body, Self::GetStream),
            code::GET_STREAMS => bare(body, Self::GetStreams),
            code::CREATE_STREAM => read(body, Self::CreateStream),
            code::DELETE_STREAM => read(body, Self::DeleteStream),
            code::UPDATE_STREAM => read(body, Self::UpdateStream),
            code::PURGE_STREAM => read(body, Self::PurgeStream),
            code::GET_TOPIC => read(body, Self::GetTopic),
            code::GET_TOPICS => read(body, Self::GetTopics),
            code::CREATE_TOPIC => read(body, Self::CreateTopic),
            code::DELETE_TOPIC => read(body, Self::DeleteTopic),
            code::UPDATE_TOPIC => read(body, Self::UpdateTopic),
            code::PURGE_TOPIC => read(body, Self::PurgeTopic),
            code::CREATE_PARTITIONS => read(body, Self::CreatePartitions),
            code::DELETE_PARTITIONS => read(body, Self::DeletePartitions),
            code::DELETE_SEGMENTS => read(body, Self::DeleteSegments),
            code::GET_CONSUMER_GROUP => read(body, Self::GetConsumerGroup),
            code::GET_CONSUMER_GROUPS => read(body, Self::GetConsumerGroups),
            code::CREATE_CONSUMER_GROUP => read(body, Self::CreateConsumerGroup),
            code::DELETE_CONSUMER_GROUP => read(body, Self::DeleteConsumerGroup),
            code::JOIN_CONSUMER_GROUP => read(body, Self::JoinConsumerGroup),
            code::LEAVE_CONSUMER_GROUP => read(body, Self::LeaveConsumerGroup),
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
            Self::GetPersonalAccessTokens => code::GET_PERSONAL_ACCESS_TOKENS,
            Self::CreatePersonalAccessToken(_) => code::CREATE_PERSONAL_ACCESS_TOKEN,
            Self::DeletePersonalAccessToken(_) => code::DELETE_PERSONAL_ACCESS_TOKEN,
            Self::LoginWithPersonalAccessToken(_) => code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
            Self::PollMessages(_) => code::POLL_MESSAGES,
            Self::SendMessages(_) => code::SEND_MESSAGES,
            Self::FlushUnsavedBuffer(_) => code::FLUSH_UNSAVED_BUFFER,
            Self::GetConsumerOffset(_) => code::GET_CONSUMER_OFFSET,
            Self::StoreConsumerOffset(_) => code::STORE_CONSUMER_OFFSET,
            Self::DeleteConsumerOffset(_) => code::DELETE_CONSUMER_OFFSET,
            Self::GetStream(_) => code::GET_STREAM,
            Self::GetStreams => code::GET_STREAMS,
            Self::CreateStream(_) => code::CREATE_STREAM,
            Self::DeleteStream(_) => code::DELETE_STREAM,
            Self::UpdateStream(_) => code::UPDATE_STREAM,
            Self::PurgeStream(_) => code::PURGE_STREAM,
            Self::GetTopic(_) => code::GET_TOPIC,
            Self::GetTopics(_) => code::GET_TOPICS,
            Self::CreateTopic(_) => code::CREATE_TOPIC,
            Self::DeleteTopic(_) => code::DELETE_TOPIC,
            Self::UpdateTopic(_) => code::UPDATE_TOPIC,
            Self::PurgeTopic(_) => code::PURGE_TOPIC,
            Self::CreatePartitions(_) => code::CREATE_PARTITIONS,
            Self::DeletePartitions(_) => code::DELETE_PARTITIONS,
            Self::DeleteSegments(_) => code::DELETE_SEGMENTS,
            Self::GetConsumerGroup(_) => code::GET_CONSUMER_GROUP,
            Self::GetConsumerGroups(_) => code::GET_CONSUMER_GROUPS,
            Self::CreateConsumerGroup(_) => code::CREATE_CONSUMER_GROUP,
            Self::DeleteConsumerGroup(_) => code::DELETE_CONSUMER_GROUP,
            Self::JoinConsumerGroup(_) => code::JOIN_CONSUMER_GROUP,
            Self::LeaveConsumerGroup(_) => code::LEAVE_CONSUMER_GROUP,
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
            Self::PollMessages(request) => request.write(writer),
            Self::SendMessages(request) => request.write(writer),
            Self::FlushUnsavedBuffer(request) => request.write(writer),
            Self::GetConsumerOffset(request) => request.write(writer),
            Self::StoreConsumerOffset(request) => request.write(writer),
            Self::DeleteConsumerOffset(request) => request.write(writer),
            Self::GetStream(request)
            | Self::DeleteStream(request)
            | Self::PurgeStream(request)
            | Self::GetTopics(request) => request.write(writer),
            Self::CreateStream(request) => request.write(writer),
            Self::UpdateStream(request) => request.write(writer),
            Self::GetTopic(request)
            | Self::DeleteTopic(request)
            | Self::PurgeTopic(request)
            | Self::GetConsumerGroups(request) => request.write(writer),
            Self::CreateTopic(request) => request.write(writer),
            Self::UpdateTopic(request) => request.write(writer),
            Self::CreatePartitions(request) | Self::DeletePartitions(request) => {
                request.write(writer);
            }
            Self::DeleteSegments(request) => request.write(writer),
            Self::GetConsumerGroup(request)
            | Self::DeleteConsumerGroup(request)
            | Self::JoinConsumerGroup(request)
            | Self::LeaveConsumerGroup(request) => request.write(writer),
            Self::CreateConsumerGroup(request) => request.write(writer),
            Self::Other { code, body } => {
                body.write_as("body", request_may_carry_secrets(*code), writer);
            }
        }
    }
}

fn read<T: Decode>(body: &[u8], request: fn(T) -> Request) -> Result<Request, DecodeError> {
    T::decode_all(body).map(request)
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
