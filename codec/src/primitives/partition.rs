use crate::dialect::Dialect;
use crate::reader::{self, Parsed};
use crate::writer::Writer;

/// How a request names a partition, or leaves it to the server.
///
/// ```text
/// flagged  [flag u8: 1 given, 0 not][partition_id u32, 0 where not given]
/// plain    [partition_id u32, 0 where not given]
/// ```
/// The first is `iggy_binary_protocol` 0.10.0 and 0.11.0,
/// `requests/messages/poll_messages.rs`: servers from 0.6. The second is that of
/// servers 0.4.95 and 0.5.0, which count partitions from 1 (cases, section 0).
/// What follows the partition has a fixed length, so the length of the body tells
/// the two apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PartitionLayout {
    /// A flag before the number.
    #[default]
    Flagged,
    /// The number alone.
    Plain,
}

/// The partition at the front of `input`, in the layout in which `after` bytes
/// are left behind it; flagged where that is neither, and in VSR always.
pub(crate) fn parse_partition(
    dialect: Dialect,
    input: &[u8],
    after: usize,
) -> Parsed<'_, (PartitionLayout, Option<u32>)> {
    if dialect == Dialect::Classic && input.len() == 4 + after {
        let (rest, id) = reader::u32("partition", input)?;
        return Ok((rest, (PartitionLayout::Plain, (id != 0).then_some(id))));
    }
    let (rest, flag) = reader::u8("partition flag", input)?;
    let (rest, id) = reader::u32("partition", rest)?;
    Ok((rest, (PartitionLayout::Flagged, (flag == 1).then_some(id))))
}

pub(crate) fn write_partition(
    layout: PartitionLayout,
    partition_id: Option<u32>,
    writer: &mut impl Writer,
) {
    if layout == PartitionLayout::Flagged {
        writer.flag("partition_given", partition_id.is_some());
    }
    writer.u32("partition_id", partition_id.unwrap_or_default());
}

/// What a number in the place of a partition stands for, where it is none:
///
/// - `0xFFFF_FFFF`: the server's "ask for your assignment anew", to a member of a
///   group whose partitions have changed (case B5);
/// - `0xFFFF_FFFE`: an SDK's own "no partition is assigned", which no server is
///   known to send.
pub const fn partition_meaning(partition_id: u32) -> Option<&'static str> {
    match partition_id {
        u32::MAX => Some("re-sync your assignment"),
        0xFFFF_FFFE => Some("no assigned partition"),
        _ => None,
    }
}
