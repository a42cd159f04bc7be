//! What is not to leave: secrets never, payloads and names where that is asked for.
//!
//! - **Passwords and tokens** are masked when a frame is decoded ([`masked`]); nothing
//!   that is kept holds one.
//! - **[`Redaction::Payloads`]** replaces message payloads, the values of user headers,
//!   the keys by which messages are spread over partitions, and checksums, which would
//!   betray a guessed payload. Wherever they are: in frames, in HTTP bodies, in what the
//!   mirror was answered, in what a verdict quotes.
//! - **[`Redaction::Names`]** replaces names and addresses as well: of streams, topics,
//!   consumers, groups, users, tokens and hosts, and what clients and servers call
//!   themselves. Wherever they are, in the sentences of verdicts and findings too.
//!
//! Everything keeps its length in bytes, so that frames stay what they are and still
//! decode. The same becomes the same within one [`Redactor`], so that what was equal
//! stays equal; two files have nothing in common, since each has a random key of its
//! own that is kept nowhere. Left as they are: numbers (ids, offsets, partitions, counts,
//! sizes, ports), times, loopback addresses, and names that are numbers.

mod address;
mod body;
mod frame;
mod key;
mod masked;
mod names;
mod redactor;
mod sentence;
mod target;
#[cfg(test)]
mod tests;

pub use self::masked::masked;
pub use self::redactor::Redactor;

/// What is replaced, besides secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redaction {
    /// Payloads and the values of user headers.
    Payloads,
    /// These, and names and addresses.
    Names,
}

impl Redaction {
    /// What a file says of itself that went through this.
    pub const fn note(self) -> &'static str {
        match self {
            Self::Payloads => {
                "redacted: message payloads, values of user headers, keys of messages and \
                 checksums are replaced by others of the same length; checksums do not fit"
            }
            Self::Names => {
                "anonymized: message payloads, user headers, keys of messages, checksums, names \
                 and addresses are replaced by others of the same length; checksums do not fit"
            }
        }
    }
}
