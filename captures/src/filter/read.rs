//! The values of a field in an exchange, equal to those in its JSON. Of the usual
//! fields no JSON is made; of the others that of the request, the response or the
//! comparison alone.

use std::borrow::Cow;

use parallax_codec::messages::Message;
use parallax_codec::primitives::{
    Consumer, ConsumerKind, Identifier, Partitioning, PollingKind, partition_meaning,
};
use parallax_codec::{ErrorCode, Reply, Request};
use serde_json::Value;

use super::field::{Field, FieldKind, Place};
use super::part::{Answered, Asked, OfMessage, Own};
use super::seen::{Seen, Visit};
use crate::exchange::{Content, Exchange};
use crate::finding::FindingCode;
use crate::json;
use crate::layouts::Layout;
use crate::poll::{Poll, PolledMessage};
use crate::route::RouteName;
use crate::verdict::Verdict;

/// Shows every value of `field`: none where the exchange has no such field.
pub(super) fn read(exchange: &Exchange, field: &Field, visit: Visit<'_>) {
    match field.place {
        Place::Own(own) => read_own(exchange, own, visit),
        Place::Request(Some(asked)) if let Some(request) = AskedOf::exchange(exchange) => {
            request.read(asked, visit);
        }
        Place::Response(Some(part)) if let Some(answer) = AnswerOf::exchange(exchange) => {
            answer.read(part, visit);
        }
        Place::Request(_) => within(&json::request(exchange), field.path(), visit),
        Place::Response(_) => within(&json::response(exchange), field.path(), visit),
        Place::Layout => within(&json::layout(Layout::of(exchange)), field.path(), visit),
        Place::Comparison => {
            let verdict = exchange.verdict.as_ref();
            let comparison = verdict.map_or(Value::Null, json::comparison);
            within(&comparison, field.path(), &mut |seen| {
                visit(in_time(field, seen));
            });
        }
    }
}

/// What stands in JSON as a text and is a time.
fn in_time<'a>(field: &Field, seen: Seen<'a>) -> Seen<'a> {
    match seen {
        Seen::Text(text) if field.kind() == FieldKind::Time => {
            text.parse().map_or(seen, Seen::Time)
        }
        seen => seen,
    }
}

/// The values in JSON of what the path's first name stands for.
fn within(value: &Value, path: &str, visit: Visit<'_>) {
    walk(value, path.split_once('.').map(|(_, path)| path), visit);
}

/// The values under `path`: of a list those of each element.
pub(super) fn walk(value: &Value, path: Option<&str>, visit: Visit<'_>) {
    match (value, path) {
        (Value::Array(elements), _) => elements.iter().for_each(|one| walk(one, path, visit)),
        (_, None) => visit(Seen::of(value)),
        (Value::Object(fields), Some(path)) => {
            let (name, rest) = path
                .split_once('.')
                .map_or((path, None), |(name, rest)| (name, Some(rest)));
            if let Some(inner) = fields.get(name) {
                walk(inner, rest, visit);
            }
        }
        (_, Some(_)) => {}
    }
}

fn read_own(exchange: &Exchange, own: Own, visit: Visit<'_>) {
    let verdict = exchange.verdict.as_ref();
    match own {
        Own::N => visit(Seen::Whole(exchange.n.into())),
        Own::Conn => visit(Seen::Whole(exchange.conn.0.into())),
        Own::Route => visit(text(exchange.route.as_ref().map(RouteName::as_str))),
        Own::Time => visit(Seen::Time(exchange.times.request_first)),
        Own::Dialect => visit(Seen::Text(exchange.dialect.name())),
        Own::Command => visit(Seen::Text(&exchange.command())),
        Own::Code => visit(number(exchange.code())),
        Own::Status => visit(number(exchange.status())),
        Own::Error => match exchange.error() {
            Some(error) => visit(Seen::Text(&error_name(error))),
            None => visit(Seen::Null),
        },
        Own::Latency => match exchange.latency() {
            Some(latency) => visit(Seen::Whole(json::micros(latency).into())),
            None => visit(Seen::Null),
        },
        Own::Verdict => visit(text(verdict.map(|verdict| verdict.kind.name()))),
        Own::VerdictMuted => {
            let muted = verdict.is_some_and(|verdict| verdict.muted.is_some());
            visit(Seen::Flag(muted));
        }
        Own::Findings => read_codes(&exchange.findings, visit),
        Own::MutedFindings => read_codes(&exchange.muted_findings, visit),
        Own::Undecoded => match &exchange.undecoded {
            Some(undecoded) => visit(Seen::Text(&undecoded.to_string())),
            None => visit(Seen::Null),
        },
        Own::Basis => read_sentence(verdict, |verdict| &verdict.basis, visit),
        Own::Reason => read_sentence(verdict, |verdict| &verdict.reason, visit),
        Own::Bytes => visit(Seen::Whole(exchange.bytes() as u128)),
        Own::Marked => visit(Seen::Flag(exchange.annotation.marked)),
        Own::Comment => visit(text(exchange.annotation.comment())),
        Own::Injected => visit(text(exchange.injected())),
        Own::Rewritten => visit(text(exchange.rewritten())),
        Own::ServerStatus => {
            visit(number(exchange.server_answer().and_then(|one| one.status)));
        }
        Own::ServerLength => {
            visit(number(exchange.server_answer().map(|one| one.body_length)));
        }
    }
}

fn read_sentence(verdict: Option<&Verdict>, which: fn(&Verdict) -> &str, visit: Visit<'_>) {
    if let Some(verdict) = verdict {
        visit(Seen::Text(which(verdict)));
    }
}

fn read_codes(codes: &[FindingCode], visit: Visit<'_>) {
    for code in codes {
        visit(Seen::Text(&code.to_string()));
    }
}

fn error_name(error: ErrorCode) -> Cow<'static, str> {
    let unknown = || format!("unknown_{}", error.0).into();
    error.name().map_or_else(unknown, Cow::Borrowed)
}

fn number(value: Option<impl Into<u128>>) -> Seen<'static> {
    value.map_or(Seen::Null, |value| Seen::Whole(value.into()))
}

fn text(value: Option<&str>) -> Seen<'_> {
    value.map_or(Seen::Null, Seen::Text)
}

fn identifier(identifier: &Identifier) -> Seen<'_> {
    match identifier {
        Identifier::Numeric(number) => Seen::Whole((*number).into()),
        Identifier::Named(name) => Seen::Text(name),
    }
}

/// What a request of one of the commands that pass all day asks.
struct AskedOf<'a> {
    consumer: Option<(ConsumerKind, &'a Identifier)>,
    stream: &'a Identifier,
    topic: &'a Identifier,
    partition_id: Option<u32>,
    /// Strategy, value, whether it commits.
    poll: Option<(PollingKind, u64, bool)>,
    count: Option<u64>,
}

impl<'a> AskedOf<'a> {
    /// `None` where only the JSON tells.
    fn exchange(exchange: &'a Exchange) -> Option<Self> {
        let request = match &exchange.content {
            Content::Binary(content) => content.request.as_ref()?,
            Content::Http(content) => return content.poll.as_ref().map(Self::poll),
            Content::Unsolicited(_) => return None,
        };
        Some(match request {
            Request::PollMessages(r) | Request::PollMessagesOnPrimary(r) => Self {
                poll: Some((r.strategy.kind, r.strategy.value, r.auto_commit)),
                count: Some(r.count.into()),
                ..Self::key(&r.consumer, &r.stream, &r.topic, r.partition_id)
            },
            Request::GetConsumerOffset(r) => {
                Self::key(&r.consumer, &r.stream, &r.topic, r.partition_id)
            }
            Request::StoreConsumerOffset(r) => {
                Self::key(&r.consumer, &r.stream, &r.topic, r.partition_id)
            }
            Request::DeleteConsumerOffset(r) => {
                Self::key(&r.consumer, &r.stream, &r.topic, r.partition_id)
            }
            Request::SendMessages(r) => Self {
                consumer: None,
                stream: &r.stream,
                topic: &r.topic,
                partition_id: match r.partitioning {
                    Partitioning::PartitionId(id) => Some(id),
                    Partitioning::Balanced | Partitioning::MessagesKey(_) => None,
                },
                poll: None,
                count: u64::try_from(r.messages.len()).ok(),
            },
            _ => return None,
        })
    }

    fn key(
        consumer: &'a Consumer,
        stream: &'a Identifier,
        topic: &'a Identifier,
        partition_id: Option<u32>,
    ) -> Self {
        Self {
            consumer: Some((consumer.kind, &consumer.id)),
            stream,
            topic,
            partition_id,
            poll: None,
            count: None,
        }
    }

    fn poll(poll: &'a Poll) -> Self {
        Self {
            consumer: Some((poll.consumer_kind, &poll.consumer)),
            stream: &poll.stream,
            topic: &poll.topic,
            partition_id: poll.partition_id,
            poll: Some((poll.strategy, poll.value, poll.auto_commit)),
            count: Some(poll.count.into()),
        }
    }

    fn read(&self, asked: Asked, visit: Visit<'_>) {
        let seen = match asked {
            Asked::Stream => Some(identifier(self.stream)),
            Asked::Topic => Some(identifier(self.topic)),
            Asked::PartitionId => Some(number(self.partition_id)),
            Asked::ConsumerKind => self.consumer.map(|(kind, _)| Seen::Text(kind.name())),
            Asked::Consumer => self.consumer.map(|(_, id)| identifier(id)),
            Asked::Strategy => self.poll.map(|(kind, ..)| Seen::Text(kind.name())),
            Asked::Value => self.poll.map(|(_, value, _)| Seen::Whole(value.into())),
            Asked::AutoCommit => self.poll.map(|(.., commits)| Seen::Flag(commits)),
            Asked::Count => self.count.map(|count| Seen::Whole(count.into())),
        };
        if let Some(seen) = seen {
            visit(seen);
        }
    }
}

/// What a poll was answered.
struct AnswerOf<'a> {
    partition_id: u32,
    current_offset: u64,
    count: u32,
    messages: Messages<'a>,
}

enum Messages<'a> {
    Tcp(&'a [Message]),
    Http(&'a [PolledMessage]),
}

impl<'a> AnswerOf<'a> {
    /// `None` where only the JSON tells.
    fn exchange(exchange: &'a Exchange) -> Option<Self> {
        if exchange.eviction().is_some() {
            return None;
        }
        match &exchange.content {
            Content::Binary(content) => match content.reply.as_ref()? {
                Reply::PolledMessages(reply) => Some(Self {
                    partition_id: reply.partition_id,
                    current_offset: reply.current_offset,
                    count: reply.count,
                    messages: Messages::Tcp(&reply.messages),
                }),
                _ => None,
            },
            Content::Http(content) => {
                let answer = content.answer.as_ref()?.as_ref().ok()?;
                Some(Self {
                    partition_id: answer.partition_id,
                    current_offset: answer.current_offset,
                    count: answer.count,
                    messages: Messages::Http(&answer.messages),
                })
            }
            Content::Unsolicited(_) => None,
        }
    }

    fn read(&self, part: Answered, visit: Visit<'_>) {
        match part {
            Answered::PartitionId => {
                let meaning = partition_meaning(self.partition_id);
                visit(meaning.map_or_else(|| number(Some(self.partition_id)), Seen::Text));
            }
            Answered::CurrentOffset => visit(Seen::Whole(self.current_offset.into())),
            Answered::Count => visit(Seen::Whole(self.count.into())),
            Answered::Message(part) => match self.messages {
                Messages::Tcp(messages) => {
                    let parts = messages.iter().map(|message| of_message(message, part));
                    parts.for_each(|value| visit(Seen::Whole(value)));
                }
                Messages::Http(messages) => {
                    let parts = messages.iter().map(|message| of_polled(message, part));
                    parts.for_each(|value| visit(Seen::Whole(value)));
                }
            },
        }
    }
}

fn of_message(message: &Message, part: OfMessage) -> u128 {
    let header = &message.header;
    match part {
        OfMessage::Offset => header.offset.into(),
        OfMessage::Id => header.id,
        OfMessage::Timestamp => header.timestamp.into(),
        OfMessage::OriginTimestamp => header.origin_timestamp.into(),
        OfMessage::Checksum => header.checksum.into(),
        OfMessage::PayloadLength => message.payload.len() as u128,
    }
}

fn of_polled(message: &PolledMessage, part: OfMessage) -> u128 {
    match part {
        OfMessage::Offset => message.offset.into(),
        OfMessage::Id => message.id,
        OfMessage::Timestamp => message.timestamp.into(),
        OfMessage::OriginTimestamp => message.origin_timestamp.into(),
        OfMessage::Checksum => message.checksum.into(),
        OfMessage::PayloadLength => message.payload_length() as u128,
    }
}
