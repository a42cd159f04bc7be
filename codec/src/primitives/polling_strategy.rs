use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// From where a poll reads.
///
/// ```text
/// [kind u8][value u64]
///  1 offset     the first offset wanted
///  2 timestamp  microseconds since 1970
///  3 first      0
///  4 last       0
///  5 next       0: after the consumer's stored offset
/// ```
/// From `iggy_binary_protocol` 0.10.0, `primitives/polling_strategy.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PollingStrategy {
    /// The strategy.
    pub kind: PollingKind,
    /// An offset or a timestamp in microseconds; meaningless for the others.
    pub value: u64,
}

/// The five strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PollingKind {
    /// From an offset.
    Offset,
    /// From a time.
    Timestamp,
    /// From the earliest message kept.
    First,
    /// The latest messages.
    Last,
    /// After what the consumer has stored.
    Next,
}

impl PollingKind {
    /// All five, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::Offset,
        Self::Timestamp,
        Self::First,
        Self::Last,
        Self::Next,
    ];

    /// The number on the wire.
    pub const fn number(self) -> u8 {
        match self {
            Self::Offset => 1,
            Self::Timestamp => 2,
            Self::First => 3,
            Self::Last => 4,
            Self::Next => 5,
        }
    }

    /// The name in JSON and in HTTP's `kind=`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Offset => "offset",
            Self::Timestamp => "timestamp",
            Self::First => "first",
            Self::Last => "last",
            Self::Next => "next",
        }
    }
}

impl Decode for PollingStrategy {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, number) = reader::u8("polling strategy", input)?;
        let Some(kind) = PollingKind::ALL.into_iter().find(|k| k.number() == number) else {
            let fault = Fault::UnknownKind(number.into());
            return Err(Failure::fail("polling strategy", input, fault));
        };
        let (rest, value) = reader::u64("polling value", rest)?;
        Ok((rest, Self { kind, value }))
    }
}

impl Encode for PollingStrategy {
    fn write(&self, writer: &mut impl Writer) {
        writer.kind("strategy", self.kind.number(), self.kind.name());
        writer.u64("value", self.value);
    }
}
