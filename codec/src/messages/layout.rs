use bytes::Bytes;

use super::batch::{BATCH_HEADER_SIZE, Batch, FRAME_HEADER_SIZE};
use super::view::MessageViews;
use super::{MESSAGE_HEADER_SIZE, Message};
use crate::checksum::Checksum;
use crate::dialect::Dialect;
use crate::error::{Failure, Fault};
use crate::limits::MAX_ELEMENTS_PREALLOCATED;
use crate::reader;
use crate::writer::Writer;

/// How messages are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeaderLayout {
    /// Each with a header of 56 bytes: servers 0.5 and 0.6.
    Headers56,
    /// Each with a header of 64 bytes: servers 0.7 and 0.8, and the first VSR ones.
    Headers64,
    /// In batch records: servers from 0.9.0-edge.5.
    Batches,
}

impl HeaderLayout {
    /// Bytes before each payload.
    pub const fn header_size(self) -> usize {
        match self {
            Self::Headers56 => MESSAGE_HEADER_SIZE - 8,
            Self::Headers64 => MESSAGE_HEADER_SIZE,
            Self::Batches => FRAME_HEADER_SIZE,
        }
    }

    /// The layouts that a dialect may have, the usual one first.
    const fn of(dialect: Dialect) -> &'static [Self] {
        match dialect {
            Dialect::Classic => &[Self::Headers64, Self::Headers56],
            Dialect::Vsr => &[Self::Batches, Self::Headers64, Self::Headers56],
        }
    }
}

/// How the messages of a body are laid out, as far as the body tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MessageLayout {
    /// Nothing tells: there is no message, or more than one layout fits.
    #[default]
    Undetermined,
    /// Each with a header of 56 bytes.
    Headers56,
    /// Each with a header of 64 bytes.
    Headers64,
    /// In these batch records, one after the other.
    Batches(Vec<Batch>),
}

impl MessageLayout {
    /// The layout without its records.
    pub const fn headers(&self) -> Option<HeaderLayout> {
        match self {
            Self::Undetermined => None,
            Self::Headers56 => Some(HeaderLayout::Headers56),
            Self::Headers64 => Some(HeaderLayout::Headers64),
            Self::Batches(_) => Some(HeaderLayout::Batches),
        }
    }

    /// Whether each message is what its checksum says, in order; all of the
    /// recordings' are. A client that encrypts does so before the checksum is made.
    pub fn verify(&self, messages: &[Message]) -> Vec<Checksum> {
        match self {
            Self::Undetermined => Vec::new(),
            Self::Headers56 => messages.iter().map(|m| m.verify(false)).collect(),
            Self::Headers64 => messages.iter().map(|m| m.verify(true)).collect(),
            Self::Batches(batches) => records(batches, messages)
                .flat_map(|(batch, frames)| frames.iter().map(|m| batch.verify_frame(m)))
                .collect(),
        }
    }

    /// Whether each batch record is what its checksum says, in order; empty in
    /// the other layouts.
    pub fn verify_batches(&self, messages: &[Message]) -> Vec<Checksum> {
        match self {
            Self::Batches(batches) => records(batches, messages)
                .map(|(batch, frames)| batch.verify(frames))
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Each record with its messages.
fn records<'a>(
    batches: &'a [Batch],
    mut messages: &'a [Message],
) -> impl Iterator<Item = (&'a Batch, &'a [Message])> {
    batches.iter().map(move |batch| {
        let (frames, rest) = messages.split_at(batch.frames.min(messages.len()));
        messages = rest;
        (batch, frames)
    })
}

/// What could be read of a sequence of messages.
pub(crate) struct Read {
    pub(crate) layout: MessageLayout,
    pub(crate) messages: Vec<Message>,
    /// Bytes that could not be read, at the end.
    pub(crate) left: usize,
    /// Why they could not.
    pub(crate) failure: Option<Failure>,
}

/// What a layout makes of some bytes.
struct Scan {
    layout: HeaderLayout,
    /// Where in the input the messages begin.
    start: usize,
    fit: Fit,
}

/// How well it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fit {
    /// The messages fill the bytes and are as many as was said.
    tiles: bool,
    /// Their offsets rise.
    rises: bool,
    /// There are several, and each has the offset after the one before.
    counts_on: bool,
    /// How many can be read.
    messages: usize,
}

/// Reads `count` messages that are the whole of `input`, which is a part of
/// `body`, in the one layout that fits it: the messages fill it exactly, are as
/// many as was announced, and, in a reply, their offsets rise (case D3). Where two
/// do, nothing is read, for nothing tells which is right. Where none does, the body
/// is damaged, and what can be read of it is, in the usual layout, unless another
/// alone finds offsets that follow each other.
pub(crate) fn read_polled(dialect: Dialect, count: u32, body: &Bytes, input: &[u8]) -> Read {
    let scans = HeaderLayout::of(dialect).iter();
    let scans = scans.map(|layout| scan(*layout, 0, count, input, true));
    best(scans, body, input)
}

/// Likewise for a send request, whose messages have no offsets yet and, unless
/// they are in batch records, are preceded by 16 bytes of index each.
pub(crate) fn read_sent(dialect: Dialect, count: u32, body: &Bytes, input: &[u8]) -> Read {
    let index = reader::widen(count).saturating_mul(INDEX_SIZE);
    let scans = HeaderLayout::of(dialect).iter();
    let scans = scans.map(|layout| match layout {
        HeaderLayout::Batches => scan(*layout, 0, count, input, false),
        _ => scan(*layout, index, count, input, false),
    });
    best(scans, body, input)
}

/// Bytes of index for each message of a classic send request.
const INDEX_SIZE: usize = 16;

fn scan(layout: HeaderLayout, start: usize, count: u32, input: &[u8], polled: bool) -> Scan {
    let mut views = MessageViews::new(layout, input.get(start..).unwrap_or_default());
    let (mut rises, mut counts_on) = (true, true);
    let mut messages = 0;
    let mut last: Option<u64> = None;
    for view in &mut views {
        messages += 1;
        let offset = view.header.offset;
        if let Some(last) = last {
            rises &= last < offset;
            counts_on &= last.checked_add(1) == Some(offset);
        }
        last = Some(offset);
    }
    let fit = Fit {
        tiles: start <= input.len()
            && views.failure().is_none()
            && messages == reader::widen(count),
        rises: rises || !polled,
        counts_on: counts_on && messages > 1,
        messages,
    };
    Scan { layout, start, fit }
}

fn best(scans: impl Iterator<Item = Scan>, body: &Bytes, input: &[u8]) -> Read {
    if input.is_empty() {
        return nothing(0, None);
    }
    let scans: Vec<Scan> = scans.collect();
    let whole = |rises| move |scan: &&Scan| scan.fit.tiles && scan.fit.rises >= rises;
    for rises in [true, false] {
        let mut fitting = scans.iter().filter(whole(rises));
        match (fitting.next(), fitting.next()) {
            (Some(scan), None) if !may_be_cut(scan, input) => return read(scan, body, input),
            (Some(_), _) => {
                let failure = Failure::new("messages", input, Fault::Undetermined);
                return nothing(input.len(), Some(failure));
            }
            (None, _) => {}
        }
    }
    let usual = scans.first();
    let evident = || scans.iter().find(|scan| scan.fit.counts_on);
    let Some(scan) = usual
        .filter(|usual| usual.fit.counts_on)
        .or_else(evident)
        .or(usual)
    else {
        return nothing(input.len(), None);
    };
    if scan.start > input.len() {
        let (needed, left) = (scan.start, input.len());
        let failure = Failure::new("message index", input, Fault::Truncated { needed, left });
        return nothing(left, Some(failure));
    }
    read(scan, body, input)
}

/// Whether a single message with a header of 56 bytes may as well be one with a
/// header of 64 that has lost its end: where that header has its 8 reserved bytes,
/// there are zeros.
fn may_be_cut(scan: &Scan, input: &[u8]) -> bool {
    let content = input.iter().skip(scan.start + scan.layout.header_size());
    scan.layout == HeaderLayout::Headers56
        && scan.fit.messages == 1
        && content.take(8).all(|byte| *byte == 0)
}

fn nothing(left: usize, failure: Option<Failure>) -> Read {
    Read {
        layout: MessageLayout::Undetermined,
        messages: Vec::new(),
        left,
        failure,
    }
}

fn read(scan: &Scan, body: &Bytes, input: &[u8]) -> Read {
    let input = input.get(scan.start..).unwrap_or_default();
    let mut views = MessageViews::new(scan.layout, input);
    let mut messages = Vec::with_capacity(scan.fit.messages.min(MAX_ELEMENTS_PREALLOCATED));
    let mut batches: Vec<Batch> = Vec::new();
    let mut size = 0;
    while let Some(view) = views.next() {
        if let Some((header, is_first)) = views.batch() {
            if is_first {
                size += BATCH_HEADER_SIZE;
                batches.push(Batch {
                    header: *header,
                    frames: 0,
                });
            }
            if let Some(batch) = batches.last_mut() {
                batch.frames += 1;
            }
        }
        let message = Message::of(&view, body);
        size += message.length_in(scan.layout);
        messages.push(message);
    }
    Read {
        layout: match scan.layout {
            HeaderLayout::Headers56 => MessageLayout::Headers56,
            HeaderLayout::Headers64 => MessageLayout::Headers64,
            HeaderLayout::Batches => MessageLayout::Batches(batches),
        },
        messages,
        left: input.len() - size,
        failure: views.failure().cloned(),
    }
}

/// The messages, in their layout.
pub(crate) fn write_messages(
    layout: &MessageLayout,
    messages: &[Message],
    writer: &mut impl Writer,
) {
    match layout {
        MessageLayout::Batches(batches) => writer.list("batches", |w| {
            for (batch, frames) in records(batches, messages) {
                batch.write(frames, w);
            }
        }),
        MessageLayout::Headers56 => write_each(false, messages, writer),
        MessageLayout::Headers64 | MessageLayout::Undetermined => {
            write_each(true, messages, writer);
        }
    }
}

fn write_each(has_reserved: bool, messages: &[Message], writer: &mut impl Writer) {
    writer.list("messages", |w| {
        for message in messages {
            message.write(has_reserved, w);
        }
    });
}
