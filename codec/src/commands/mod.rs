//! One file per command or small family: request, reply, layout.

mod assignment;
pub(crate) mod clients;
pub(crate) mod cluster;
mod confirmations;
mod consumer_groups;
mod consumer_offset;
pub(crate) mod describe_options;
mod flush;
mod login;
mod login_register;
mod partitions;
mod poll_messages;
mod poll_routing;
mod segments;
mod send_messages;
pub(crate) mod snapshot;
pub(crate) mod stats;
mod streams;
mod tokens;
pub(crate) mod topics;
mod topics_with_options;
pub(crate) mod users;
pub(crate) mod with_id;

pub use assignment::Assignment;
pub use clients::{Client, ClientDetails, GetClient, GroupMembership};
pub use cluster::{ClusterMetadata, ClusterNode};
pub use confirmations::{Confirmation, Confirmations};
pub use consumer_groups::{
    ConsumerGroup, ConsumerGroupDetails, ConsumerGroupMember, CreateConsumerGroup, GroupRef,
};
pub use consumer_offset::{
    ConsumerOffset, DeleteConsumerOffset, GetConsumerOffset, StoreConsumerOffset,
};
pub use describe_options::{DescribeOptions, OptionCatalog, OptionDescriptor};
pub use flush::FlushUnsavedBuffer;
pub use login::{Identity, LoginUser, LoginWithPersonalAccessToken};
pub use login_register::{ClientVersion, LoginRegister, LoginRegisterWithPat, Session};
pub use partitions::ChangePartitions;
pub use poll_messages::{PollMessages, PolledMessages};
pub use poll_routing::{AttachConsumerSession, PollRouting};
pub use segments::DeleteSegments;
pub use send_messages::SendMessages;
pub use snapshot::GetSnapshot;
pub use stats::{CacheMetric, Resources, Stats};
pub use streams::{CreateStream, Stream, StreamDetails, StreamRef, UpdateStream};
pub use tokens::{
    CreatePersonalAccessToken, DeletePersonalAccessToken, PersonalAccessToken,
    RawPersonalAccessToken,
};
pub use topics::{
    CreateTopic, Partition, Topic, TopicDetails, TopicOptions, TopicRef, UpdateTopic,
};
pub use topics_with_options::{CreateTopicWithOptions, UpdateTopicWithOptions};
pub use users::{
    ChangePassword, CreateUser, UpdatePermissions, UpdateUser, User, UserDetails, UserRef,
};
pub use with_id::{CreateConsumerGroupWithId, CreateStreamWithId, CreateTopicWithId};
