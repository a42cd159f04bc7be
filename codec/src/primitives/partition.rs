//! A partition that may be left to the server.
//!
//! ```text
//! [flag u8: 1 given, 0 not][partition_id u32, 0 where not given]
//! ```
//! From `iggy_binary_protocol` 0.10.0, `requests/messages/poll_messages.rs`.
//! Servers 0.4.95 and 0.5.0 had the `u32` alone (cases, section 0).

use crate::reader::{self, Parsed};
use crate::writer::Writer;

pub(crate) fn parse_partition(input: &[u8]) -> Parsed<'_, Option<u32>> {
    let (rest, flag) = reader::u8("partition flag", input)?;
    let (rest, id) = reader::u32("partition", rest)?;
    Ok((rest, (flag == 1).then_some(id)))
}

pub(crate) fn write_partition(partition_id: Option<u32>, writer: &mut impl Writer) {
    writer.flag("partition_given", partition_id.is_some());
    writer.u32("partition_id", partition_id.unwrap_or_default());
}
