//! What real clients and servers said, from the recordings.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::ConnectionId;
use parallax_captures::import::packets::PacketReader;
use parallax_captures::import::reassembly::{Reassembler, StreamEventKind};
use parallax_codec::{Dialect, Direction};

/// The connection that everything passes on.
pub(crate) const CONNECTION: ConnectionId = ConnectionId(1);

pub(crate) type Chunk = (Timestamp, Direction, Bytes);

/// So many seconds after some time.
pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

/// The chunks of each recorded connection of a dialect, in the order of the files.
pub(crate) fn conversations(dialect: Dialect) -> Vec<Vec<Chunk>> {
    let directory = match dialect {
        Dialect::Classic => "server-0.8.0_sdk-0.10.0",
        Dialect::Vsr => "server-0.9-edge_sdk-0.11-edge",
    };
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../captures/recorded");
    let names = ["admin", "consumer", "group", "polls", "purge", "setup"];
    names
        .into_iter()
        .flat_map(|name| of_file(&recordings.join(directory).join(name).with_extension("pcap")))
        .collect()
}

fn of_file(path: &Path) -> Vec<Vec<Chunk>> {
    let mut reassembler = Reassembler::new(&[8090]);
    let mut events = Vec::new();
    for segment in PacketReader::open(path).unwrap() {
        events.extend(reassembler.push(&segment.unwrap()));
    }
    events.extend(reassembler.finish());
    let mut streams: BTreeMap<u64, Vec<Chunk>> = BTreeMap::new();
    for event in events {
        if let StreamEventKind::Bytes { direction, bytes } = event.kind {
            let chunks = streams.entry(event.stream).or_default();
            chunks.push((event.time, direction, bytes));
        }
    }
    streams.into_values().collect()
}
