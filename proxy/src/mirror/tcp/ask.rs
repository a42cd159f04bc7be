//! The only requests that parallax sends on a TCP connection of its own, logins
//! aside. They are made here and nowhere else: a poll as a consumer of its own that
//! names its partition, never commits and never asks for Next; a look at a stored
//! offset.

use parallax_captures::poll::Poll;
use parallax_codec::Request;
use parallax_codec::commands::{GetConsumerOffset, PollMessages};
use parallax_codec::primitives::{
    Consumer, ConsumerKind, PartitionLayout, PollingKind, PollingStrategy,
};

/// The poll on the wire, and the partition that it names.
///
/// # Errors
/// It is not one that may be sent.
pub(super) fn poll_request(poll: &Poll, layout: PartitionLayout) -> Result<(Request, u32), String> {
    let (Some(partition_id), ConsumerKind::Consumer) = (poll.partition_id, poll.consumer_kind)
    else {
        return Err("parallax polls as a consumer and names a partition".to_owned());
    };
    if poll.strategy == PollingKind::Next {
        return Err("parallax does not poll Next".to_owned());
    }
    let request = Request::PollMessages(PollMessages {
        consumer: Consumer {
            kind: ConsumerKind::Consumer,
            id: poll.consumer.clone(),
        },
        stream: poll.stream.clone(),
        topic: poll.topic.clone(),
        partition_id: Some(partition_id),
        partition_layout: layout,
        strategy: PollingStrategy {
            kind: poll.strategy,
            value: poll.value,
        },
        count: poll.count,
        auto_commit: false,
    });
    Ok((request, partition_id))
}

/// The question for the offset that is stored for whoever polled. Servers 0.8.0 and
/// 0.9.0-edge.5 tell a group's to anybody who may read the topic, member or not.
pub(super) fn offset_of(poll: &Poll) -> GetConsumerOffset {
    GetConsumerOffset {
        consumer: Consumer {
            kind: poll.consumer_kind,
            id: poll.consumer.clone(),
        },
        stream: poll.stream.clone(),
        topic: poll.topic.clone(),
        partition_id: None,
        partition_layout: PartitionLayout::default(),
    }
}

/// The question on the wire, of this partition.
pub(super) fn offset_request(
    question: &GetConsumerOffset,
    partition_id: u32,
    layout: PartitionLayout,
) -> Request {
    Request::GetConsumerOffset(GetConsumerOffset {
        partition_id: Some(partition_id),
        partition_layout: layout,
        ..question.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::sample::poll;

    const LAYOUT: PartitionLayout = PartitionLayout::Flagged;

    #[test]
    fn what_is_sent_commits_nothing_and_is_no_groups_poll_and_no_next() {
        for kind in PollingKind::ALL {
            for consumer in [ConsumerKind::Consumer, ConsumerKind::Group] {
                for partition_id in [None, Some(2)] {
                    // The sample commits.
                    let made = poll_request(&poll(consumer, partition_id, kind), LAYOUT);
                    let is_harmless = consumer == ConsumerKind::Consumer
                        && partition_id.is_some()
                        && kind != PollingKind::Next;
                    assert_eq!(made.is_ok(), is_harmless, "{made:?}");
                    if let Ok((Request::PollMessages(request), _)) = made {
                        assert!(!request.auto_commit);
                    }
                }
            }
        }
    }
}
