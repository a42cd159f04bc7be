use crate::decode::Decode as _;
use crate::dialect::Dialect;
use crate::error::{Failure, Fault};
use crate::messages::{HeaderKind, UserHeader};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow};

/// Settings of a stream, topic or user, by name: VSR's way to add one without
/// changing a layout.
///
/// The encoding is that of [user headers](crate::messages::UserHeader); keys are
/// text and none comes twice; at most 1,024 of them in 100,000 bytes. In a request
/// the options run to the end of the body, in a reply their length precedes them:
///
/// ```text
/// request  [option]*
/// reply    [length u32][option]*
/// ```
/// From `iggy_binary_protocol` 0.11.0, `primitives/options.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options(pub Vec<UserHeader>);

const MAX_OPTIONS: usize = 1024;
const MAX_OPTIONS_SIZE: usize = 100_000;

impl Options {
    /// The value of the option called `key`, as a person would write it.
    pub fn value(&self, key: &str) -> Option<String> {
        let mut options = self.0.iter();
        let option = options.find(|option| option.key.bytes == key.as_bytes())?;
        Some(option.value.to_string())
    }

    /// Options to the end of a request; `None` in the classic dialect, which has
    /// none.
    pub(crate) fn parse_to_end(dialect: Dialect, input: &[u8]) -> Parsed<'_, Option<Self>> {
        match dialect {
            Dialect::Classic => Ok((input, None)),
            Dialect::Vsr => Ok((&[], Some(Self::of(input)?))),
        }
    }

    /// `[length u32][options]`; `None` in the classic dialect, which has none.
    pub(crate) fn parse_sized(dialect: Dialect, input: &[u8]) -> Parsed<'_, Option<Self>> {
        match dialect {
            Dialect::Classic => Ok((input, None)),
            Dialect::Vsr => {
                let (rest, length) = reader::u32("options length", input)?;
                let (rest, options) = reader::bytes("options", reader::widen(length), rest)?;
                Ok((rest, Some(Self::of(options)?)))
            }
        }
    }

    /// Options that are the whole of `input`.
    pub(crate) fn of(input: &[u8]) -> Result<Self, nom::Err<Failure>> {
        let wrong = |length| {
            let fault = Fault::WrongLength(length);
            Failure::fail("options", input, fault)
        };
        if input.len() > MAX_OPTIONS_SIZE {
            return Err(wrong(input.len() as u64));
        }
        let (_, options) = reader::until_end(input, UserHeader::parse)?;
        if options.len() > MAX_OPTIONS {
            return Err(wrong(options.len() as u64));
        }
        let mut keys = Vec::with_capacity(options.len());
        for option in &options {
            if option.key.kind != HeaderKind::STRING {
                let fault = Fault::UnknownKind(option.key.kind.0.into());
                return Err(Failure::fail("option key", input, fault));
            }
            if std::str::from_utf8(&option.key.bytes).is_err() {
                return Err(Failure::fail("option key", input, Fault::NotUtf8));
            }
            keys.push(option.key.bytes.as_slice());
        }
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Failure::fail("option key", input, Fault::Repeated));
        }
        Ok(Self(options))
    }

    /// What [`Options::parse_to_end`] reads.
    pub(crate) fn write_to_end(options: Option<&Self>, writer: &mut impl Writer) {
        if let Some(options) = options {
            options.write_as("options", writer);
        }
    }

    /// What [`Options::parse_sized`] reads.
    pub(crate) fn write_sized(options: Option<&Self>, writer: &mut impl Writer) {
        if let Some(options) = options {
            options.write_sized_as("options_length", "options", writer);
        }
    }

    pub(crate) fn write_sized_as(
        &self,
        length: &'static str,
        name: &'static str,
        writer: &mut impl Writer,
    ) {
        let size: usize = self.0.iter().map(UserHeader::encoded_length).sum();
        writer.u32(length, narrow(size));
        self.write_as(name, writer);
    }

    fn write_as(&self, name: &'static str, writer: &mut impl Writer) {
        writer.list(name, |w| {
            for option in &self.0 {
                option.write(w);
            }
        });
    }
}
