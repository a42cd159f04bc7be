use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Asks for a diagnostic archive, code 11. The reply is a ZIP file and nothing
/// else; the server's configuration and logs may be in it.
///
/// ```text
/// [compression u8][types count u8][type u8]*
/// ```
/// From `iggy_binary_protocol` 0.10.0, `requests/system/get_snapshot.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetSnapshot {
    /// 1 stored, 2 deflated, 3 bzip2, 4 zstd, 5 lzma, 6 xz.
    pub compression: u8,
    /// What is to be in it, up to 255 of: 1 file system, 2 processes, 3 resource
    /// usage, 4 test, 5 server logs, 6 server configuration, 100 all.
    pub snapshot_types: Vec<u8>,
}

impl Decode for GetSnapshot {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, compression) = reader::u8("compression", input)?;
        let (rest, count) = reader::u8("snapshot types count", rest)?;
        let (rest, types) = reader::bytes("snapshot types", count.into(), rest)?;
        let request = Self {
            compression,
            snapshot_types: types.to_vec(),
        };
        Ok((rest, request))
    }
}

impl Encode for GetSnapshot {
    fn write(&self, writer: &mut impl Writer) {
        writer.kind(
            "compression",
            self.compression,
            compression_name(self.compression),
        );
        // The count is one byte; more types than it can say do not exist.
        let count = u8::try_from(self.snapshot_types.len()).unwrap_or(u8::MAX);
        writer.u8("types_count", count);
        writer.list("types", |w| {
            for number in self.snapshot_types.iter().take(count.into()) {
                w.kind("type", *number, type_name(*number));
            }
        });
    }
}

pub(crate) const fn compression_name(number: u8) -> &'static str {
    match number {
        1 => "stored",
        2 => "deflated",
        3 => "bzip2",
        4 => "zstd",
        5 => "lzma",
        6 => "xz",
        _ => "unknown",
    }
}

pub(crate) const fn type_name(number: u8) -> &'static str {
    match number {
        1 => "filesystem_overview",
        2 => "process_list",
        3 => "resource_usage",
        4 => "test",
        5 => "server_logs",
        6 => "server_config",
        100 => "all",
        _ => "unknown",
    }
}
