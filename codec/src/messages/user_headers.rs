use bytes::BytesMut;

use crate::decode::{Decode, finish};
use crate::error::{DecodeError, Failure, Fault};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow};

/// One user header: a key and a value, each with its kind.
///
/// ```text
/// [key kind u8][key length u32][key][value kind u8][value length u32][value]
/// ```
/// Lengths are 1..=255. From `iggy_binary_protocol` 0.10.0,
/// `primitives/user_headers.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserHeader {
    /// The key.
    pub key: HeaderField,
    /// The value.
    pub value: HeaderField,
}

/// A typed key or value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderField {
    /// How the bytes are to be read.
    pub kind: HeaderKind,
    /// The bytes, little-endian for numbers.
    pub bytes: Vec<u8>,
}

/// Kinds of header fields; the numbers are the wire's.
///
/// From `iggy_common` 0.10.0, `types/message/user_headers.rs`. A number that is
/// not listed is kept as it is: servers forward kinds that they do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeaderKind(pub u8);

impl HeaderKind {
    /// Names of kinds 1 to 15, as HTTP writes them.
    const NAMES: [&'static str; 15] = [
        "raw", "string", "bool", "int8", "int16", "int32", "int64", "int128", "uint8", "uint16",
        "uint32", "uint64", "uint128", "float32", "float64",
    ];
    /// UTF-8 text.
    pub const STRING: Self = Self(2);
    /// A `u32`.
    pub const UINT32: Self = Self(11);

    /// The kind's name, or `unknown`.
    pub fn name(self) -> &'static str {
        usize::from(self.0)
            .checked_sub(1)
            .and_then(|index| Self::NAMES.get(index).copied())
            .unwrap_or("unknown")
    }

    /// The kind called `name`, as HTTP writes it.
    pub fn from_name(name: &str) -> Option<Self> {
        let index = Self::NAMES.iter().position(|known| *known == name)?;
        u8::try_from(index + 1).ok().map(Self)
    }
}

impl std::fmt::Display for HeaderField {
    /// The value as a person would write it; bytes that do not fit their kind
    /// are shown in hex.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.kind.name(), self.bytes.as_slice()) {
            ("string", raw) if std::str::from_utf8(raw).is_ok() => {
                f.write_str(&String::from_utf8_lossy(raw))
            }
            ("bool", [0]) => f.write_str("false"),
            ("bool", [1]) => f.write_str("true"),
            (name, raw) => {
                if let Some(text) = number(name, raw) {
                    f.write_str(&text)
                } else {
                    f.write_str("0x")?;
                    raw.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
                }
            }
        }
    }
}

fn number(kind: &str, raw: &[u8]) -> Option<String> {
    Some(match kind {
        "int8" => i8::from_le_bytes(raw.try_into().ok()?).to_string(),
        "int16" => i16::from_le_bytes(raw.try_into().ok()?).to_string(),
        "int32" => i32::from_le_bytes(raw.try_into().ok()?).to_string(),
        "int64" => i64::from_le_bytes(raw.try_into().ok()?).to_string(),
        "int128" => i128::from_le_bytes(raw.try_into().ok()?).to_string(),
        "uint8" => u8::from_le_bytes(raw.try_into().ok()?).to_string(),
        "uint16" => u16::from_le_bytes(raw.try_into().ok()?).to_string(),
        "uint32" => u32::from_le_bytes(raw.try_into().ok()?).to_string(),
        "uint64" => u64::from_le_bytes(raw.try_into().ok()?).to_string(),
        "uint128" => u128::from_le_bytes(raw.try_into().ok()?).to_string(),
        "float32" => f32::from_le_bytes(raw.try_into().ok()?).to_string(),
        "float64" => f64::from_le_bytes(raw.try_into().ok()?).to_string(),
        _ => return None,
    })
}

impl Decode for HeaderField {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, kind) = reader::u8("header kind", input)?;
        if kind == 0 {
            return Err(Failure::fail("header kind", input, Fault::UnknownKind(0)));
        }
        let (rest, length) = reader::u32("header length", rest)?;
        if !(1..=255).contains(&length) {
            let fault = Fault::WrongLength(length.into());
            return Err(Failure::fail("header length", input, fault));
        }
        let (rest, raw) = reader::bytes("header field", reader::widen(length), rest)?;
        let field = Self {
            kind: HeaderKind(kind),
            bytes: raw.to_vec(),
        };
        Ok((rest, field))
    }
}

impl HeaderField {
    fn write_as(&self, name: &'static str, writer: &mut impl Writer) {
        writer.group(name, |w| {
            w.kind("kind", self.kind.0, self.kind.name());
            w.u32("length", narrow(self.bytes.len()));
            self.write_value(w);
        });
    }

    /// The bytes as what their kind says, where they are that.
    fn write_value(&self, writer: &mut impl Writer) {
        let raw = self.bytes.as_slice();
        match (self.kind.name(), raw.len()) {
            ("string", _) => match std::str::from_utf8(raw) {
                Ok(text) => writer.text("value", text),
                Err(_) => writer.bytes("value", raw),
            },
            ("bool", 1) if raw[0] < 2 => writer.flag("value", raw[0] == 1),
            ("uint8", 1) => writer.u8("value", little_endian(raw)),
            ("uint16", 2) => writer.u16("value", little_endian(raw)),
            ("uint32", 4) => writer.u32("value", little_endian(raw)),
            ("uint64", 8) => writer.u64("value", little_endian(raw)),
            ("uint128", 16) => writer.u128("value", little_endian(raw)),
            _ => writer.bytes("value", raw),
        }
    }
}

/// A number of as many bytes as there are; what does not fit is left out.
fn little_endian<T: TryFrom<u128> + Default>(raw: &[u8]) -> T {
    let number = raw
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | u128::from(*byte));
    T::try_from(number).unwrap_or_default()
}

impl UserHeader {
    /// Bytes that the header takes.
    pub fn encoded_length(&self) -> usize {
        10 + self.key.bytes.len() + self.value.bytes.len()
    }
}

impl Decode for UserHeader {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, key) = HeaderField::parse(input)?;
        let (rest, value) = HeaderField::parse(rest)?;
        Ok((rest, Self { key, value }))
    }
}

impl Encode for UserHeader {
    fn write(&self, writer: &mut impl Writer) {
        writer.group("user_header", |w| {
            self.key.write_as("key", w);
            self.value.write_as("value", w);
        });
    }
}

/// Reads a message's user headers.
///
/// # Errors
/// Where the bytes stop being headers. A client that encrypts its messages
/// encrypts these too: such bytes are to be shown as bytes, not as damage.
pub fn parse_user_headers(raw: &[u8]) -> Result<Vec<UserHeader>, DecodeError> {
    match reader::until_end(raw, UserHeader::parse) {
        Ok((_, headers)) => Ok(headers),
        Err(error) => Err(finish(error, raw.len())),
    }
}

/// The bytes of `headers`, as they follow a payload.
pub fn write_user_headers(headers: &[UserHeader]) -> bytes::Bytes {
    let mut buffer = BytesMut::new();
    for header in headers {
        header.encode_to(&mut buffer);
    }
    buffer.freeze()
}
