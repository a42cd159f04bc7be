//! The messages of one direction, taken apart.

use bytes::{Buf, Bytes, BytesMut};
use jiff::Timestamp;
use parallax_codec::classic::Direction;

use super::chunks::{Chunk, Chunks, take};
use super::head::{self, Framing, Head};
use super::looks_like_http;
use crate::limits::MAX_HTTP_HEAD;

/// Reads the messages of one direction.
pub(super) struct Messages {
    direction: Direction,
    buffer: BytesMut,
    /// Bytes of `buffer` in which the head's end was looked for in vain.
    searched: usize,
    state: State,
    /// When the bytes fed last were captured.
    fed: Timestamp,
    /// When the first byte of the head that is being read was captured.
    began: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    Length(u64),
    Chunked(Chunks),
    UntilClose,
    /// Looking for a packet that begins with a message.
    Lost,
    NotHttp,
}

/// A part of a message.
pub(super) enum Part {
    /// With the time of its first byte.
    Head(Timestamp, Head),
    Body(Bytes),
    /// The message is whole.
    End,
    /// Its place in the messages is lost: what was begun stays incomplete.
    Lost,
}

impl Messages {
    pub(super) fn new(direction: Direction) -> Self {
        Self {
            direction,
            buffer: BytesMut::new(),
            searched: 0,
            state: State::Head,
            fed: Timestamp::UNIX_EPOCH,
            began: None,
        }
    }

    pub(super) fn is_lost(&self) -> bool {
        self.state == State::Lost
    }

    /// When the first byte of the head was captured that is being read.
    pub(super) const fn head_began(&self) -> Option<Timestamp> {
        self.began
    }

    /// Takes bytes in. Gives the number of those that are passed over, because
    /// they belong to no message.
    pub(super) fn feed(&mut self, time: Timestamp, bytes: &[u8]) -> usize {
        self.fed = time;
        match self.state {
            State::NotHttp => return bytes.len(),
            State::Lost if looks_like_http(bytes) != Some(true) => return bytes.len(),
            State::Lost => self.state = State::Head,
            _ => {}
        }
        self.buffer.extend_from_slice(bytes);
        0
    }

    /// The next part, as far as bytes are there.
    pub(super) fn next(&mut self, to_head: bool) -> Option<Part> {
        match &mut self.state {
            State::Head => self.head(to_head),
            State::Length(0) => {
                self.state = State::Head;
                Some(Part::End)
            }
            _ if self.buffer.is_empty() => None,
            State::Length(left) => {
                let body = take(&mut self.buffer, *left);
                *left -= body.len() as u64;
                Some(Part::Body(body))
            }
            State::Chunked(chunks) => match chunks.next(&mut self.buffer) {
                Chunk::Data(data) => Some(Part::Body(data)),
                Chunk::End => {
                    self.state = State::Head;
                    Some(Part::End)
                }
                Chunk::NeedMore => None,
                Chunk::Broken => Some(self.lose()),
            },
            State::UntilClose => Some(Part::Body(self.buffer.split().freeze())),
            State::Lost | State::NotHttp => None,
        }
    }

    /// The capture lacks bytes here. True when they are all of one body, which
    /// goes on behind them.
    pub(super) fn skip(&mut self, length: u64) -> bool {
        match &mut self.state {
            State::Length(left) | State::Chunked(Chunks::Data(left)) if length <= *left => {
                *left -= length;
                true
            }
            State::UntilClose => true,
            State::NotHttp => false,
            _ => {
                self.lose();
                false
            }
        }
    }

    /// The direction is at its end. `End` for a body that lasts until then,
    /// `Lost` for a message that is cut off.
    pub(super) fn close(&mut self) -> Option<Part> {
        match self.state {
            State::UntilClose => {
                self.state = State::Head;
                Some(Part::End)
            }
            State::Head if self.buffer.is_empty() => None,
            State::Lost | State::NotHttp => None,
            _ => Some(self.lose()),
        }
    }

    fn head(&mut self, to_head: bool) -> Option<Part> {
        // Empty lines between messages are allowed (RFC 9112, section 2.2).
        let is_line_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let empty = self.buffer.iter().take_while(is_line_end).count();
        self.buffer.advance(empty);
        self.searched = self.searched.saturating_sub(empty);
        if self.buffer.is_empty() {
            return None;
        }
        let began = *self.began.get_or_insert(self.fed);
        let Some(end) = self.head_end() else {
            return (self.buffer.len() > MAX_HTTP_HEAD).then(|| self.lose());
        };
        let bytes = self.buffer.split_to(end);
        self.searched = 0;
        self.began = None;
        let Some((head, framing)) = head::parse(self.direction, &bytes, to_head) else {
            return Some(self.lose());
        };
        self.state = match framing {
            Framing::Chunked => State::Chunked(Chunks::Size),
            Framing::Length(length) => State::Length(length),
            Framing::UntilClose => State::UntilClose,
            Framing::NotHttp => State::NotHttp,
        };
        Some(Part::Head(began, head))
    }

    /// Where the empty line ends that ends the head.
    fn head_end(&mut self) -> Option<usize> {
        let from = self.searched.saturating_sub(2);
        let unsearched = self.buffer.get(from..)?;
        for (at, byte) in unsearched.iter().enumerate() {
            if *byte == b'\n' {
                match unsearched.get(at + 1..) {
                    Some([b'\n', ..]) => return Some(from + at + 2),
                    Some([b'\r', b'\n', ..]) => return Some(from + at + 3),
                    _ => {}
                }
            }
        }
        self.searched = self.buffer.len();
        None
    }

    fn lose(&mut self) -> Part {
        self.state = State::Lost;
        self.buffer.clear();
        self.searched = 0;
        self.began = None;
        Part::Lost
    }
}
