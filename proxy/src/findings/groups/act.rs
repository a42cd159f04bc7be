//! An exchange as the rules about groups and readers look at it.

use std::borrow::Cow;

use parallax_captures::{Exchange, Finding, FindingCode};
use parallax_codec::commands::{GroupRef, PolledMessages};
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier, PartitionLayout};
use parallax_codec::{Reply, Request};

use super::super::claims::{Claim, Conclusion};
use super::super::place::place_of;
use crate::ledger::{Learned, Ledger, Polled, Reader, Scope, Span, Stored, Topic};

/// A request of the binary protocol, and what came of it.
#[derive(Debug)]
pub(super) struct Act<'a> {
    pub exchange: &'a Exchange,
    pub request: &'a Request,
    /// What an answer with status 0 says; `None` for any other.
    pub reply: Option<&'a Reply>,
    pub span: Span,
    /// Who reads or commits, where this is a poll, or about a stored offset.
    pub who: Option<Who<'a>>,
    /// The topic that `who` is about.
    pub topic: Option<Cow<'a, Topic>>,
    /// The group that is named, by this or by any command about groups.
    pub group: Option<Scope>,
    learned: &'a [Learned<'a>],
}

/// Who reads or commits where, as a request names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Who<'a> {
    pub stream: &'a Identifier,
    pub topic: &'a Identifier,
    pub consumer: &'a Consumer,
    pub partition_id: Option<u32>,
    pub layout: PartitionLayout,
}

impl<'a> Act<'a> {
    /// `None` where the request is not known.
    pub(super) fn of(
        exchange: &'a Exchange,
        learned: &'a [Learned<'a>],
        ledger: &Ledger,
    ) -> Option<Self> {
        let content = exchange.binary()?;
        let request = content.request.as_ref()?;
        let who = who(request);
        let group = match (group_named(request), who) {
            (Some(r), _) => Some(ledger.group(&r.stream, &r.topic, &r.group)),
            (None, Some(who)) if who.consumer.kind == ConsumerKind::Group => {
                Some(ledger.group(who.stream, who.topic, &who.consumer.id))
            }
            _ => None,
        };
        let reader = learned.iter().find_map(Learned::reader);
        let topic = |who: Who<'a>| match reader {
            Some(reader) => Cow::Borrowed(&reader.partition.topic),
            None => Cow::Owned(ledger.topic(who.stream, who.topic)),
        };
        Some(Self {
            exchange,
            request,
            reply: content.reply.as_ref().filter(|_| content.status == Some(0)),
            span: Span::of(exchange),
            who,
            topic: who.map(topic),
            group,
            learned,
        })
    }

    /// Whether it was done.
    pub(super) fn is_done(&self) -> bool {
        self.exchange.status() == Some(0)
    }

    pub(super) fn polled(&self) -> Option<&'a Polled<'a>> {
        self.learned.iter().find_map(|learned| match learned {
            Learned::Poll(polled) => Some(&**polled),
            _ => None,
        })
    }

    pub(super) fn stored(&self) -> Option<&'a Stored> {
        self.learned.iter().find_map(|learned| match learned {
            Learned::Store(stored) => Some(&**stored),
            _ => None,
        })
    }

    /// Whose stored offset was deleted.
    pub(super) fn offset_deleted(&self) -> Option<&'a Reader> {
        self.learned.iter().find_map(|learned| match learned {
            Learned::OffsetDeleted(reader) => Some(reader),
            _ => None,
        })
    }

    /// A poll that was answered, with whatever partition.
    pub(super) fn poll_reply(&self) -> Option<&'a PolledMessages> {
        match self.reply {
            Some(Reply::PolledMessages(reply)) => Some(reply),
            _ => None,
        }
    }

    /// Where it is, as the client names it, with the partition that it names.
    pub(super) fn place(&self) -> String {
        self.place_with(self.who.and_then(|who| who.partition_id))
    }

    /// Likewise, with this partition.
    pub(super) fn place_with(&self, partition_id: Option<u32>) -> String {
        if let Some(who) = self.who {
            return place_of(who.stream, who.topic, partition_id, who.consumer);
        }
        match group_named(self.request) {
            Some(r) => {
                let consumer = Consumer {
                    kind: ConsumerKind::Group,
                    id: r.group.clone(),
                };
                place_of(&r.stream, &r.topic, partition_id, &consumer)
            }
            None => format!("connection {}", self.exchange.conn),
        }
    }

    pub(super) fn finding(
        &self,
        code: FindingCode,
        place: String,
        evidence: Vec<String>,
    ) -> Finding {
        let time = self.exchange.times.request_first;
        Finding::new(code, place, self.exchange.n, time, evidence)
    }

    pub(super) fn claim(&self, reader: &Reader, conclusion: Conclusion) -> Claim {
        Claim {
            reader: reader.clone(),
            span: self.span,
            conclusion,
        }
    }
}

fn who(request: &Request) -> Option<Who<'_>> {
    let (stream, topic, consumer, partition_id, layout) = match request {
        Request::PollMessages(r) | Request::PollMessagesOnPrimary(r) => (
            &r.stream,
            &r.topic,
            &r.consumer,
            r.partition_id,
            r.partition_layout,
        ),
        Request::GetConsumerOffset(r) => (
            &r.stream,
            &r.topic,
            &r.consumer,
            r.partition_id,
            r.partition_layout,
        ),
        Request::StoreConsumerOffset(r) => (
            &r.stream,
            &r.topic,
            &r.consumer,
            r.partition_id,
            r.partition_layout,
        ),
        Request::DeleteConsumerOffset(r) => (
            &r.stream,
            &r.topic,
            &r.consumer,
            r.partition_id,
            r.partition_layout,
        ),
        _ => return None,
    };
    Some(Who {
        stream,
        topic,
        consumer,
        partition_id,
        layout,
    })
}

const fn group_named(request: &Request) -> Option<&GroupRef> {
    match request {
        Request::GetConsumerGroup(r)
        | Request::DeleteConsumerGroup(r)
        | Request::JoinConsumerGroup(r)
        | Request::LeaveConsumerGroup(r)
        | Request::SyncConsumerGroup(r) => Some(r),
        _ => None,
    }
}
