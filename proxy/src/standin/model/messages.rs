//! Sending and polling.

use parallax_codec::commands::{FlushUnsavedBuffer, PollMessages, PolledMessages, SendMessages};
use parallax_codec::primitives::{Partitioning, PollingKind};
use twox_hash::XxHash32;

use super::Model;
use super::log::{FalseOffset, Log};
use super::offsets::store;
use super::refusal::Refusal;
use super::topology::{Partition, Reader};

impl Model {
    /// Appends a batch.
    ///
    /// # Errors
    /// No message, no such stream, topic or partition.
    pub(super) fn send(&mut self, request: SendMessages, now: u64) -> Result<(), Refusal> {
        if request.messages.is_empty() {
            return Err(Refusal::no_messages());
        }
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        let count = topic.partitions.len();
        let without_partitions = || Refusal::topic_not_found(&request.stream, &request.topic);
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
        let partition = topic.partition_mut(place, partition)?;
        let entropy = &mut self.entropy;
        partition
            .log
            .append(request.messages, now, || entropy.next_u128());
        Ok(())
    }

    /// Reads a partition for a consumer or for a member of a group. `client` is 0
    /// for HTTP, which has no connection and so no group.
    ///
    /// # Errors
    /// No such stream, topic, partition or group; no member of the group; 4100
    /// with the offset that was found where another one belongs.
    pub(crate) fn poll(
        &mut self,
        client: u32,
        poll: &PollMessages,
        now: u64,
    ) -> Result<PolledMessages, Refusal> {
        let (place, topic) = self.streams.topic_mut(&poll.stream, &poll.topic)?;
        let (consumer, partition) = (&poll.consumer, poll.partition_id);
        let reader = topic.reader(place, consumer, client, partition, true)?;
        let Some((reader, partition_id)) = reader else {
            return Ok(polled(0, 0, Vec::new()));
        };
        let partition = topic.partition_mut(place, partition_id)?;
        let current_offset = partition.log.current_offset;
        let messages = read(partition, reader, poll)
            .map_err(|FalseOffset(found)| Refusal::invalid_offset(found))?;
        if let Some(last) = messages.last().map(|message| message.header.offset) {
            if poll.auto_commit {
                store(partition, reader, last)?;
            }
            if let Reader::Group(group) = reader {
                partition.polled.insert(group, last);
                topic.settle(group, now);
            }
        }
        Ok(polled(partition_id, current_offset, messages))
    }

    /// Writes a partition's memory to disk: a purge then removes it.
    ///
    /// # Errors
    /// No such stream, topic or partition.
    pub(super) fn flush(&mut self, request: &FlushUnsavedBuffer) -> Result<(), Refusal> {
        let (place, topic) = self.streams.topic_mut(&request.stream, &request.topic)?;
        topic.partition_mut(place, request.partition_id)?.log.save();
        Ok(())
    }
}

fn read(
    partition: &Partition,
    reader: Reader,
    poll: &PollMessages,
) -> Result<Vec<parallax_codec::messages::Message>, FalseOffset> {
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

fn polled(
    partition_id: u32,
    current_offset: u64,
    messages: Vec<parallax_codec::messages::Message>,
) -> PolledMessages {
    PolledMessages {
        layout: parallax_codec::messages::MessageLayout::Headers64,
        partition_id,
        current_offset,
        count: narrow(messages.len()),
        messages,
        left_over: bytes::Bytes::new(),
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
