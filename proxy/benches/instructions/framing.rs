//! Bytes to frames.

use std::hint::black_box;

use bytes::{Bytes, BytesMut};
use parallax_codec::{Dialect, Direction, classic, code, vsr};

use crate::case::{Case, Prepared};
use crate::frames::{poll, polled, reply, request};

const SMALL: u32 = 1000;
const LARGE: usize = 1 << 20;

pub(crate) fn cases() -> Vec<Case> {
    [
        Case::in_both("framing: a poll, 1000 of them in a chunk", small),
        Case::in_both(
            "framing: a chunk of 1 KiB, of a frame of 1 MiB",
            |dialect| large(dialect, 1 << 10),
        ),
        Case::in_both("framing: a frame of 1 MiB, in one chunk", |dialect| {
            large(dialect, usize::MAX)
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn small(dialect: Dialect) -> Prepared {
    let one = request(dialect, &poll(10));
    let mut chunk = BytesMut::new();
    for _ in 0..SMALL {
        chunk.extend_from_slice(&one);
    }
    let framed = framed(dialect, Direction::ToServer, vec![chunk.freeze()]);
    Prepared::new(SMALL.into(), move || assert_eq!(framed(), SMALL as usize))
}

/// A reply in chunks of this size.
fn large(dialect: Dialect, size: usize) -> Prepared {
    let body = polled(dialect, 0, 1, LARGE);
    let frame = reply(dialect, code::POLL_MESSAGES, &body);
    let mut rest = frame;
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        chunks.push(rest.split_to(size.min(rest.len())));
    }
    let items = chunks.len() as u64;
    let framed = framed(dialect, Direction::ToClient, chunks);
    Prepared::new(items, move || assert_eq!(framed(), 1))
}

/// What frames the chunks and counts the frames.
fn framed(dialect: Dialect, direction: Direction, chunks: Vec<Bytes>) -> impl Fn() -> usize {
    move || match dialect {
        Dialect::Classic => {
            let mut framer = classic::Framer::new(direction);
            let mut frames = Vec::new();
            for chunk in &chunks {
                framer.push(chunk.clone(), &mut frames);
            }
            black_box(frames).len()
        }
        Dialect::Vsr => {
            let mut framer = vsr::Framer::new();
            let mut frames = Vec::new();
            for chunk in &chunks {
                framer.push(chunk.clone(), &mut frames);
            }
            black_box(frames).len()
        }
    }
}
