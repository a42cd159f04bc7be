use bytes::Bytes;

use super::batch::{BATCH_HEADER_SIZE, Batch, FRAME_HEADER_SIZE};
use super::view::{MessageViews, at, message};
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

/// A layout that the messages may have.
#[derive(Clone, Copy)]
struct Candidate {
    layout: HeaderLayout,
    /// Where in the input the messages begin.
    start: usize,
}

/// What is known of some messages before they are read.
struct Told<'a> {
    /// How many there are.
    count: usize,
    /// Whether their offsets rise.
    polled: bool,
    input: &'a [u8],
}

/// How well a layout fits.
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

impl Fit {
    /// How well some messages fit that were added up as `steps`.
    fn of(steps: &Steps, at: Candidate, failed: bool, told: &Told<'_>) -> Self {
        Self {
            tiles: at.start <= told.input.len() && !failed && steps.messages == told.count,
            rises: steps.rises || !told.polled,
            counts_on: steps.counts_on && steps.messages > 1,
            messages: steps.messages,
        }
    }
}

/// From message to message.
struct Steps {
    messages: usize,
    rises: bool,
    counts_on: bool,
    last: u64,
}

impl Steps {
    const fn new() -> Self {
        Self {
            messages: 0,
            rises: true,
            counts_on: true,
            last: 0,
        }
    }

    fn add(&mut self, offset: u64) {
        if self.messages > 0 {
            self.rises &= self.last < offset;
            self.counts_on &= self.last.checked_add(1) == Some(offset);
        }
        self.messages += 1;
        self.last = offset;
    }
}

/// Reads `count` messages that are the whole of `input`, which is a part of
/// `body`, in the one layout that fits it: the messages fill it exactly, are as
/// many as was announced, and, in a reply, their offsets rise (case D3). Where two
/// do, nothing is read, for nothing tells which is right. Where none does, the body
/// is damaged, and what can be read of it is, in the usual layout, unless another
/// alone finds offsets that follow each other, or the usual one something in a reserved
/// field, which is then that of a payload.
#[inline]
pub(crate) fn read_polled(dialect: Dialect, count: u32, body: &Bytes, input: &[u8]) -> Read {
    let told = Told {
        count: reader::widen(count),
        polled: true,
        input,
    };
    let at = |layout| Candidate { layout, start: 0 };
    match dialect {
        Dialect::Classic => best(&CLASSIC.map(at), &told, body),
        Dialect::Vsr => best(&VSR.map(at), &told, body),
    }
}

/// Likewise for a send request, whose messages have no offsets yet and, unless
/// they are in batch records, are preceded by 16 bytes of index each.
pub(crate) fn read_sent(dialect: Dialect, count: u32, body: &Bytes, input: &[u8]) -> Read {
    let told = Told {
        count: reader::widen(count),
        polled: false,
        input,
    };
    let index = told.count.saturating_mul(INDEX_SIZE);
    let at = |layout| Candidate {
        layout,
        start: if layout == HeaderLayout::Batches {
            0
        } else {
            index
        },
    };
    match dialect {
        Dialect::Classic => best(&CLASSIC.map(at), &told, body),
        Dialect::Vsr => best(&VSR.map(at), &told, body),
    }
}

/// Bytes of index for each message of a classic send request.
const INDEX_SIZE: usize = 16;

/// The layouts of the classic dialect, the usual one first.
const CLASSIC: [HeaderLayout; 2] = [HeaderLayout::Headers64, HeaderLayout::Headers56];

/// The layouts of the VSR dialect, the usual one first.
const VSR: [HeaderLayout; 3] = [
    HeaderLayout::Batches,
    HeaderLayout::Headers64,
    HeaderLayout::Headers56,
];

/// Nearly all bodies are in the usual layout and fit no other: that one is read
/// at once, the others are walked over only until they are seen not to fit. A single
/// message that fits the usual layout fits no other: headers of 56 and of 64 bytes have
/// the lengths at the same place, and a record, taken for such a message, is one that
/// ends before the record's header does.
#[inline]
fn best<const N: usize>(candidates: &[Candidate; N], told: &Told<'_>, body: &Bytes) -> Read {
    let [usual, others @ ..] = candidates.as_slice() else {
        return nothing(told.input.len(), None);
    };
    if told.input.is_empty() {
        return nothing(0, None);
    }
    let (read, fit) = read(*usual, told, body);
    if fit.tiles && fit.rises && !may_be_cut(*usual, fit, told.input) {
        return if fit.messages > 1 && others.iter().any(|other| fits(*other, told)) {
            undetermined(told.input)
        } else {
            read
        };
    }
    unusual(&candidates.map(|at| (at, scan(at, told))), told, body)
}

/// Likewise, where the usual layout does not fit.
#[cold]
fn unusual(scans: &[(Candidate, Fit)], told: &Told<'_>, body: &Bytes) -> Read {
    let input = told.input;
    let has_records = scans
        .first()
        .is_some_and(|(at, _)| at.layout == HeaderLayout::Batches);
    let may_be_cut = |at, fit| may_be_cut(at, fit, input) || has_records && may_begin_record(told);
    let whole = |rises| move |(_, fit): &&(_, Fit)| fit.tiles && fit.rises >= rises;
    for rises in [true, false] {
        let mut fitting = scans.iter().filter(whole(rises));
        match (fitting.next(), fitting.next()) {
            (Some((at, fit)), None) if !may_be_cut(*at, *fit) => {
                return read(*at, told, body).0;
            }
            (Some(_), _) => return undetermined(input),
            (None, _) => {}
        }
    }
    let usual = scans.first();
    let evident = || scans.iter().find(|(_, fit)| fit.counts_on);
    let Some((at, _)) = usual
        .filter(|(_, fit)| fit.counts_on)
        .or_else(evident)
        .or_else(|| scans.iter().find(|(at, _)| !fills_reserved(*at, told)))
    else {
        return nothing(input.len(), None);
    };
    if at.start > input.len() {
        let (needed, left) = (at.start, input.len());
        let failure = Failure::new("message index", input, Fault::Truncated { needed, left });
        return nothing(left, Some(failure));
    }
    read(*at, told, body).0
}

fn views<'a>(at: Candidate, told: &Told<'a>) -> MessageViews<'a> {
    MessageViews::new(at.layout, told.input.get(at.start..).unwrap_or_default())
}

fn scan(at: Candidate, told: &Told<'_>) -> Fit {
    let mut views = views(at, told);
    let mut steps = Steps::new();
    for view in &mut views {
        steps.add(view.header.offset);
    }
    Fit::of(&steps, at, views.failure().is_some(), told)
}

/// Whether a layout finds something in a message's reserved field.
fn fills_reserved(at: Candidate, told: &Told<'_>) -> bool {
    views(at, told).any(|view| view.header.reserved != 0)
}

/// Whether a layout fits: no more is looked at than it takes to see that not.
fn fits(at: Candidate, told: &Told<'_>) -> bool {
    let mut views = views(at, told);
    let mut steps = Steps::new();
    for view in &mut views {
        steps.add(view.header.offset);
        if steps.messages > told.count || told.polled && !steps.rises {
            return false;
        }
    }
    Fit::of(&steps, at, views.failure().is_some(), told).tiles
}

/// Whether a single message with a header of 56 bytes may as well be one with a
/// header of 64 that has lost its end: where that header has its 8 reserved bytes,
/// there are zeros.
fn may_be_cut(at: Candidate, fit: Fit, input: &[u8]) -> bool {
    let content = input.iter().skip(at.start + at.layout.header_size());
    at.layout == HeaderLayout::Headers56
        && fit.messages == 1
        && content.take(8).all(|byte| *byte == 0)
}

/// Whether messages may as well be a batch record that has lost its end: there is the
/// count of its frames, and nothing after it in its header but zeros. In the older
/// layouts these are the user headers' length and a payload of no byte, which no server
/// takes (4024).
fn may_begin_record(told: &Told<'_>) -> bool {
    let Some((header, reserved)) = told.input.split_at_checked(RECORD_RESERVED) else {
        return false;
    };
    let count = u32::from_le_bytes(at(header, RECORD_RESERVED - 4));
    let mut reserved = reserved.iter().take(BATCH_HEADER_SIZE - RECORD_RESERVED);
    reader::widen(count) == told.count && reserved.all(|byte| *byte == 0)
}

/// Where the reserved bytes of a record's header begin, after the count.
const RECORD_RESERVED: usize = 52;

#[cold]
fn undetermined(input: &[u8]) -> Read {
    let failure = Failure::new("messages", input, Fault::Undetermined);
    nothing(input.len(), Some(failure))
}

#[cold]
fn nothing(left: usize, failure: Option<Failure>) -> Read {
    Read {
        layout: MessageLayout::Undetermined,
        messages: Vec::new(),
        left,
        failure,
    }
}

/// What a layout makes of some messages, and how well it fits them.
#[inline]
fn read(at: Candidate, told: &Told<'_>, body: &Bytes) -> (Read, Fit) {
    match at.layout {
        HeaderLayout::Headers56 => {
            read_each::<{ MESSAGE_HEADER_SIZE - 8 }>(at, told, body, MessageLayout::Headers56)
        }
        HeaderLayout::Headers64 => {
            read_each::<MESSAGE_HEADER_SIZE>(at, told, body, MessageLayout::Headers64)
        }
        HeaderLayout::Batches => read_records(at, told, body),
    }
}

/// Likewise, where each message has a header of its own, of `N` bytes.
#[inline]
fn read_each<const N: usize>(
    at: Candidate,
    told: &Told<'_>,
    body: &Bytes,
    layout: MessageLayout,
) -> (Read, Fit) {
    let mut rest = told.input.get(at.start..).unwrap_or_default();
    let mut messages = room(told.count, rest.len() / N);
    let mut steps = Steps::new();
    let mut failure = None;
    while !rest.is_empty() {
        match message::<N>(rest) {
            Ok((view, after)) => {
                steps.add(view.header.offset);
                messages.push(Message::of(&view, body));
                rest = after;
            }
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    let fit = Fit::of(&steps, at, failure.is_some(), told);
    let read = Read {
        layout,
        messages,
        left: rest.len(),
        failure,
    };
    (read, fit)
}

/// Room for as many messages as were announced and can be there.
fn room(announced: usize, most: usize) -> Vec<Message> {
    Vec::with_capacity(announced.min(most).min(MAX_ELEMENTS_PREALLOCATED))
}

/// Likewise, where they are in records.
fn read_records(at: Candidate, told: &Told<'_>, body: &Bytes) -> (Read, Fit) {
    let mut views = views(at, told);
    let length = views.rest().len();
    let mut messages = room(told.count, length / FRAME_HEADER_SIZE);
    let mut batches: Vec<Batch> = Vec::new();
    let mut steps = Steps::new();
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
        steps.add(view.header.offset);
        let message = Message::of(&view, body);
        size += message.length_in(at.layout);
        messages.push(message);
    }
    let fit = Fit::of(&steps, at, views.failure().is_some(), told);
    let read = Read {
        layout: MessageLayout::Batches(batches),
        messages,
        left: length - size,
        failure: views.failure().cloned(),
    };
    (read, fit)
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
