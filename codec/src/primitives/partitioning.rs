use crate::decode::Decode;
use crate::error::{Failure, Fault};
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// How a producer chooses the partition of a batch.
///
/// ```text
/// [kind u8][length u8][value]
///  1 balanced      0       nothing: the server takes turns
///  2 partition_id  4       u32
///  3 messages_key  1..=255 bytes, hashed by the server
/// ```
/// From `iggy_binary_protocol` 0.10.0, `primitives/partitioning.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partitioning {
    /// The server takes turns.
    Balanced,
    /// This partition.
    PartitionId(u32),
    /// The partition that the key hashes to.
    MessagesKey(Vec<u8>),
}

impl Decode for Partitioning {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, kind) = reader::u8("partitioning kind", input)?;
        let (rest, length) = reader::u8("partitioning length", rest)?;
        match (kind, length) {
            (1, 0) => Ok((rest, Self::Balanced)),
            (2, 4) => {
                let (rest, id) = reader::u32("partition", rest)?;
                Ok((rest, Self::PartitionId(id)))
            }
            (3, 1..) => {
                let (rest, key) = reader::bytes("messages key", length.into(), rest)?;
                Ok((rest, Self::MessagesKey(key.to_vec())))
            }
            (1..=3, _) => {
                let fault = Fault::WrongLength(length.into());
                Err(Failure::fail("partitioning", input, fault))
            }
            _ => {
                let fault = Fault::UnknownKind(kind.into());
                Err(Failure::fail("partitioning", input, fault))
            }
        }
    }
}

impl Encode for Partitioning {
    fn write(&self, writer: &mut impl Writer) {
        writer.group("partitioning", |w| match self {
            Self::Balanced => {
                w.kind("kind", 1, "balanced");
                w.u8("length", 0);
            }
            Self::PartitionId(id) => {
                w.kind("kind", 2, "partition_id");
                w.u8("length", 4);
                w.u32("partition_id", *id);
            }
            Self::MessagesKey(key) => {
                // The length is one byte; a longer key cannot be framed and no
                // client can send one.
                let key = &key[..key.len().min(u8::MAX.into())];
                w.kind("kind", 3, "messages_key");
                w.u8("length", u8::try_from(key.len()).unwrap_or(u8::MAX));
                w.bytes("messages_key", key);
            }
        });
    }
}
