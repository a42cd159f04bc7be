//! Named little-endian fields, read with nom. Everything on Iggy's wire is
//! little-endian (`iggy_binary_protocol` 0.10.0, `codec.rs`).

use nom::Parser as _;
use nom::number::complete as number;

use crate::error::{Failure, Fault};
use crate::limits::MAX_ELEMENTS_PREALLOCATED;

/// What every parser of this crate returns: the rest of the input, then the value.
pub type Parsed<'a, T> = nom::IResult<&'a [u8], T, Failure>;

macro_rules! little_endian {
    ($($name:ident -> $type:ty),*) => {$(
        pub(crate) fn $name<'a>(what: &'static str, input: &'a [u8]) -> Parsed<'a, $type> {
            const WIDTH: usize = size_of::<$type>();
            need(what, input, WIDTH)?;
            numbers::$name(input)
        }
    )*};
}

/// nom's number parsers under the names used here.
mod numbers {
    use super::{Failure, Parsed, number};
    pub(super) fn u8(input: &[u8]) -> Parsed<'_, u8> {
        number::u8::<_, Failure>(input)
    }
    pub(super) fn u32(input: &[u8]) -> Parsed<'_, u32> {
        number::le_u32::<_, Failure>(input)
    }
    pub(super) fn u64(input: &[u8]) -> Parsed<'_, u64> {
        number::le_u64::<_, Failure>(input)
    }
    pub(super) fn u128(input: &[u8]) -> Parsed<'_, u128> {
        number::le_u128::<_, Failure>(input)
    }
    pub(super) fn f32(input: &[u8]) -> Parsed<'_, f32> {
        number::le_f32::<_, Failure>(input)
    }
}

little_endian!(u8 -> u8, u32 -> u32, u64 -> u64, u128 -> u128, f32 -> f32);

fn need(what: &'static str, input: &[u8], needed: usize) -> Result<(), nom::Err<Failure>> {
    if input.len() < needed {
        let fault = Fault::Truncated {
            needed,
            left: input.len(),
        };
        return Err(Failure::fail(what, input, fault));
    }
    Ok(())
}

/// Exactly `length` bytes, not copied.
pub(crate) fn bytes<'a>(
    what: &'static str,
    length: usize,
    input: &'a [u8],
) -> Parsed<'a, &'a [u8]> {
    need(what, input, length)?;
    nom::bytes::complete::take(length).parse(input)
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
