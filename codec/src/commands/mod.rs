//! One file per command or small family: request, reply, layout.

mod clients;
mod cluster;
mod consumer_groups;
mod consumer_offset;
mod flush;
mod login;
mod partitions;
mod poll_messages;
mod segments;
mod send_messages;
mod snapshot;
mod stats;
mod streams;
mod tokens;
mod topics;
mod users;

pub use clients::{Client, ClientDetails, GetClient, GroupMembership};
pub use cluster::{ClusterMetadata, ClusterNode};
pub use consumer_groups::{
    ConsumerGroup, ConsumerGroupDetails, ConsumerGroupMember, CreateConsumerGroup, GroupRef,
};
pub use consumer_offset::{
    ConsumerOffset, DeleteConsumerOffset, GetConsumerOffset, StoreConsumerOffset,
};
pub use flush::FlushUnsavedBuffer;
pub use login::{Identity, LoginUser, LoginWithPersonalAccessToken};
pub use partitions::ChangePartitions;
pub use poll_messages::{PollMessages, PolledMessages};
pub use segments::DeleteSegments;
pub use send_messages::SendMessages;
pub use snapshot::GetSnapshot;
pub use stats::{CacheMetric, Stats};
pub use streams::{CreateStream, Stream, StreamDetails, StreamRef, UpdateStream};
pub use tokens::{
    CreatePersonalAccessToken, DeletePersonalAccessToken, PersonalAccessToken,
    RawPersonalAccessToken,
};
pub use topics::{CreateTopic, Partition, Topic, TopicDetails, TopicRef, UpdateTopic};
pub use users::{
    ChangePassword, CreateUser, UpdatePermissions, UpdateUser, User, UserDetails, UserRef,
};
