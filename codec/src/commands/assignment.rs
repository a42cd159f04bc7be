use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow};

/// The partitions of a member of a group: the reply to 606, which names the group
/// as [`GroupRef`](super::GroupRef). An empty body stands for "not a member".
///
/// ```text
/// [generation u64][partitions_count u32][partition_id u32]*
/// ```
/// From `iggy_binary_protocol` 0.11.0,
/// `responses/consumer_groups/sync_consumer_group.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// Counts the group's rebalances.
    pub generation: u64,
    /// The member's partitions.
    pub partitions: Vec<u32>,
}

impl Decode for Assignment {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, generation) = reader::u64("generation", input)?;
        let (rest, count) = reader::u32("partitions count", rest)?;
        let partition = |input| reader::u32("partition id", input);
        let (rest, partitions) = reader::repeated(count, rest, partition)?;
        let value = Self {
            generation,
            partitions,
        };
        Ok((rest, value))
    }
}

impl Encode for Assignment {
    fn write(&self, writer: &mut impl Writer) {
        writer.u64("generation", self.generation);
        writer.u32("partitions_count", narrow(self.partitions.len()));
        writer.list("partitions", |w| {
            for id in &self.partitions {
                w.u32("partition_id", *id);
            }
        });
    }
}
