//! One partition's messages.

use std::collections::VecDeque;

use bytes::Bytes;
use parallax_codec::messages::{
    BATCH_HEADER_SIZE, Batch as Record, BatchHeader, FRAME_HEADER_SIZE, MESSAGE_HEADER_SIZE,
    Message,
};
use twox_hash::XxHash3_64;

use crate::limits::{STANDIN_BYTES_PER_PARTITION, STANDIN_MESSAGES_PER_PARTITION};

/// Messages in memory after which a server writes them to disk, where a purge
/// finds them: the defaults of server 0.8.0 (`config.toml`,
/// `messages_required_to_save` and `size_of_messages_required_to_save`).
const SAVE_AFTER_MESSAGES: usize = 1024;
const SAVE_AFTER_BYTES: usize = 1024 * 1024;

/// A partition's log: batches in the order of their arrival.
#[derive(Debug, Default)]
pub(in crate::standin) struct Log {
    batches: VecDeque<Batch>,
    /// The earliest offset that First begins at.
    pub(in crate::standin) start_offset: u64,
    /// The last offset; 0 for an empty log too.
    pub(in crate::standin) current_offset: u64,
    /// Whether `current_offset` is an offset that a message has.
    begun: bool,
    /// Messages, as statistics count them.
    pub(super) messages_count: u64,
    /// Their bytes, as statistics count them.
    pub(super) size_bytes: u64,
    /// What is kept, and what of it is not on disk.
    kept: Volume,
    unsaved: Volume,
    /// Messages dropped because the log had reached its limit.
    pub(super) dropped: u64,
    /// What the first message is going to claim instead of its offset.
    false_first_offset: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Volume {
    messages: usize,
    bytes: usize,
}

/// Messages that came together, and so have one timestamp.
#[derive(Debug)]
struct Batch {
    /// The offset that the first message had when it came.
    first_offset: u64,
    /// The offset of the first message that is kept.
    base_offset: u64,
    /// When it was appended.
    timestamp: u64,
    /// To which the times of its messages are differences; of a VSR producer's.
    origin_timestamp: u64,
    /// On disk, where a purge removes it. One that is not survives: server 0.8.0
    /// empties its files and not its memory (recording `purge`).
    saved: bool,
    size: usize,
    messages: VecDeque<Message>,
}

/// A message whose header says another offset than its place does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FalseOffset(pub(super) u64);

impl Log {
    /// Lets the first message that will be appended claim another offset than its
    /// own, as after one byte range of a segment file was changed.
    pub(in crate::standin) fn claim_first_offset(&mut self, claimed: u64) {
        self.false_first_offset = Some(claimed);
    }

    /// Appends messages of a classic producer at time `now`; `next_id` gives ids
    /// to those without.
    pub(super) fn append(
        &mut self,
        messages: Vec<Message>,
        now: u64,
        mut next_id: impl FnMut() -> u128,
    ) {
        self.append_stamped(messages, (now, now), |message| {
            if message.header.id == 0 {
                message.header.id = next_id();
            }
            message.header.checksum = checksum(message);
        });
    }

    /// Appends a VSR producer's batch at time `now`: its messages have their ids
    /// and checksums, which are over differences, and keep them. Returns the
    /// offset of the first.
    pub(super) fn append_record(
        &mut self,
        messages: Vec<Message>,
        now: u64,
        origin_timestamp: u64,
    ) -> u64 {
        let saved = messages.len() * (MESSAGE_HEADER_SIZE - FRAME_HEADER_SIZE);
        let base_offset = self.append_stamped(messages, (now, origin_timestamp), |_| {});
        let added = self.size_bytes + BATCH_HEADER_SIZE as u64;
        self.size_bytes = added.saturating_sub(saved as u64);
        base_offset
    }

    fn append_stamped(
        &mut self,
        messages: Vec<Message>,
        (now, origin_timestamp): (u64, u64),
        mut stamp: impl FnMut(&mut Message),
    ) -> u64 {
        let base_offset = if self.begun {
            self.current_offset + 1
        } else {
            0
        };
        let mut kept = VecDeque::with_capacity(messages.len());
        let mut size = 0;
        for (offset, mut message) in (base_offset..).zip(messages) {
            // A slice would keep the whole frame it came in alive.
            message.payload = Bytes::copy_from_slice(&message.payload);
            message.user_headers = Bytes::copy_from_slice(&message.user_headers);
            message.header.offset = offset;
            message.header.timestamp = now;
            stamp(&mut message);
            size += message.encoded_length();
            kept.push_back(message);
        }
        let Some(first) = kept.front_mut() else {
            return base_offset;
        };
        let claimed = self.false_first_offset.take();
        if let Some(claimed) = claimed {
            first.header.offset = claimed;
        }
        self.begun = true;
        self.current_offset = base_offset + kept.len() as u64 - 1;
        self.messages_count += kept.len() as u64;
        self.size_bytes += size as u64;
        self.kept.add(kept.len(), size);
        self.unsaved.add(kept.len(), size);
        self.batches.push_back(Batch {
            first_offset: base_offset,
            base_offset,
            timestamp: now,
            origin_timestamp,
            saved: false,
            size,
            messages: kept,
        });
        // What is broken on disk is on disk.
        let enough =
            self.unsaved.messages >= SAVE_AFTER_MESSAGES || self.unsaved.bytes >= SAVE_AFTER_BYTES;
        if enough || claimed.is_some() {
            self.save();
        }
        self.drop_oldest();
        base_offset
    }

    /// The records that hold `messages`, which were read from this log, as a VSR
    /// server puts them into a reply: each is what was read of one batch.
    pub(super) fn records(&self, partition_id: u32, messages: &[Message]) -> Vec<Record> {
        let batch_of = |message: &Message| {
            let offset = message.header.offset;
            let after = |batch: &Batch| batch.first_offset <= offset;
            self.batches.partition_point(after).checked_sub(1)
        };
        let of_one_batch = messages.chunk_by(|one, next| batch_of(one) == batch_of(next));
        let record = |frames: &[Message]| {
            let batch = self.batches.get(batch_of(frames.first()?)?)?;
            let bases = BatchHeader {
                partition_id: partition_id.into(),
                base_offset: batch.first_offset,
                base_timestamp: batch.timestamp,
                origin_timestamp: batch.origin_timestamp,
                ..BatchHeader::default()
            };
            Some(Record::of_server(bases, frames))
        };
        of_one_batch.filter_map(record).collect()
    }

    /// Up to `count` messages from `start` on: first what is on disk, then what is
    /// in memory, if the disk reaches up to it. After a purge of a log of which a
    /// part was on disk it does not, and nothing is found (real server 0.8.0).
    ///
    /// # Errors
    /// The offset that a message claims, where it is not the one of its place: so
    /// does a server that reads from disk check what it read.
    pub(super) fn read_from_offset(
        &self,
        start: u64,
        count: u32,
    ) -> Result<Vec<Message>, FalseOffset> {
        let on_disk = self.batches.iter().take_while(|batch| batch.saved);
        let in_memory = self.batches.iter().skip_while(|batch| batch.saved);
        let memory_begins = in_memory.clone().next().map(|batch| batch.base_offset);
        let mut found = Found {
            messages: Vec::new(),
            wanted: start,
            count: count as usize,
        };
        found.take(on_disk)?;
        if memory_begins.is_some_and(|first| first <= found.wanted) {
            found.take(in_memory)?;
        }
        Ok(found.messages)
    }

    /// Up to `count` messages that were appended at `time` or later. Offsets are
    /// not checked on this way (server 0.8.0).
    pub(super) fn read_from_timestamp(&self, time: u64, count: u32) -> Vec<Message> {
        self.batches
            .iter()
            .filter(|batch| batch.timestamp >= time)
            .flat_map(|batch| &batch.messages)
            .take(count as usize)
            .cloned()
            .collect()
    }

    /// Whether no offset can be stored: nothing was ever appended, or a purge
    /// took it. A log with one message at offset 0 has offset 0 to store.
    pub(super) fn has_no_offset(&self) -> bool {
        self.messages_count == 0 && self.current_offset == 0
    }

    /// Forgets what is on disk and begins at offset 0 again. What was not yet
    /// written to disk is still there to be polled (recording `purge`).
    pub(super) fn purge(&mut self) {
        self.batches.retain(|batch| !batch.saved);
        self.kept = self.unsaved;
        self.start_offset = 0;
        self.current_offset = 0;
        self.begun = false;
        self.messages_count = 0;
        self.size_bytes = 0;
        self.false_first_offset = None;
    }

    /// Writes what is in memory to disk.
    pub(in crate::standin) fn save(&mut self) {
        let unsaved = self.batches.iter_mut().rev();
        for batch in unsaved.take_while(|batch| !batch.saved) {
            batch.saved = true;
        }
        self.unsaved = Volume::default();
    }

    fn drop_oldest(&mut self) {
        while self.kept.messages > STANDIN_MESSAGES_PER_PARTITION
            || self.kept.bytes > STANDIN_BYTES_PER_PARTITION
        {
            if self.batches.is_empty() {
                return;
            }
            self.dropped += u64::from(self.drop_first());
        }
    }

    /// Forgets every message before `offset`, as retention does.
    pub(in crate::standin) fn forget_before(&mut self, offset: u64) {
        let begins_before = |batch: &Batch| batch.base_offset < offset;
        while self.batches.front().is_some_and(begins_before) {
            self.drop_first();
        }
    }

    /// Forgets the last messages, as a server that had not written them does when
    /// it starts again.
    pub(in crate::standin) fn forget_last(&mut self, count: u64) {
        for _ in 0..count {
            while self.batches.back().is_some_and(|b| b.messages.is_empty()) {
                self.batches.pop_back();
            }
            let Some(last) = self.batches.back_mut() else {
                return;
            };
            let (saved, message) = (last.saved, last.messages.pop_back());
            let size = message.map_or(0, |message| message.encoded_length());
            last.size -= size;
            self.current_offset = self.current_offset.saturating_sub(1);
            self.account_for_lost(size, saved);
        }
    }

    /// Drops the first message, or the first batch where it is empty; whether it
    /// was a message.
    fn drop_first(&mut self) -> bool {
        let Some(oldest) = self.batches.front_mut() else {
            return false;
        };
        let Some(message) = oldest.messages.pop_front() else {
            self.batches.pop_front();
            return false;
        };
        let (saved, size) = (oldest.saved, message.encoded_length());
        oldest.base_offset += 1;
        oldest.size -= size;
        self.start_offset = oldest.base_offset;
        self.account_for_lost(size, saved);
        true
    }

    fn account_for_lost(&mut self, size: usize, saved: bool) {
        self.kept.remove(size);
        if !saved {
            self.unsaved.remove(size);
        }
        self.messages_count = self.messages_count.saturating_sub(1);
        self.size_bytes = self.size_bytes.saturating_sub(size as u64);
    }
}

/// What a read has found so far.
struct Found {
    messages: Vec<Message>,
    wanted: u64,
    count: usize,
}

impl Found {
    fn take<'a>(&mut self, batches: impl Iterator<Item = &'a Batch>) -> Result<(), FalseOffset> {
        for batch in batches {
            let left = self.count - self.messages.len();
            if left == 0 {
                return Ok(());
            }
            let skipped = self.wanted.saturating_sub(batch.base_offset);
            let places = batch.base_offset + skipped..;
            let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
            for (place, message) in places.zip(batch.messages.iter().skip(skipped).take(left)) {
                if message.header.offset != place {
                    return Err(FalseOffset(message.header.offset));
                }
                self.wanted = place + 1;
                self.messages.push(message.clone());
            }
        }
        Ok(())
    }
}

impl Volume {
    fn add(&mut self, messages: usize, bytes: usize) {
        self.messages += messages;
        self.bytes += bytes;
    }

    fn remove(&mut self, bytes: usize) {
        self.messages -= 1;
        self.bytes -= bytes;
    }
}

/// A message's checksum: XXH3-64, seed 0, of everything after the checksum
/// itself. From `iggy_common` 0.10.0, `utils/checksum.rs`; the recordings'
/// messages all carry it.
pub fn checksum(message: &Message) -> u64 {
    let header = &message.header;
    let mut bytes = Vec::with_capacity(message.encoded_length());
    bytes.extend_from_slice(&header.id.to_le_bytes());
    bytes.extend_from_slice(&header.offset.to_le_bytes());
    bytes.extend_from_slice(&header.timestamp.to_le_bytes());
    bytes.extend_from_slice(&header.origin_timestamp.to_le_bytes());
    bytes.extend_from_slice(&header.user_headers_length.to_le_bytes());
    bytes.extend_from_slice(&header.payload_length.to_le_bytes());
    bytes.extend_from_slice(&header.reserved.to_le_bytes());
    bytes.extend_from_slice(&message.payload);
    bytes.extend_from_slice(&message.user_headers);
    XxHash3_64::oneshot(&bytes)
}

#[cfg(test)]
mod tests {
    use super::{FalseOffset, Log, SAVE_AFTER_MESSAGES};
    use crate::limits::STANDIN_MESSAGES_PER_PARTITION;
    use parallax_codec::messages::{Message, MessageHeader};

    fn messages(count: usize) -> Vec<Message> {
        let message = Message {
            header: MessageHeader::default(),
            payload: bytes::Bytes::new(),
            user_headers: bytes::Bytes::new(),
        };
        vec![message; count]
    }

    fn offsets(found: Result<Vec<Message>, FalseOffset>) -> Vec<u64> {
        let found = found.unwrap();
        found.iter().map(|message| message.header.offset).collect()
    }

    #[test]
    fn offsets_go_on_over_batches() {
        let mut log = Log::default();
        log.append(messages(3), 1, || 7);
        log.append(messages(2), 2, || 8);
        assert_eq!(log.current_offset, 4);
        assert_eq!(offsets(log.read_from_offset(1, 3)), [1, 2, 3]);
        assert_eq!(offsets(Ok(log.read_from_timestamp(2, 9))), [3, 4]);
    }

    #[test]
    fn the_oldest_messages_are_dropped_and_counted_at_the_limit() {
        let mut log = Log::default();
        for _ in 0..=STANDIN_MESSAGES_PER_PARTITION / 1000 {
            log.append(messages(1000), 1, || 7);
        }
        assert_eq!(log.dropped, 1000);
        assert_eq!(log.start_offset, 1000);
        let kept = log.read_from_offset(0, u32::MAX).unwrap();
        assert_eq!(kept.len(), STANDIN_MESSAGES_PER_PARTITION);
        assert_eq!(kept[0].header.offset, 1000);
    }

    #[test]
    fn a_purge_leaves_what_is_in_memory_and_offsets_find_it_if_nothing_was_on_disk() {
        let mut log = Log::default();
        log.append(messages(2), 1, || 7);
        log.purge();
        assert!(log.has_no_offset());
        assert_eq!(offsets(log.read_from_offset(0, 5)), [0, 1]);
    }

    #[test]
    fn after_a_purge_of_a_log_that_was_on_disk_only_its_time_finds_what_is_in_memory() {
        // Seen on a real server 0.8.0; so is that new messages are not found either.
        let mut log = Log::default();
        log.append(messages(SAVE_AFTER_MESSAGES), 1, || 7);
        log.append(messages(2), 2, || 7);
        let first = SAVE_AFTER_MESSAGES as u64;
        assert_eq!(
            offsets(log.read_from_offset(first - 1, 2)),
            [first - 1, first]
        );
        log.purge();
        log.append(messages(5), 3, || 7);
        assert_eq!(offsets(log.read_from_offset(0, 5)), [0; 0]);
        let by_time = log.read_from_timestamp(1, 3);
        assert_eq!(offsets(Ok(by_time)), [first, first + 1, 0]);
    }

    #[test]
    fn a_read_that_meets_a_false_offset_is_refused_and_one_behind_it_is_not() {
        let mut log = Log::default();
        log.claim_first_offset(24);
        log.append(messages(3), 1, || 7);
        assert_eq!(log.read_from_offset(0, 1), Err(FalseOffset(24)));
        assert_eq!(offsets(log.read_from_offset(1, 5)), [1, 2]);
    }
}
