//! The life of a partition: what was delivered to whom, what was stored, what was
//! purged, and what a reader missed, drawn from the exchanges that are about it.
//!
//! Pure: exchanges in, [`Life`] out. It tells what passed here, and nothing of those
//! who do not: a gap whose cause is [`served`](GapCause::Served) is one that nothing
//! that was seen explains.

mod band;
mod concern;
mod empty;
mod json;
mod key;
mod life;
mod names;
mod reader;
#[cfg(test)]
mod tests;
mod trouble;
mod wanted;

pub use band::Band;
pub(crate) use concern::{Concern, id_named_by_http, read_key};
pub use concern::{partition_meant, partition_of, reader_word};
pub use empty::read_as_empty;
pub use json::{life, tally};
pub use key::{Partition, topic_path};
pub use life::{Break, BreakKind, End, Life, Moment, Send, Unknown};
pub use names::Names;
pub use reader::{Delivery, Failure, Reader, Stored, StoredBy};
pub use trouble::{Gap, GapCause, Replay, ReplayCause, Stall};
pub use wanted::OfPartition;
