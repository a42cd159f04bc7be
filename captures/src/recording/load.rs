//! Reading single exchanges out of segments.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::sync::Arc;

use super::index::{At, Place};
use super::segments::Segments;
use crate::exchange::Exchange;
use crate::file::{Item, Reader};

/// The exchange that stands there, with what became known of it later.
///
/// # Errors
/// The segment cannot be read, or something else stands there.
pub(super) fn load(segments: &Segments, place: &Place) -> io::Result<Arc<Exchange>> {
    let is_it = |item| match item {
        Item::Exchange(exchange, _) if exchange.n == place.n => Some(*exchange),
        _ => None,
    };
    let mut exchange = find(segments, &place.at, is_it)?;
    if let Some(at) = &place.amended {
        let is_it = |item| match item {
            Item::Amended(amendment) if amendment.n() == place.n => Some(amendment),
            _ => None,
        };
        // Where that is lost, the exchange itself is not.
        let found = find(segments, at, is_it).map_err(|error| error.to_string());
        let applied = found.and_then(|amendment| amendment.apply(&mut exchange));
        if let Err(why) = applied {
            tracing::warn!(
                "what became known of exchange {} later is lost: {why}",
                place.n
            );
        }
    }
    Ok(Arc::new(exchange))
}

fn find<T>(segments: &Segments, at: &At, wanted: impl Fn(Item) -> Option<T>) -> io::Result<T> {
    let mut file = File::open(segments.path(at.segment))?;
    file.seek(SeekFrom::Start(at.offset))?;
    for item in Reader::at(BufReader::new(file.take(at.length)), at.offset) {
        let item = item.map_err(io::Error::other)?;
        if let Some(found) = wanted(item) {
            return Ok(found);
        }
    }
    let why = format!(
        "segment {}, byte {}: something else stands there",
        at.segment, at.offset
    );
    Err(io::Error::new(io::ErrorKind::InvalidData, why))
}
