//! Values to bytes, and to a description of those bytes.

use bytes::{BufMut, Bytes, BytesMut};

/// A value that can be put on the wire.
pub trait Encode {
    /// Describes the value to `writer`, field by field, in wire order.
    fn write(&self, writer: &mut impl Writer);

    /// The value's bytes.
    fn encode(&self) -> Bytes {
        let mut buffer = BytesMut::new();
        self.encode_to(&mut buffer);
        buffer.freeze()
    }

    /// Appends the value's bytes to `buffer`.
    fn encode_to(&self, buffer: &mut BytesMut) {
        self.write(&mut ByteWriter { buffer });
    }
}

/// Takes a value's description. Names are the fields' names in JSON and on the
/// page; an implementation that only wants bytes ignores them.
pub trait Writer: Sized {
    /// Fields that belong together.
    fn group(&mut self, name: &'static str, inner: impl FnOnce(&mut Self));
    /// A sequence; every element is a field or group within `inner`.
    fn list(&mut self, name: &'static str, inner: impl FnOnce(&mut Self));
    /// One byte, a number.
    fn u8(&mut self, name: &'static str, value: u8);
    /// Two bytes, little-endian.
    fn u16(&mut self, name: &'static str, value: u16);
    /// Four bytes, little-endian.
    fn u32(&mut self, name: &'static str, value: u32);
    /// Eight bytes, little-endian.
    fn u64(&mut self, name: &'static str, value: u64);
    /// Sixteen bytes, little-endian.
    fn u128(&mut self, name: &'static str, value: u128);
    /// Four bytes, IEEE 754, little-endian.
    fn f32(&mut self, name: &'static str, value: f32);
    /// One byte, 0 or 1.
    fn flag(&mut self, name: &'static str, value: bool);
    /// One byte that stands for something.
    fn kind(&mut self, name: &'static str, number: u8, meaning: &'static str);
    /// Four bytes, little-endian, that stand for something.
    fn meaning(&mut self, name: &'static str, number: u32, meaning: &'static str);
    /// UTF-8 without a length; write the length before it.
    fn text(&mut self, name: &'static str, value: &str);
    /// Bytes without a length; write the length before them.
    fn bytes(&mut self, name: &'static str, value: &[u8]);
    /// A password or token, without a length.
    fn secret(&mut self, name: &'static str, value: &[u8]);

    /// A partition's number, or what stands in its place: see
    /// [`partition_meaning`](crate::primitives::partition_meaning).
    fn partition(&mut self, name: &'static str, id: u32) {
        match crate::primitives::partition_meaning(id) {
            Some(meaning) => self.meaning(name, id, meaning),
            None => self.u32(name, id),
        }
    }

    /// Whether what is described is looked at, not only its bytes: then bytes
    /// that may have fields of their own are worth reading.
    fn describes(&self) -> bool {
        false
    }

    /// `[length u8][UTF-8]`. Longer text than the length can say is cut at 255
    /// bytes, so that what follows stays readable; no server accepts it anyway.
    fn text_u8(&mut self, length: &'static str, name: &'static str, value: &str) {
        let (size, value) = cut(value);
        self.u8(length, size);
        self.text(name, value);
    }

    /// `[length u8][secret UTF-8]`, cut like [`Writer::text_u8`].
    fn secret_u8(&mut self, length: &'static str, name: &'static str, value: &str) {
        let (size, value) = cut(value);
        self.u8(length, size);
        self.secret(name, value.as_bytes());
    }

    /// `[length u32][UTF-8]`.
    fn text_u32(&mut self, length: &'static str, name: &'static str, value: &str) {
        self.u32(length, narrow(value.len()));
        self.text(name, value);
    }
}

/// Writes `values` one after the other, as the list `list` of groups `element`.
pub(crate) fn write_sequence<T: Encode>(
    list: &'static str,
    element: &'static str,
    values: &[T],
    writer: &mut impl Writer,
) {
    writer.list(list, |w| {
        for value in values {
            w.group(element, |w| value.write(w));
        }
    });
}

/// A length or count as the wire's `u32`. Bodies of 4 GiB cannot be framed, so
/// nothing that could be sent is lost.
pub(crate) fn narrow(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn cut(value: &str) -> (u8, &str) {
    let mut end = value.len().min(u8::MAX.into());
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    (u8::try_from(end).unwrap_or(u8::MAX), &value[..end])
}

struct ByteWriter<'a> {
    buffer: &'a mut BytesMut,
}

impl Writer for ByteWriter<'_> {
    fn group(&mut self, _: &'static str, inner: impl FnOnce(&mut Self)) {
        inner(self);
    }

    fn list(&mut self, _: &'static str, inner: impl FnOnce(&mut Self)) {
        inner(self);
    }

    fn u8(&mut self, _: &'static str, value: u8) {
        self.buffer.put_u8(value);
    }

    fn u16(&mut self, _: &'static str, value: u16) {
        self.buffer.put_u16_le(value);
    }

    fn u32(&mut self, _: &'static str, value: u32) {
        self.buffer.put_u32_le(value);
    }

    fn u64(&mut self, _: &'static str, value: u64) {
        self.buffer.put_u64_le(value);
    }

    fn u128(&mut self, _: &'static str, value: u128) {
        self.buffer.put_u128_le(value);
    }

    fn f32(&mut self, _: &'static str, value: f32) {
        self.buffer.put_f32_le(value);
    }

    fn flag(&mut self, _: &'static str, value: bool) {
        self.buffer.put_u8(value.into());
    }

    fn kind(&mut self, _: &'static str, number: u8, _: &'static str) {
        self.buffer.put_u8(number);
    }

    fn meaning(&mut self, _: &'static str, number: u32, _: &'static str) {
        self.buffer.put_u32_le(number);
    }

    fn text(&mut self, _: &'static str, value: &str) {
        self.buffer.put_slice(value.as_bytes());
    }

    fn bytes(&mut self, _: &'static str, value: &[u8]) {
        self.buffer.put_slice(value);
    }

    fn secret(&mut self, _: &'static str, value: &[u8]) {
        self.buffer.put_slice(value);
    }
}
