//! What a shape is made of.

/// Fields, one after the other.
pub type Parts = &'static [Part];

/// A field, or several whose presence or number other bytes decide.
///
/// Where a part names a field that was read before, that is the last of this name in
/// the same group, the groups in it included, or else in the group around it.
#[derive(Debug)]
pub enum Part {
    /// A number.
    Number {
        /// The field's name.
        name: &'static str,
        /// Its bytes.
        width: Width,
    },
    /// Four bytes, IEEE 754.
    Float {
        /// The field's name.
        name: &'static str,
    },
    /// Four bytes, a number some of whose values stand for something else.
    Meaning {
        /// The field's name.
        name: &'static str,
        /// Those values.
        numbers: &'static [u32],
        /// What they stand for.
        of: fn(u32) -> Option<&'static str>,
    },
    /// One byte, true or false.
    Flag {
        /// The field's name.
        name: &'static str,
        /// Which bytes are true.
        truth: Truth,
    },
    /// One byte that stands for something.
    Kind {
        /// The field's name.
        name: &'static str,
        /// What it stands for; `unknown` where it is not listed.
        of: fn(u8) -> &'static str,
        /// Whether a number that is not listed is refused.
        closed: bool,
    },
    /// A number that can be no other.
    Exact {
        /// The field's name.
        name: &'static str,
        /// Its bytes.
        width: Width,
        /// Its value.
        value: u64,
    },
    /// Four bytes, a number that can be no higher.
    AtMost {
        /// The field's name.
        name: &'static str,
        /// The highest.
        most: u32,
    },
    /// So many bytes.
    Fixed {
        /// The field's name.
        name: &'static str,
        /// How many.
        length: usize,
        /// Whether each has to be 0.
        zero: bool,
    },
    /// A length and as many bytes.
    Sized {
        /// The length's name.
        length: &'static str,
        /// The length's own bytes.
        width: Width,
        /// The field's name.
        name: &'static str,
        /// What the bytes are.
        content: Content,
        /// The least that the length may be.
        at_least: u64,
    },
    /// All bytes that are left, where any are.
    Rest {
        /// The field's name.
        name: &'static str,
        /// What they are.
        content: Content,
    },
    /// Fields that belong together.
    Group {
        /// The group's name.
        name: &'static str,
        /// The fields.
        parts: Parts,
    },
    /// A length, a `u32`, and a group that fills it.
    SizedGroup {
        /// The length's name.
        length: &'static str,
        /// The group's name.
        name: &'static str,
        /// The fields.
        parts: Parts,
    },
    /// Elements, one after the other.
    List {
        /// The list's name.
        name: &'static str,
        /// How many.
        times: Times,
        /// One of them.
        element: Parts,
    },
    /// A flag, and a list whose elements each end with a flag: whether another follows.
    Chain {
        /// The name of the flag before the list.
        follow: &'static str,
        /// The list's name.
        list: &'static str,
        /// The name of an element, which is a group.
        element: &'static str,
        /// Its fields, but for the flag at its end, `another_follows`.
        parts: Parts,
    },
    /// One byte that tells which fields follow; one that is not listed is refused.
    Union {
        /// The byte's name.
        kind: &'static str,
        /// What it may be.
        cases: &'static [Case],
    },
    /// Fields that are there where a flag before them is true.
    IfFlag {
        /// The flag's name.
        flag: &'static str,
        /// The fields.
        parts: Parts,
    },
    /// Fields that are there where any byte is left.
    IfMore {
        /// The fields.
        parts: Parts,
        /// A number before them, and from which value on they have to be there.
        required_from: Option<(&'static str, u64)>,
    },
    /// Fields that depend on whether the next byte is 0.
    IfZero {
        /// The fields where it is.
        zero: Parts,
        /// The fields where it is not.
        other: Parts,
    },
    /// A partition with a flag before it, or, where no more than it and so many bytes are
    /// left, without one: [`PartitionLayout`](crate::primitives::PartitionLayout).
    Partition {
        /// The bytes that follow it.
        after: usize,
    },
    /// The key or value of a [`UserHeader`](crate::messages::UserHeader).
    HeaderField {
        /// Its name.
        name: &'static str,
    },
    /// [`Options`](crate::primitives::Options), with what holds of them, to the end of
    /// the body or, behind a length, a `u32`.
    Options {
        /// The length's name, where there is one.
        length: Option<&'static str>,
        /// The list's name.
        name: &'static str,
    },
    /// Messages, in one of [`polled_messages`](super::polled_messages) or
    /// [`sent_messages`](super::sent_messages), to the end of the body. Which one is
    /// told by what fits: [`MessageLayout`](crate::messages::MessageLayout).
    Messages {
        /// Whether a producer sent them.
        sent: bool,
    },
    /// The frames of a batch record, which fill its `batch_length` and are
    /// `message_count`.
    Frames {
        /// The list's name.
        name: &'static str,
        /// One of them.
        element: Parts,
    },
    /// A payload and user headers, as long as the header before them says; user headers
    /// that can be read are a list, others bytes, for a client may have encrypted them.
    MessageContent,
}

/// Bytes of a number, all little-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One.
    U8,
    /// Two.
    U16,
    /// Four.
    U32,
    /// Eight.
    U64,
    /// Sixteen: message ids, checksums of headers.
    U128,
}

impl Width {
    /// How many bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 4,
            Self::U64 => 8,
            Self::U128 => 16,
        }
    }
}

/// Which bytes are true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// All but 0.
    NotZero,
    /// 1 alone: those that tell whether something follows.
    One,
}

/// What bytes behind a length are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// UTF-8.
    Text,
    /// UTF-8, a password or token.
    Secret,
    /// Bytes in which a password or token may be.
    SecretBytes,
    /// Bytes.
    Bytes,
}

/// How many elements a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// As many as there are bytes for.
    ToEnd,
    /// As many as the number of this name says.
    Count(&'static str),
}

/// One of the things that a [`Part::Union`] may be.
#[derive(Debug)]
pub struct Case {
    /// The byte.
    pub number: u8,
    /// What it stands for.
    pub meaning: &'static str,
    /// What follows it.
    pub parts: Parts,
}

pub(super) const fn u8(name: &'static str) -> Part {
    number(name, Width::U8)
}

pub(super) const fn u16(name: &'static str) -> Part {
    number(name, Width::U16)
}

pub(super) const fn u32(name: &'static str) -> Part {
    number(name, Width::U32)
}

pub(super) const fn u64(name: &'static str) -> Part {
    number(name, Width::U64)
}

pub(super) const fn u128(name: &'static str) -> Part {
    number(name, Width::U128)
}

const fn number(name: &'static str, width: Width) -> Part {
    Part::Number { name, width }
}

pub(super) const fn flag(name: &'static str) -> Part {
    let truth = Truth::NotZero;
    Part::Flag { name, truth }
}

/// A flag that tells whether something follows.
pub(super) const fn given(name: &'static str) -> Part {
    let truth = Truth::One;
    Part::Flag { name, truth }
}

pub(super) const fn kind(name: &'static str, of: fn(u8) -> &'static str) -> Part {
    let closed = false;
    Part::Kind { name, of, closed }
}

/// A kind none of whose numbers may be unknown.
pub(super) const fn closed_kind(name: &'static str, of: fn(u8) -> &'static str) -> Part {
    let closed = true;
    Part::Kind { name, of, closed }
}

pub(super) const fn exact(name: &'static str, width: Width, value: u64) -> Part {
    Part::Exact { name, width, value }
}

pub(super) const fn fixed(name: &'static str, length: usize) -> Part {
    let zero = false;
    Part::Fixed { name, length, zero }
}

pub(super) const fn group(name: &'static str, parts: Parts) -> Part {
    Part::Group { name, parts }
}

/// Elements to the end of the body.
pub(super) const fn to_end(name: &'static str, element: Parts) -> Part {
    let times = Times::ToEnd;
    Part::List {
        name,
        times,
        element,
    }
}

/// As many elements as the number `count` says.
pub(super) const fn counted(count: &'static str, name: &'static str, element: Parts) -> Part {
    let times = Times::Count(count);
    Part::List {
        name,
        times,
        element,
    }
}

/// `[length u8][UTF-8]`, 1 to 255 bytes.
pub(super) const fn name(length: &'static str, name: &'static str) -> Part {
    Part::Sized {
        length,
        width: Width::U8,
        name,
        content: Content::Text,
        at_least: 1,
    }
}

/// `[length u32][UTF-8]`.
pub(super) const fn text(length: &'static str, name: &'static str) -> Part {
    Part::Sized {
        length,
        width: Width::U32,
        name,
        content: Content::Text,
        at_least: 0,
    }
}

/// `[length u8][UTF-8]`, a password or token.
pub(super) const fn secret(length: &'static str, name: &'static str, at_least: u64) -> Part {
    Part::Sized {
        length,
        width: Width::U8,
        name,
        content: Content::Secret,
        at_least,
    }
}

pub(super) const fn if_more(parts: Parts) -> Part {
    let required_from = None;
    Part::IfMore {
        parts,
        required_from,
    }
}

/// A body of which no field is known.
pub(super) const fn unread(may_carry_secrets: bool) -> &'static [Parts] {
    if may_carry_secrets {
        &[&[Part::Rest {
            name: "body",
            content: Content::SecretBytes,
        }]]
    } else {
        &[&[Part::Rest {
            name: "body",
            content: Content::Bytes,
        }]]
    }
}
