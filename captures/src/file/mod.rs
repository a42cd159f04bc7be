//! parallax's own files: pcapng, so that Wireshark opens them.
//!
//! ```text
//! section header, interface "clients", interface "mirror"
//! packets of a connection:
//!   handshake                       comment: who, and the connection's record
//!   request, in one packet or more  comment: command and what was asked
//!   the mirror's HTTP, beside it    comment: for which exchange
//!   reply, in one packet or more    comment: answer, verdict, findings; on the last
//!                                   one the exchange's record
//!   empty packets                   comment: what became known later
//! interface statistics              what was lost
//! ```
//! An exchange's blocks stand together, so that it can be read by its place alone.
//! Packets, their boundaries and numbers are made up: a proxy sees bytes. The bytes
//! and the times of the clients' are real, but for secrets, which are masked, and
//! for what was too long to be kept, which is missing from the stream.
//!
//! A record is one line of JSON in a comment: `parallax/1 1/1 {"exchange":{...}}`.
//! No private block types are used, since those want a number that parallax does not
//! own; a program that copies packets copies their comments with them.

mod comment;
mod http_text;
mod pcapng;
mod reader;
mod record;
mod stream;
#[cfg(test)]
mod tests;
mod writer;

pub use self::reader::{Amendment, Item, Lost, Reader, is_recording};
pub(crate) use self::record::{
    connection_record, finding_record, read_connection_record, read_finding_record,
};
pub use self::writer::{About, Location, Writer};
