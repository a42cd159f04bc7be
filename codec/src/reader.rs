//! Named little-endian fields, read as nom's parsers are. Everything on Iggy's wire is
//! little-endian (`iggy_binary_protocol` 0.10.0, `codec.rs`).

use crate::error::{Failure, Fault};
use crate::limits::MAX_ELEMENTS_PREALLOCATED;

/// What every parser of this crate returns: the rest of the input, then the value.
pub type Parsed<'a, T> = nom::IResult<&'a [u8], T, Failure>;

#[inline]
pub(crate) fn u8<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, u8> {
    exactly(what, input, u8::from_le_bytes)
}

#[inline]
pub(crate) fn u16<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, u16> {
    exactly(what, input, u16::from_le_bytes)
}

#[inline]
pub(crate) fn u32<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, u32> {
    exactly(what, input, u32::from_le_bytes)
}

#[inline]
pub(crate) fn u64<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, u64> {
    exactly(what, input, u64::from_le_bytes)
}

#[inline]
pub(crate) fn u128<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, u128> {
    exactly(what, input, u128::from_le_bytes)
}

#[inline]
pub(crate) fn f32<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, f32> {
    exactly(what, input, f32::from_le_bytes)
}

/// One byte; anything but 0 is true, as the servers read it.
pub(crate) fn flag<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, bool> {
    let (rest, byte) = u8(what, input)?;
    Ok((rest, byte != 0))
}

/// The number that `N` bytes are.
#[inline]
fn exactly<'a, T, const N: usize>(
    what: &'static str,
    input: &'a [u8],
    number: impl Fn([u8; N]) -> T,
) -> Parsed<'a, T> {
    match input.split_first_chunk::<N>() {
        Some((raw, rest)) => Ok((rest, number(*raw))),
        None => Err(cut_short(what, input, N)),
    }
}

#[cold]
fn cut_short(what: &'static str, input: &[u8], needed: usize) -> nom::Err<Failure> {
    let left = input.len();
    Failure::fail(what, input, Fault::Truncated { needed, left })
}

/// Exactly `length` bytes, not copied.
pub(crate) fn bytes<'a>(
    what: &'static str,
    length: usize,
    input: &'a [u8],
) -> Parsed<'a, &'a [u8]> {
    match input.split_at_checked(length) {
        Some((bytes, rest)) => Ok((rest, bytes)),
        None => Err(cut_short(what, input, length)),
    }
}

/// Exactly `length` bytes of UTF-8.
pub(crate) fn text<'a>(what: &'static str, length: usize, input: &'a [u8]) -> Parsed<'a, String> {
    let (rest, raw) = bytes(what, length, input)?;
    match std::str::from_utf8(raw) {
        Ok(text) => Ok((rest, text.to_owned())),
        Err(_) => Err(Failure::fail(what, input, Fault::NotUtf8)),
    }
}

/// `[length u8][UTF-8]`.
pub(crate) fn text_u8<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, String> {
    let (rest, length) = u8(what, input)?;
    text(what, length.into(), rest)
}

/// `[length u8][UTF-8]`, 1 to 255 bytes.
pub(crate) fn name<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, String> {
    let (rest, name) = text_u8(what, input)?;
    if name.is_empty() {
        return Err(Failure::fail(what, input, Fault::WrongLength(0)));
    }
    Ok((rest, name))
}

/// `[length u32][UTF-8]`.
pub(crate) fn text_u32<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, String> {
    let (rest, length) = u32(what, input)?;
    text(what, widen(length), rest)
}

/// A wire length as an index. Every supported target has at least 32-bit
/// addresses, so nothing is lost.
pub(crate) const fn widen(length: u32) -> usize {
    length as usize
}

/// Room for `announced` elements, never more than the limit: the count is the
/// sender's word, the bytes are the fact.
pub(crate) fn room<T>(announced: usize) -> Vec<T> {
    Vec::with_capacity(announced.min(MAX_ELEMENTS_PREALLOCATED))
}

/// `count` elements, one after the other.
pub(crate) fn repeated<'a, T>(
    count: u32,
    mut input: &'a [u8],
    element: impl Fn(&'a [u8]) -> Parsed<'a, T>,
) -> Parsed<'a, Vec<T>> {
    let mut elements = room(widen(count));
    for _ in 0..count {
        let (rest, value) = element(input)?;
        // An element without a byte could be repeated 4 billion times for free.
        if rest.len() == input.len() {
            return Err(Failure::fail("element", input, Fault::WrongLength(0)));
        }
        elements.push(value);
        input = rest;
    }
    Ok((input, elements))
}

/// Elements until the input ends.
pub(crate) fn until_end<'a, T>(
    mut input: &'a [u8],
    element: impl Fn(&'a [u8]) -> Parsed<'a, T>,
) -> Parsed<'a, Vec<T>> {
    let mut elements = Vec::new();
    while !input.is_empty() {
        let (rest, value) = element(input)?;
        if rest.len() == input.len() {
            return Err(Failure::fail("element", input, Fault::WrongLength(0)));
        }
        elements.push(value);
        input = rest;
    }
    Ok((input, elements))
}

/// `[flag u8]`, followed by the value where the flag is 1.
pub(crate) fn optional<'a, T>(
    what: &'static str,
    input: &'a [u8],
    value: impl Fn(&'a [u8]) -> Parsed<'a, T>,
) -> Parsed<'a, Option<T>> {
    let (rest, given) = u8(what, input)?;
    if given != 1 {
        return Ok((rest, None));
    }
    let (rest, value) = value(rest)?;
    Ok((rest, Some(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_made_for_what_was_announced_up_to_the_limit() {
        assert_eq!(room::<u64>(MAX_ELEMENTS_PREALLOCATED - 1).capacity(), 1023);
        assert_eq!(room::<u64>(MAX_ELEMENTS_PREALLOCATED + 1).capacity(), 1024);
        assert_eq!(room::<u64>(usize::MAX).capacity(), 1024);
    }

    #[test]
    fn four_billion_elements_that_are_not_there_are_not_read() {
        let element = |input| u32("element", input);
        let error = repeated(u32::MAX, &[0; 9], element).unwrap_err();
        let fault = Fault::Truncated { needed: 4, left: 1 };
        assert_eq!(error, Failure::fail("element", &[0], fault));
        let nothing = |input| Ok((input, ()));
        assert!(repeated(u32::MAX, &[0; 9], nothing).is_err(), "without end");
        assert!(until_end(&[0; 9], nothing).is_err(), "without end");
    }
}
