use super::batch::{BATCH_HEADER_SIZE, BatchHeader, FRAME_HEADER_SIZE};
use super::layout::HeaderLayout;
use super::{MESSAGE_HEADER_SIZE, MessageHeader};
use crate::error::{Failure, Fault};
use crate::reader;

/// A message where it stands: nothing is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageView<'a> {
    /// The fixed part.
    pub header: MessageHeader,
    /// The payload.
    pub payload: &'a [u8],
    /// The user headers, unread.
    pub user_headers: &'a [u8],
}

/// Walks over the messages of a poll reply, from byte 16 of its body on, or of a
/// send request, without copying anything.
///
/// Ends at the end of the bytes or where they cannot be read; [`MessageViews::rest`]
/// and [`MessageViews::failure`] then tell which.
#[derive(Debug, Clone)]
pub struct MessageViews<'a> {
    layout: HeaderLayout,
    rest: &'a [u8],
    batch: Option<OpenBatch>,
    failure: Option<Failure>,
}

/// A batch record whose frames are being walked.
#[derive(Debug, Clone)]
struct OpenBatch {
    header: BatchHeader,
    /// Bytes of its frames that are left.
    left: u64,
    /// Frames that are left, as it counts them.
    frames: u32,
}

impl<'a> MessageViews<'a> {
    /// A walk over `messages`, which are laid out like this.
    pub const fn new(layout: HeaderLayout, messages: &'a [u8]) -> Self {
        Self {
            layout,
            rest: messages,
            batch: None,
            failure: None,
        }
    }

    /// What was not walked over yet.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Why the walk ended before the bytes did.
    pub const fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// The record to which the last message belongs, and whether that was its
    /// first message.
    pub(super) fn batch(&self) -> Option<(&BatchHeader, bool)> {
        let open = self.batch.as_ref()?;
        Some((&open.header, open.frames + 1 == open.header.message_count))
    }

    /// The next message, with a header of `N` bytes before it.
    #[inline]
    fn step<const N: usize>(&mut self) -> Result<Option<MessageView<'a>>, Failure> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (view, rest) = message::<N>(self.rest)?;
        self.rest = rest;
        Ok(Some(view))
    }

    fn step_in_batch(&mut self) -> Result<Option<MessageView<'a>>, Failure> {
        match &self.batch {
            Some(open) if open.left > 0 => {}
            Some(open) if open.frames > 0 => return Err(miscounted(self.rest)),
            _ if self.rest.is_empty() => return Ok(None),
            _ => self.batch = Some(self.open_batch()?),
        }
        let Some(open) = &mut self.batch else {
            return Ok(None);
        };
        let (view, rest) = frame(&open.header, self.rest)?;
        let size = self.rest.len() - rest.len();
        let left = open.left.checked_sub(size as u64);
        let (Some(left), Some(frames)) = (left, open.frames.checked_sub(1)) else {
            return Err(miscounted(self.rest));
        };
        (open.left, open.frames) = (left, frames);
        self.rest = rest;
        Ok(Some(view))
    }

    fn open_batch(&mut self) -> Result<OpenBatch, Failure> {
        let Some((raw, content)) = self.rest.split_first_chunk::<BATCH_HEADER_SIZE>() else {
            return Err(cut_short("batch header", self.rest, BATCH_HEADER_SIZE));
        };
        let header = BatchHeader::of(raw);
        let Some(left) = header.batch_length.checked_sub(BATCH_HEADER_SIZE as u64) else {
            let fault = Fault::WrongLength(header.batch_length);
            return Err(Failure::new("batch length", self.rest, fault));
        };
        if !BatchHeader::is_reserved_empty(raw) {
            return Err(Failure::new("batch header", self.rest, Fault::NotZero));
        }
        if header.message_count == 0 || left == 0 {
            return Err(miscounted(self.rest));
        }
        self.rest = content;
        Ok(OpenBatch {
            left,
            frames: header.message_count,
            header,
        })
    }
}

impl<'a> Iterator for MessageViews<'a> {
    type Item = MessageView<'a>;

    #[inline]
    fn next(&mut self) -> Option<MessageView<'a>> {
        if self.failure.is_some() {
            return None;
        }
        let step = match self.layout {
            HeaderLayout::Headers56 => self.step::<{ MESSAGE_HEADER_SIZE - 8 }>(),
            HeaderLayout::Headers64 => self.step::<MESSAGE_HEADER_SIZE>(),
            HeaderLayout::Batches => self.step_in_batch(),
        };
        match step {
            Ok(view) => view,
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }
}

/// The message that `rest` begins with, a header of `N` bytes before it, and what
/// follows it.
#[inline]
pub(super) fn message<const N: usize>(rest: &[u8]) -> Result<(MessageView<'_>, &[u8]), Failure> {
    let (header, content) = split_header::<N>(rest)?;
    view(header, content)
}

/// The next message of a record, and what follows it.
#[inline]
fn frame<'a>(batch: &BatchHeader, rest: &'a [u8]) -> Result<(MessageView<'a>, &'a [u8]), Failure> {
    let Some((raw, content)) = rest.split_first_chunk::<FRAME_HEADER_SIZE>() else {
        return Err(cut_short("message frame", rest, FRAME_HEADER_SIZE));
    };
    let header = batch.resolve(raw);
    if header.reserved != 0 {
        return Err(Failure::new("message frame", rest, Fault::NotZero));
    }
    view(header, content)
}

/// The payload and user headers that `header` announces in `content`, which
/// follows it, and what follows them.
#[inline]
fn view(header: MessageHeader, content: &[u8]) -> Result<(MessageView<'_>, &[u8]), Failure> {
    let length = reader::widen(header.payload_length);
    let Some((payload, content)) = content.split_at_checked(length) else {
        return Err(cut_short("payload", content, length));
    };
    let length = reader::widen(header.user_headers_length);
    let Some((user_headers, rest)) = content.split_at_checked(length) else {
        return Err(cut_short("user headers", content, length));
    };
    let view = MessageView {
        header,
        payload,
        user_headers,
    };
    Ok((view, rest))
}

/// The frames of a record do not fill it, or are not as many as it says.
fn miscounted(rest: &[u8]) -> Failure {
    Failure::new("batch frames", rest, Fault::Miscounted)
}

#[cold]
fn cut_short(what: &'static str, rest: &[u8], needed: usize) -> Failure {
    let left = rest.len();
    Failure::new(what, rest, Fault::Truncated { needed, left })
}

/// A header of `N` bytes, 56 or 64, and what follows it.
#[inline]
fn split_header<const N: usize>(rest: &[u8]) -> Result<(MessageHeader, &[u8]), Failure> {
    let Some((raw, content)) = rest.split_first_chunk::<N>() else {
        return Err(cut_short("message header", rest, N));
    };
    let header = MessageHeader {
        checksum: u64::from_le_bytes(at(raw, 0)),
        id: u128::from_le_bytes(at(raw, 8)),
        offset: u64::from_le_bytes(at(raw, 24)),
        timestamp: u64::from_le_bytes(at(raw, 32)),
        origin_timestamp: u64::from_le_bytes(at(raw, 40)),
        user_headers_length: u32::from_le_bytes(at(raw, 48)),
        payload_length: u32::from_le_bytes(at(raw, 52)),
        reserved: u64::from_le_bytes(at(raw, 56)),
    };
    Ok((header, content))
}

/// `N` bytes at `start`; zeros where there are none.
#[inline]
pub(super) fn at<const N: usize>(raw: &[u8], start: usize) -> [u8; N] {
    raw.get(start..)
        .and_then(|rest| rest.first_chunk())
        .copied()
        .unwrap_or([0; N])
}
