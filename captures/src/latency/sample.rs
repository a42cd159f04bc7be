//! What a latency belongs to.

use jiff::Timestamp;
use parallax_codec::Request;
use parallax_codec::primitives::{Identifier, PollingKind};

use crate::connection::ConnectionId;
use crate::exchange::{Content, Exchange};

/// When a latency was, and what it belongs to. Borrows: recording makes nothing.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// When the request's first byte passed.
    pub at: Timestamp,
    /// The command's name.
    pub command: &'a str,
    /// The strategy, of a poll.
    pub strategy: Option<PollingKind>,
    /// The stream, where the request names one.
    pub stream: Option<&'a Identifier>,
    /// The connection, where it is known.
    pub conn: Option<ConnectionId>,
}

impl<'a> Sample<'a> {
    /// Of an exchange.
    pub fn of(exchange: &'a Exchange, command: &'a str) -> Self {
        let request = match &exchange.content {
            Content::Binary(content) => content.request.as_ref(),
            Content::Http(_) | Content::Unsolicited(_) => None,
        };
        Self {
            strategy: request.and_then(strategy),
            stream: request.and_then(stream),
            conn: Some(exchange.conn),
            ..Self::at(exchange.times.request_first, command)
        }
    }

    /// Of which only time and command are known.
    pub const fn at(at: Timestamp, command: &'a str) -> Self {
        Self {
            at,
            command,
            strategy: None,
            stream: None,
            conn: None,
        }
    }
}

fn strategy(request: &Request) -> Option<PollingKind> {
    match request {
        Request::PollMessages(r) | Request::PollMessagesOnPrimary(r) => Some(r.strategy.kind),
        _ => None,
    }
}

/// The stream that a request names by number or name. Those that make one do not.
fn stream(request: &Request) -> Option<&Identifier> {
    Some(match request {
        Request::PollMessages(r)
        | Request::PollMessagesOnPrimary(r)
        | Request::GetPollRouting(r) => &r.stream,
        Request::SendMessages(r) => &r.stream,
        Request::FlushUnsavedBuffer(r) => &r.stream,
        Request::GetConsumerOffset(r) | Request::GetConsumerOffsetRouting(r) => &r.stream,
        Request::StoreConsumerOffset(r) => &r.stream,
        Request::DeleteConsumerOffset(r) => &r.stream,
        Request::GetStream(r)
        | Request::DeleteStream(r)
        | Request::PurgeStream(r)
        | Request::GetTopics(r) => &r.stream,
        Request::UpdateStream(r) => &r.stream,
        Request::GetTopic(r)
        | Request::DeleteTopic(r)
        | Request::PurgeTopic(r)
        | Request::GetConsumerGroups(r) => &r.stream,
        Request::CreateTopic(r) => &r.stream,
        Request::CreateTopicWithOptions(r) => &r.stream,
        Request::UpdateTopic(r) => &r.stream,
        Request::UpdateTopicWithOptions(r) => &r.stream,
        Request::CreatePartitions(r) | Request::DeletePartitions(r) => &r.stream,
        Request::DeleteSegments(r) => &r.stream,
        Request::GetConsumerGroup(r)
        | Request::DeleteConsumerGroup(r)
        | Request::JoinConsumerGroup(r)
        | Request::LeaveConsumerGroup(r)
        | Request::SyncConsumerGroup(r) => &r.stream,
        Request::CreateConsumerGroup(r) => &r.stream,
        _ => return None,
    })
}
