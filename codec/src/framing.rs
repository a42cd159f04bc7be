//! What both dialects' framers are made of: bytes in, frames out, however the
//! bytes were split or joined.

use bytes::{Buf as _, Bytes, BytesMut};

use crate::limits::OVERSIZED_PREFIX;

/// Which way bytes travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the client to the server: requests.
    ToServer,
    /// From the server to the client: replies.
    ToClient,
}

/// A frame's body. `Debug` shows its length alone: a password may be in it.
#[derive(Clone, PartialEq, Eq)]
pub enum Body {
    /// All of it.
    Whole(Bytes),
    /// Longer than the framer's limit: its first bytes; the rest was counted and
    /// stepped over.
    Oversized {
        /// The first bytes, at most [`OVERSIZED_PREFIX`].
        prefix: Bytes,
    },
    /// The length is below what it must count: the 4 bytes of the code in a
    /// classic request, the 256 of the header in a VSR frame. The header was
    /// stepped over. Server 0.8.0 answers such a request with status 3 and goes
    /// on after the 8 bytes, and so do we (recording
    /// `skew_python-0.9.0_server-0.8.0`).
    Malformed {
        /// The length as it stood.
        length: u32,
    },
}

impl Body {
    /// The body, or what was kept of it.
    pub fn bytes(&self) -> Bytes {
        match self {
            Self::Whole(bytes) => bytes.clone(),
            Self::Oversized { prefix } => prefix.clone(),
            Self::Malformed { .. } => Bytes::new(),
        }
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Self::Oversized { prefix } => write!(f, "Oversized({} bytes kept)", prefix.len()),
            Self::Malformed { length } => write!(f, "Malformed(length {length})"),
        }
    }
}

/// What a dialect's headers look like.
pub(crate) trait Format {
    /// What is kept of a header.
    type Header;

    /// Bytes before a body.
    const HEADER_SIZE: usize;

    /// Reads the first [`Format::HEADER_SIZE`] bytes; `None` where there are fewer.
    fn announced(&self, bytes: &[u8]) -> Option<Announced>;

    /// What is kept of the header that `bytes` begin with.
    fn header(&self, bytes: &[u8]) -> Option<Self::Header>;
}

/// The length of the body that a header announces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Announced {
    pub(crate) body_length: u64,
    /// The length field, where it is impossible.
    pub(crate) malformed: Option<u32>,
}

/// A frame as it was cut.
pub(crate) struct Cut<H> {
    pub(crate) start: u64,
    pub(crate) header: H,
    pub(crate) body_length: u64,
    pub(crate) body: Body,
}

/// The frame that `bytes` begin with, of which only the beginning may have been
/// kept; `None` where not even the header was.
pub(crate) fn kept<F: Format>(format: &F, mut bytes: Bytes) -> Option<Cut<F::Header>> {
    let announced = format.announced(&bytes)?;
    let header = format.header(&bytes)?;
    bytes.advance(F::HEADER_SIZE);
    let length = usize::try_from(announced.body_length).unwrap_or(usize::MAX);
    let body = match announced.malformed {
        Some(length) => Body::Malformed { length },
        None if bytes.len() >= length => Body::Whole(bytes.slice(..length)),
        None => Body::Oversized { prefix: bytes },
    };
    Some(Cut {
        start: 0,
        header,
        body_length: announced.body_length,
        body,
    })
}

/// Cuts one direction's bytes into frames.
///
/// Holds at most one unfinished frame, and never more than was received: the
/// length that a header announces is not allocated.
pub(crate) struct Cutter<F: Format> {
    format: F,
    limit: usize,
    /// Bytes of the unfinished frame, header included; of one that is being
    /// stepped over, the first bytes of its body.
    pending: BytesMut,
    /// Where the unfinished frame began.
    start: u64,
    /// Its header, once there, and what is still to be stepped over.
    stepping: Option<Stepping<F::Header>>,
}

struct Stepping<H> {
    header: H,
    announced: Announced,
    remaining: u64,
}

impl<F: Format> Cutter<F> {
    /// A cutter at a frame's first byte, for bodies of up to `limit` bytes.
    pub(crate) fn new(format: F, limit: usize) -> Self {
        Self {
            format,
            limit,
            pending: BytesMut::new(),
            start: 0,
            stepping: None,
        }
    }

    pub(crate) const fn format(&self) -> &F {
        &self.format
    }

    pub(crate) const fn start(&self) -> u64 {
        self.start
    }

    pub(crate) fn restart_at(&mut self, start: u64) {
        // Its memory is given back: there may be much of it.
        self.pending = BytesMut::new();
        self.stepping = None;
        self.start = start;
    }

    pub(crate) fn is_between_frames(&self) -> bool {
        self.pending.is_empty() && self.stepping.is_none()
    }

    /// Of the unfinished frame: bytes here, and bytes it will have once whole,
    /// if its header is here to tell.
    pub(crate) fn unfinished(&self) -> Option<(u64, Option<u64>)> {
        let header_size = F::HEADER_SIZE as u64;
        if let Some(stepping) = &self.stepping {
            let whole = header_size + stepping.announced.body_length;
            return Some((whole - stepping.remaining, Some(whole)));
        }
        if self.pending.is_empty() {
            return None;
        }
        let announced = self.format.announced(&self.pending);
        let whole = announced.map(|announced| header_size + announced.body_length);
        Some((self.pending.len() as u64, whole))
    }

    /// Takes of the next bytes up to the end of the first frame that they complete; all
    /// of them where there is none.
    pub(crate) fn next(&mut self, chunk: &mut Bytes) -> Option<Cut<F::Header>> {
        while !chunk.is_empty() {
            if let Some(cut) = self.advance(chunk) {
                self.start = cut.start + F::HEADER_SIZE as u64 + cut.body_length;
                return Some(cut);
            }
        }
        None
    }

    /// Consumes at least one byte of a non-empty chunk.
    fn advance(&mut self, chunk: &mut Bytes) -> Option<Cut<F::Header>> {
        if self.stepping.is_some() {
            return self.step_over(chunk);
        }
        // Where nothing is pending a frame is cut out of the chunk, not copied.
        if self.pending.is_empty()
            && let Some(announced) = self.format.announced(chunk)
            && let Some(whole) = self.whole_length(announced)
            && chunk.len() >= whole
        {
            let bytes = chunk.split_to(whole);
            return self.cut(announced, bytes);
        }
        let wanted = match self.format.announced(&self.pending) {
            None => F::HEADER_SIZE,
            Some(announced) => match self.whole_length(announced) {
                Some(whole) => whole,
                None => return self.begin_stepping(announced, chunk),
            },
        };
        let taken = (wanted - self.pending.len()).min(chunk.len());
        self.pending.extend_from_slice(&chunk.split_to(taken));
        let announced = self.format.announced(&self.pending)?;
        let whole = self.whole_length(announced)?;
        if self.pending.len() < whole {
            return None;
        }
        let bytes = self.pending.split().freeze();
        self.cut(announced, bytes)
    }

    fn begin_stepping(
        &mut self,
        announced: Announced,
        chunk: &mut Bytes,
    ) -> Option<Cut<F::Header>> {
        self.stepping = Some(Stepping {
            header: self.format.header(&self.pending)?,
            announced,
            remaining: announced.body_length,
        });
        self.pending.advance(F::HEADER_SIZE);
        self.step_over(chunk)
    }

    fn step_over(&mut self, chunk: &mut Bytes) -> Option<Cut<F::Header>> {
        let stepping = self.stepping.as_mut()?;
        let passing = usize::try_from(stepping.remaining)
            .unwrap_or(usize::MAX)
            .min(chunk.len());
        let passed = chunk.split_to(passing);
        let room = OVERSIZED_PREFIX.saturating_sub(self.pending.len());
        self.pending
            .extend_from_slice(&passed[..passed.len().min(room)]);
        stepping.remaining -= passed.len() as u64;
        if stepping.remaining > 0 {
            return None;
        }
        let Stepping {
            header, announced, ..
        } = self.stepping.take()?;
        Some(Cut {
            start: self.start,
            header,
            body_length: announced.body_length,
            body: Body::Oversized {
                prefix: self.pending.split().freeze(),
            },
        })
    }

    fn cut(&self, announced: Announced, mut bytes: Bytes) -> Option<Cut<F::Header>> {
        let header = self.format.header(&bytes)?;
        bytes.advance(F::HEADER_SIZE);
        Some(Cut {
            start: self.start,
            header,
            body_length: announced.body_length,
            body: match announced.malformed {
                Some(length) => Body::Malformed { length },
                None => Body::Whole(bytes),
            },
        })
    }

    /// Length of the whole frame, or `None` where it is too long to gather.
    fn whole_length(&self, announced: Announced) -> Option<usize> {
        let body = usize::try_from(announced.body_length).ok()?;
        (body <= self.limit).then(|| F::HEADER_SIZE + body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::framer::Classic;
    use crate::limits::MAX_FRAME_BODY;
    use crate::vsr::HEADER_SIZE;
    use crate::vsr::framer::Vsr;

    /// Chunks of `size` bytes, `count` of them, after a `header`; the most
    /// memory that the cutter held meanwhile.
    fn most_held<F: Format>(
        format: F,
        limit: usize,
        header: Vec<u8>,
        (size, count): (usize, usize),
    ) -> usize {
        let mut cutter = Cutter::new(format, limit);
        cutter.next(&mut header.into());
        let chunk = Bytes::from(vec![7; size]);
        let mut most = cutter.pending.capacity();
        for _ in 0..count {
            let mut chunk = chunk.clone();
            while cutter.next(&mut chunk).is_some() {}
            most = most.max(cutter.pending.capacity());
        }
        most
    }

    /// The same in both dialects: a header that announces `length`.
    fn in_both(limit: usize, length: u32, chunks: (usize, usize)) -> usize {
        let classic = [0, length].map(u32::to_le_bytes).concat();
        let mut vsr = vec![0; HEADER_SIZE];
        vsr[48..52].copy_from_slice(&length.to_le_bytes());
        let classic = most_held(Classic(Direction::ToClient), limit, classic, chunks);
        classic.max(most_held(Vsr, limit, vsr, chunks))
    }

    #[test]
    fn an_announced_length_is_not_allocated() {
        assert!(in_both(usize::MAX, u32::MAX, (1, 0)) < 1024);
        assert!(in_both(usize::MAX, u32::MAX, (100, 10)) < 4096);
        assert!(in_both(MAX_FRAME_BODY, u32::MAX, (100, 10)) < 4096);
    }

    #[test]
    fn what_is_held_of_an_unfinished_frame_is_bounded() {
        let twice = 2 * (OVERSIZED_PREFIX + HEADER_SIZE);
        assert!(in_both(1 << 20, u32::MAX, (1 << 16, 1000)) <= twice);
        assert!(in_both(1 << 20, 1 << 20, (1 << 10, 1000)) <= 2 * ((1 << 20) + HEADER_SIZE));
    }
}
