use bytes::Bytes;

use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::messages::HeaderKind;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow, write_sequence};

/// Asks which [options](crate::primitives::Options) a server knows, code 13. The
/// reply is [`OptionCatalog`].
///
/// ```text
/// [scope u8: 1 topics, 2 streams, 3 users]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `requests/system/describe_options.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DescribeOptions {
    /// Options of what: 1 topics, 2 streams, 3 users.
    pub scope: u8,
}

impl Decode for DescribeOptions {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, scope) = reader::u8("options scope", input)?;
        if scope_name(scope).is_none() {
            let fault = Fault::UnknownKind(scope.into());
            return Err(Failure::fail("options scope", input, fault));
        }
        Ok((rest, Self { scope }))
    }
}

impl Encode for DescribeOptions {
    fn write(&self, writer: &mut impl Writer) {
        let name = scope_name(self.scope).unwrap_or("unknown");
        writer.kind("scope", self.scope, name);
    }
}

pub(crate) const fn scope_name(scope: u8) -> Option<&'static str> {
    match scope {
        1 => Some("topic"),
        2 => Some("stream"),
        3 => Some("user"),
        _ => None,
    }
}

/// The options that a server knows: the reply to 13.
///
/// ```text
/// [count u32][descriptor]*
/// ```
/// From `iggy_binary_protocol` 0.11.0, `responses/system/describe_options.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionCatalog {
    /// The options.
    pub options: Vec<OptionDescriptor>,
}

impl Decode for OptionCatalog {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, count) = reader::u32("options count", input)?;
        let (rest, options) = reader::repeated(count, rest, OptionDescriptor::parse)?;
        Ok((rest, Self { options }))
    }
}

impl Encode for OptionCatalog {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("options_count", narrow(self.options.len()));
        write_sequence("options", "option", &self.options, writer);
    }
}

/// An option that a server knows.
///
/// ```text
/// [key length u8][key][kind u8]
/// [default length u32][default][description length u32][description]
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDescriptor {
    /// Its name.
    pub key: String,
    /// How its value is written.
    pub kind: HeaderKind,
    /// Its default, written in that way; empty where it has none.
    pub default_value: Bytes,
    /// What it is for, in the server's words.
    pub description: String,
}

impl Decode for OptionDescriptor {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, key) = reader::name("option key", input)?;
        let (rest, kind) = reader::u8("option kind", rest)?;
        let (rest, length) = reader::u32("default length", rest)?;
        let (rest, default) = reader::bytes("option default", reader::widen(length), rest)?;
        let (rest, description) = reader::text_u32("option description", rest)?;
        let value = Self {
            key,
            kind: HeaderKind(kind),
            default_value: Bytes::copy_from_slice(default),
            description,
        };
        Ok((rest, value))
    }
}

impl Encode for OptionDescriptor {
    fn write(&self, writer: &mut impl Writer) {
        writer.text_u8("key_length", "key", &self.key);
        writer.kind("kind", self.kind.0, self.kind.name());
        writer.u32("default_length", narrow(self.default_value.len()));
        writer.bytes("default", &self.default_value);
        writer.text_u32("description_length", "description", &self.description);
    }
}
