//! What a request does to a server.

use crate::primitives::ConsumerKind;
use crate::request::Request;

/// Whether a request changes what others see of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It asks, or concerns its own connection alone: a login, a ping.
    Reads,
    /// It changes something: this, as half a sentence.
    Writes(&'static str),
}

impl Request {
    /// What it does to a server. What is not known may change something.
    pub fn effect(&self) -> Effect {
        use Effect::{Reads, Writes};
        match self {
            Self::Ping
            | Self::GetStats
            | Self::GetSnapshot(_)
            | Self::GetClusterMetadata
            | Self::DescribeOptions(_)
            | Self::GetMe
            | Self::GetClient(_)
            | Self::GetClients
            | Self::GetUser(_)
            | Self::GetUsers
            | Self::LoginUser(_)
            | Self::LogoutUser
            | Self::LoginRegister(_)
            | Self::GetPersonalAccessTokens
            | Self::LoginWithPersonalAccessToken(_)
            | Self::LoginRegisterWithPat(_)
            | Self::GetPollRouting(_)
            | Self::GetConsumerOffset(_)
            | Self::GetConsumerOffsetRouting(_)
            | Self::GetStream(_)
            | Self::GetStreams
            | Self::GetTopic(_)
            | Self::GetTopics(_)
            | Self::GetConsumerGroup(_)
            | Self::GetConsumerGroups(_) => Reads,
            Self::PollMessages(poll) | Self::PollMessagesOnPrimary(poll) => {
                match (poll.consumer.kind, poll.auto_commit) {
                    (_, true) => Writes("it commits what it brings (auto_commit)"),
                    (ConsumerKind::Group, false) => {
                        Writes("a group's poll moves on which partition is next")
                    }
                    (ConsumerKind::Consumer, false) => Reads,
                }
            }
            Self::AttachConsumerSession(_) => Writes("it acts for the session of another client"),
            Self::SendMessages(_) => Writes("it appends messages"),
            Self::FlushUnsavedBuffer(_) => Writes("it writes messages to disk"),
            Self::StoreConsumerOffset(_) | Self::DeleteConsumerOffset(_) => {
                Writes("it changes a stored offset")
            }
            Self::JoinConsumerGroup(_)
            | Self::LeaveConsumerGroup(_)
            | Self::SyncConsumerGroup(_) => Writes("it changes who has which partition of a group"),
            Self::CreateUser(_)
            | Self::DeleteUser(_)
            | Self::UpdateUser(_)
            | Self::UpdatePermissions(_)
            | Self::ChangePassword(_) => Writes("it changes a user"),
            Self::CreatePersonalAccessToken(_) | Self::DeletePersonalAccessToken(_) => {
                Writes("it changes the user's tokens")
            }
            Self::CreateStream(_)
            | Self::CreateStreamWithId(_)
            | Self::DeleteStream(_)
            | Self::UpdateStream(_) => Writes("it changes a stream"),
            Self::CreateTopic(_)
            | Self::CreateTopicWithId(_)
            | Self::CreateTopicWithOptions(_)
            | Self::DeleteTopic(_)
            | Self::UpdateTopic(_)
            | Self::UpdateTopicWithOptions(_)
            | Self::CreatePartitions(_)
            | Self::DeletePartitions(_) => Writes("it changes a topic"),
            Self::PurgeStream(_) | Self::PurgeTopic(_) | Self::DeleteSegments(_) => {
                Writes("it deletes messages")
            }
            Self::CreateConsumerGroup(_)
            | Self::CreateConsumerGroupWithId(_)
            | Self::DeleteConsumerGroup(_) => Writes("it changes a group"),
            Self::Other { .. } => Writes("what it does is not known"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::PollMessages;
    use crate::primitives::{Consumer, Identifier, PartitionLayout, PollingKind, PollingStrategy};

    fn poll(kind: ConsumerKind, auto_commit: bool) -> Request {
        let one = || Identifier::Numeric(1);
        Request::PollMessages(PollMessages {
            consumer: Consumer { kind, id: one() },
            stream: one(),
            topic: one(),
            partition_id: Some(0),
            partition_layout: PartitionLayout::Flagged,
            strategy: PollingStrategy {
                kind: PollingKind::Next,
                value: 0,
            },
            count: 1,
            auto_commit,
        })
    }

    #[test]
    fn a_poll_reads_unless_it_commits_or_is_a_groups() {
        assert_eq!(poll(ConsumerKind::Consumer, false).effect(), Effect::Reads);
        for writes in [
            poll(ConsumerKind::Consumer, true),
            poll(ConsumerKind::Group, false),
            poll(ConsumerKind::Group, true),
        ] {
            assert!(matches!(writes.effect(), Effect::Writes(_)), "{writes:?}");
        }
    }

    #[test]
    fn a_command_that_is_not_known_may_write() {
        let body = crate::Opaque(bytes::Bytes::new());
        let other = Request::Other { code: 9_999, body };
        assert!(matches!(other.effect(), Effect::Writes(_)));
    }
}
