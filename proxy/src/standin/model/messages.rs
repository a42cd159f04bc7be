//! Sending and polling.

use parallax_codec::commands::{
    Confirmation, Confirmations, FlushUnsavedBuffer, PollMessages, PolledMessages, SendMessages,
};
use parallax_codec::messages::{Message, MessageLayout};
use parallax_codec::primitives::{Partitioning, PollingKind};
use parallax_codec::{Dialect, Reply};
use twox_hash::XxHash32;

use super::Model;
use super::fence::Fenced;
use super::log::{FalseOffset, Log};
use super::offsets::store;
use super::refusal::Refusal;
use super::slots::Slots;
use super::topology::{Partition, Place, Reader, Stream};

impl Model {
    /// Appends a batch. A server of the VSR dialect says where it went.
    ///
    /// # Errors
    /// No message, no such stream, topic or partition; the last three are 20 in the
    /// VSR dialect (server 0.9.0-edge.5).
    pub(super) fn send(&mut self, request: SendMessages, now: u64) -> Result<Reply, Refusal> {
        if request.messages.is_empty() {
            return Err(Refusal::no_messages());
        }
        match self.dialect {
            Dialect::Classic => {
                let (_, partition) = destination(&mut self.streams, &request)?;
                let log = &mut partition.log;
                // The server gives ids to messages without.
                let entropy = &mut self.entropy;
                log.append(request.messages, now, || entropy.next_u128());
                Ok(Reply::Empty)
            }
            Dialect::Vsr => {
                let nothing = |_| Refusal::resource_not_found("");
                let ((place, partition_id), partition) =
                    destination(&mut self.streams, &request).map_err(nothing)?;
                let origin = origin_of(&request);
                let log = &mut partition.log;
                let base_offset = log.append_record(request.messages, now, origin);
                Ok(Reply::Confirmations(Confirmations {
                    confirmations: vec![Confirmation {
                        stream_id: place.stream,
                        topic_id: place.topic,
                        partition_id,
                        base_offset,
                    }],
                }))
            }
        }
    }

    /// Reads a partition for a consumer or for a member of a group. `client` is 0
    /// for HTTP, which has no connection and so no group.
    ///
    /// # Errors
    /// No such stream, topic, partition or group; no member of the group; 4100
    /// with the offset that was found where another one belongs. In the VSR dialect
    /// a group's poll is answered without a message instead.
    pub(super) fn poll(
        &mut self,
        client: u32,
        poll: &PollMessages,
        now: u64,
    ) -> Result<PolledMessages, Refusal> {
        let dialect = self.dialect;
        let fenced = match dialect {
            Dialect::Classic => self.reader_of(client, poll)?,
            Dialect::Vsr => self.fence_poll(client, poll)?,
        };
        let (place, reader, partition_id) = match fenced {
            Fenced::Reads(place, reader, partition) => (place, reader, partition),
            Fenced::Nothing(partition) => return Ok(nothing_polled(dialect, partition, 0)),
        };
        let (_, topic) = self.streams.topic_mut(&poll.stream, &poll.topic)?;
        let partition = topic.partition_mut(place, partition_id);
        let partition = partition.map_err(|refusal| match dialect {
            Dialect::Classic => refusal,
            Dialect::Vsr => Refusal::partition_not_found(partition_id, &poll.topic, &poll.stream),
        })?;
        let current_offset = partition.log.current_offset;
        let messages = read(partition, reader, poll)
            .map_err(|FalseOffset(found)| Refusal::invalid_offset(found))?;
        let layout = match dialect {
            Dialect::Classic => MessageLayout::Headers64,
            Dialect::Vsr => MessageLayout::Batches(partition.log.records(partition_id, &messages)),
        };
        if let Some(last) = messages.last().map(|message| message.header.offset) {
            if poll.auto_commit {
                store(partition, reader, last)?;
            }
            if let Reader::Group(group) = reader {
                partition.polled.insert(group, last);
                topic.settle(group, now);
            }
        }
        Ok(PolledMessages {
            layout,
            count: narrow(messages.len()),
            messages,
            ..nothing_polled(dialect, partition_id, current_offset)
        })
    }

    /// Who polls, and which partition, in the classic dialect.
    fn reader_of(&mut self, client: u32, poll: &PollMessages) -> Result<Fenced, Refusal> {
        let (place, topic) = self.streams.topic_mut(&poll.stream, &poll.topic)?;
        let (consumer, partition) = (&poll.consumer, poll.partition_id);
        let reader = topic.reader(place, consumer, client, partition, true)?;
        Ok(reader.map_or(Fenced::Nothing(0), |(reader, partition)| {
            Fenced::Reads(place, reader, partition)
        }))
    }

    /// Writes a partition's memory to disk: a purge then removes it.
    ///
    /// # Errors
    /// No such stream, topic or partition; 5 in the VSR dialect (recording
    /// `segments`).
    pub(super) fn flush(&mut self, request: &FlushUnsavedBuffer) -> Result<(), Refusal> {
        if self.dialect == Dialect::Vsr {
            return Err(Refusal::feature_unavailable());
        }
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        topic.partition_mut(place, request.partition_id)?.log.save();
        Ok(())
    }
}

/// The partition that a batch goes to.
fn destination<'a>(
    streams: &'a mut Slots<Stream>,
    request: &SendMessages,
) -> Result<((Place, u32), &'a mut Partition), Refusal> {
    let (place, topic) = streams.topic_mut(&request.stream, &request.topic)?;
    let count = topic.partitions.len();
    let without_partitions =
        || Refusal::topic_not_found(Dialect::Classic, &request.stream, &request.topic);
    let partition = match &request.partitioning {
        Partitioning::PartitionId(partition) => *partition,
        Partitioning::Balanced => {
            let turn = topic.balanced.checked_rem(count);
            let turn = turn.ok_or_else(without_partitions)?;
            topic.balanced = (turn + 1) % count;
            narrow(turn)
        }
        Partitioning::MessagesKey(key) => {
            let hash = XxHash32::oneshot(0, key) as usize;
            narrow(hash.checked_rem(count).ok_or_else(without_partitions)?)
        }
    };
    Ok(((place, partition), topic.partition_mut(place, partition)?))
}

fn read(
    partition: &Partition,
    reader: Reader,
    poll: &PollMessages,
) -> Result<Vec<Message>, FalseOffset> {
    let log = &partition.log;
    if poll.count == 0 {
        return Ok(Vec::new());
    }
    if poll.strategy.kind == PollingKind::Timestamp {
        return Ok(log.read_from_timestamp(poll.strategy.value, poll.count));
    }
    let start = start_of(log, partition.stored(reader), poll);
    if start > log.current_offset {
        return Ok(Vec::new());
    }
    log.read_from_offset(start, poll.count)
}

fn start_of(log: &Log, stored: Option<u64>, poll: &PollMessages) -> u64 {
    match poll.strategy.kind {
        PollingKind::Last => (log.current_offset + 1).saturating_sub(poll.count.into()),
        PollingKind::Next => match stored {
            Some(stored) => stored.saturating_add(1),
            None => log.start_offset,
        },
        PollingKind::Offset => poll.strategy.value,
        PollingKind::First | PollingKind::Timestamp => log.start_offset,
    }
}

/// To what the times of a VSR producer's messages are differences.
fn origin_of(request: &SendMessages) -> u64 {
    let first = match &request.layout {
        MessageLayout::Batches(batches) => batches.first(),
        _ => None,
    };
    first.map_or(0, |batch| batch.header.origin_timestamp)
}

/// A poll's reply without a message.
pub(in crate::standin) fn nothing_polled(
    dialect: Dialect,
    partition_id: u32,
    current_offset: u64,
) -> PolledMessages {
    PolledMessages {
        layout: match dialect {
            Dialect::Classic => MessageLayout::Headers64,
            Dialect::Vsr => MessageLayout::Batches(Vec::new()),
        },
        partition_id,
        current_offset,
        count: 0,
        messages: Vec::new(),
        left_over: bytes::Bytes::new(),
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
