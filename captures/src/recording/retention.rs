//! Which segments are kept.

use std::collections::VecDeque;

use jiff::Timestamp;

use super::RecordOptions;
use super::segments::Segment;

/// The segments that are not written any more, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Retention {
    whole: VecDeque<(u64, u64, Timestamp)>,
    bytes: u64,
    last: u64,
}

impl Retention {
    pub(super) fn of(segments: &[Segment]) -> Self {
        let mut retention = Self::default();
        for segment in segments {
            let written = Timestamp::try_from(segment.written).unwrap_or(Timestamp::UNIX_EPOCH);
            retention.add(segment.number, segment.bytes, written);
        }
        retention
    }

    /// A segment that was last written to at `written`.
    pub(super) fn add(&mut self, number: u64, bytes: u64, written: Timestamp) {
        self.whole.push_back((number, bytes, written));
        self.bytes += bytes;
        self.last = self.last.max(number);
    }

    /// There is a file under the next number.
    pub(super) const fn skip(&mut self) {
        self.last += 1;
    }

    /// Whether there were segments before.
    pub(super) const fn is_continued(&self) -> bool {
        self.last > 0
    }

    /// The number for a new segment.
    pub(super) const fn next(&self) -> u64 {
        self.last + 1
    }

    /// The oldest one, if it is to be dropped, where the one being written has so many
    /// bytes.
    pub(super) fn due(&self, active: u64, options: &RecordOptions, now: Timestamp) -> Option<u64> {
        let (number, _, written) = self.whole.front()?;
        let age = now.duration_since(*written);
        let is_old = age
            > options
                .keep_for
                .try_into()
                .unwrap_or(jiff::SignedDuration::MAX);
        (self.bytes + active > options.keep_bytes || is_old).then_some(*number)
    }

    pub(super) fn dropped(&mut self, number: u64) {
        if let Some((_, bytes, _)) = self.whole.pop_front_if(|(oldest, _, _)| *oldest == number) {
            self.bytes -= bytes;
        }
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn count(&self) -> u64 {
        self.whole.len() as u64
    }
}
