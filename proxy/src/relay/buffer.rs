//! The read buffer of one direction.

use std::cell::Cell;

use bytes::{Bytes, BytesMut};

use crate::limits::{READ_BUFFER_SHARE, READ_BUFFER_SIZES};

/// A buffer that grows with what is read, and holds memory only while there is something
/// to read.
#[derive(Debug, Default)]
pub(super) struct ReadBuffer {
    memory: BytesMut,
    /// Index into [`READ_BUFFER_SIZES`].
    size: usize,
    /// Space that the latest read was offered.
    offered: usize,
    /// The latest read used little of it.
    sparse: bool,
}

impl ReadBuffer {
    /// Empty space for the next read, at least the present size.
    pub(super) fn space(&mut self) -> &mut BytesMut {
        if self.memory.capacity() == 0 && self.size == 0 {
            self.memory = SPARE.take();
        }
        self.memory.clear();
        self.memory.reserve(READ_BUFFER_SIZES[self.size]);
        self.offered = self.memory.capacity();
        &mut self.memory
    }

    /// What the latest read brought.
    pub(super) fn filled(&self) -> &[u8] {
        &self.memory
    }

    /// Those bytes for the tap to keep.
    pub(super) fn share(&mut self) -> Bytes {
        if self.memory.len() < self.offered / READ_BUFFER_SHARE {
            Bytes::copy_from_slice(&self.memory)
        } else {
            self.memory.split().freeze()
        }
    }

    /// Picks the size of the next read from how full this one was: one up after
    /// a full one, one down after two that the size below could have held.
    pub(super) fn adapt(&mut self, count: usize) {
        let fits_below = self.size > 0 && count < READ_BUFFER_SIZES[self.size - 1];
        if count >= READ_BUFFER_SIZES[self.size] {
            self.size = (self.size + 1).min(READ_BUFFER_SIZES.len() - 1);
        } else if fits_below && self.sparse {
            self.size -= 1;
        }
        self.sparse = fits_below && !self.sparse;
    }

    /// There is nothing to read: a waiting connection holds no memory for it. One buffer of
    /// the smallest size stays with the thread, for whichever reads next.
    pub(super) fn rest(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        if memory.capacity() == READ_BUFFER_SIZES[0] {
            SPARE.set(memory);
        }
    }
}

thread_local! {
    static SPARE: Cell<BytesMut> = Cell::default();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(buffer: &mut ReadBuffer, count: usize) -> Bytes {
        buffer.space().resize(count, 7);
        buffer.adapt(count);
        buffer.share()
    }

    #[test]
    fn a_full_read_takes_the_next_size_and_small_ones_give_it_back() {
        let mut buffer = ReadBuffer::default();
        let [small, middle, large] = READ_BUFFER_SIZES;
        for (count, expected) in [
            (small, middle),
            (middle, large),
            (large, large),
            (10, large),
            (10, middle),
            (10, middle),
            (10, small),
            (10, small),
        ] {
            read(&mut buffer, count);
            assert_eq!(READ_BUFFER_SIZES[buffer.size], expected, "after {count}");
        }
    }

    #[test]
    fn a_small_read_leaves_the_memory_with_the_buffer() {
        let mut buffer = ReadBuffer::default();
        let shared = read(&mut buffer, 100);
        let address = buffer.space().as_ptr();
        assert_ne!(shared.as_ptr(), address);
        read(&mut buffer, 100);
        assert_eq!(buffer.space().as_ptr(), address);
    }

    #[test]
    fn a_waiting_buffer_holds_nothing_and_the_next_to_read_takes_what_it_had() {
        let mut buffer = ReadBuffer::default();
        read(&mut buffer, 100);
        let address = buffer.memory.as_ptr();
        buffer.rest();
        assert_eq!(buffer.memory.capacity(), 0);
        let mut other = ReadBuffer::default();
        assert_eq!(other.space().as_ptr(), address);
        read(&mut buffer, READ_BUFFER_SIZES[0]);
        read(&mut buffer, 100);
        assert!(buffer.memory.capacity() >= READ_BUFFER_SIZES[1]);
        buffer.rest();
        assert_eq!(buffer.memory.capacity(), 0);
        assert_eq!(SPARE.take().capacity(), 0);
    }
}
