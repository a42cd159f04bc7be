//! One frame: kept bytes, decoded value, and what could not be decoded.

use std::ops::Range;

use bytes::Bytes;
use parallax_codec::{Body, DecodeError, Direction, Encode, fields_of, secret_ranges};

use super::frame::AnyFrame;
use crate::connection::Undecoded;
use crate::redaction;

pub(super) struct Half<T> {
    pub(super) frame: Bytes,
    pub(super) value: Option<T>,
    pub(super) undecoded: Option<Undecoded>,
}

impl<T: Encode> Half<T> {
    /// Reads a frame's body. `decode` is given the body whole; the value it makes
    /// may begin later in it, but ends where the body ends.
    pub(super) fn read(
        frame: &AnyFrame,
        direction: Direction,
        may_carry_secrets: bool,
        decode: impl Fn(&Bytes) -> Result<(T, Option<DecodeError>), DecodeError>,
    ) -> Self {
        let told = |why: String, at: u64| Some(Undecoded { why, at, direction });
        let whole = match frame.body() {
            Body::Whole(body) => body,
            Body::Oversized { prefix } => {
                let why = format!(
                    "a body of {} bytes is longer than is looked at; it was forwarded whole",
                    frame.body_length()
                );
                let shown = if may_carry_secrets { &[] } else { &prefix[..] };
                return Self {
                    frame: frame.with_body(shown),
                    value: None,
                    undecoded: told(why, frame.body_start()),
                };
            }
            Body::Malformed { length } => {
                let why = format!(
                    "the length {length} is below what it has to count; \
                     the header was stepped over as a server does"
                );
                return Self {
                    frame: frame.with_body(&[]),
                    value: None,
                    undecoded: told(why, frame.start()),
                };
            }
        };
        // What is kept is a copy of its own, which pins no larger buffer.
        let frame_kept = if may_carry_secrets {
            let secrets = secrets_of(whole, &decode);
            frame.with_body(&redaction::masked(whole, &secrets))
        } else {
            frame.with_body(whole)
        };
        let body = frame_kept.slice(frame_kept.len() - whole.len()..);
        let (value, fault) = match decode(&body) {
            Ok((value, fault)) => (Some(value), fault),
            Err(error) => (None, Some(error)),
        };
        Self {
            frame: frame_kept,
            value,
            undecoded: fault
                .and_then(|fault| told(fault.to_string(), frame.body_start() + fault.at as u64)),
        }
    }
}

/// Where the secrets of a body are: all of it, where it cannot be decoded.
fn secrets_of<T: Encode>(
    whole: &Bytes,
    decode: impl Fn(&Bytes) -> Result<(T, Option<DecodeError>), DecodeError>,
) -> Vec<Range<usize>> {
    let Ok((value, _)) = decode(whole) else {
        return std::iter::once(0..whole.len()).collect();
    };
    // What precedes the value (a result section) moves its fields.
    let start = whole.len().saturating_sub(value.encode().len());
    secret_ranges(&fields_of(&value, start))
}
