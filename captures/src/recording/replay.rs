//! Putting into the index what stands in segments and is not in it yet: after the
//! program was killed, or all of it where there is no index.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Seek as _, SeekFrom};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::RecordingError;
use super::archive::Recorded;
use super::index::{At, Index, Position, Written};
use super::segments::{Segment, Segments};
use crate::exchange::Exchange;
use crate::file::{Amendment, Item, Reader};
use crate::import::ImportError;
use crate::journal::{Archive as _, Journal, Restored, Turns};
use crate::limits::{REPLAY_BATCH, REPLAY_BYTES, REPLAY_MEMORY};

/// What is done with a torn end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Torn {
    /// It is cut off: nobody else writes, and writing goes on.
    Cut,
    /// It is left as it is.
    Leave,
}

/// Reads on from where the index ends, and gives sentences on what could not be read.
pub(super) fn replay(
    index: &mut Index,
    segments: &Segments,
    recorded: &Arc<Recorded>,
    torn: Torn,
) -> Result<Vec<String>, RecordingError> {
    let here = segments.list().map_err(RecordingError::Directory)?;
    let from = index.position()?;
    let restored = index.restore_uncounted()?;
    let seen = restored.totals.exchanges;
    let restored = Restored {
        totals: crate::Totals {
            exchanges: index.last()?,
            ..restored.totals
        },
        ..restored
    };
    let archive = Arc::clone(recorded) as Arc<dyn crate::Archive>;
    let journal = Journal::over(archive, restored).keeping(2 * REPLAY_BATCH, REPLAY_MEMORY);
    let mut replay = Replay {
        index,
        recorded,
        journal,
        position: from,
        places: BTreeMap::new(),
        amended: BTreeMap::new(),
        waiting: 0,
        notes: Vec::new(),
    };
    let last = here.last().map(|segment| segment.number);
    for segment in here.iter().filter(|one| one.number >= from.segment) {
        let begin = if segment.number == from.segment {
            from.offset
        } else {
            0
        };
        if segment.bytes > begin {
            let torn = if Some(segment.number) == last {
                torn
            } else {
                Torn::Leave
            };
            replay.segment(segments, segment, begin, torn)?;
        }
    }
    replay.flush()?;
    // Numbers that were given and not recorded are not given again.
    replay
        .journal
        .update_totals(|totals| totals.exchanges = totals.exchanges.max(seen));
    replay.flush()?;
    Ok(replay.notes)
}

struct Replay<'a> {
    index: &'a mut Index,
    recorded: &'a Recorded,
    /// Makes of items what it made of them when they were seen.
    journal: Journal,
    position: Position,
    /// Where the exchanges are that are not in the index yet.
    places: BTreeMap<u64, At>,
    amended: BTreeMap<u64, At>,
    /// Bytes of these.
    waiting: u64,
    notes: Vec<String>,
}

impl Replay<'_> {
    fn segment(
        &mut self,
        segments: &Segments,
        segment: &Segment,
        begin: u64,
        torn: Torn,
    ) -> Result<(), RecordingError> {
        let path = segments.path(segment.number);
        let mut file = File::open(&path).map_err(RecordingError::Directory)?;
        file.seek(SeekFrom::Start(begin))
            .map_err(RecordingError::Directory)?;
        let mut reader = Reader::at(BufReader::with_capacity(1 << 20, file), begin);
        loop {
            let offset = reader.position();
            let item = match reader.next() {
                None => break,
                Some(Ok(item)) => item,
                Some(Err(error)) => {
                    let whole = reader.position();
                    self.note_damage(&path.display().to_string(), &error, torn);
                    if torn == Torn::Cut {
                        let file = OpenOptions::new().write(true).open(&path);
                        let cut = file.and_then(|file| file.set_len(whole));
                        cut.map_err(RecordingError::Directory)?;
                    }
                    break;
                }
            };
            let at = At {
                segment: segment.number,
                offset,
                length: reader.position() - offset,
            };
            self.item(item, at)?;
            self.position = Position {
                segment: segment.number,
                offset: reader.position(),
            };
        }
        self.position = Position {
            segment: segment.number,
            offset: reader.position(),
        };
        Ok(())
    }

    fn item(&mut self, item: Item, at: At) -> Result<(), RecordingError> {
        match item {
            Item::Exchange(exchange, location) => {
                if self.places.len() >= REPLAY_BATCH
                    || self.waiting + location.length > REPLAY_BYTES
                {
                    self.flush()?;
                }
                self.waiting += location.length;
                let at = At {
                    offset: location.offset,
                    length: location.length,
                    ..at
                };
                self.places.insert(exchange.n, at);
                self.journal.restore_exchange(*exchange);
            }
            Item::Amended(amendment) => self.amend(amendment, at)?,
            Item::Connection(connection) => self.journal.restore_connection(*connection),
            Item::Finding(finding) => self.journal.restore_finding(*finding),
            Item::Lost(lost) => self.journal.update_totals(|totals| {
                totals.observations_dropped = lost.observations_dropped;
                totals.polls_not_mirrored = lost.polls_not_mirrored;
                totals.findings_dropped = lost.findings_dropped;
            }),
            Item::Unreadable(byte, why) => {
                self.note(format!("segment {}, byte {byte}: {why}", at.segment));
            }
        }
        Ok(())
    }

    fn amend(&mut self, amendment: Amendment, at: At) -> Result<(), RecordingError> {
        let n = amendment.n();
        if self.amended.len() >= REPLAY_BATCH {
            self.flush()?;
        }
        let known = self
            .journal
            .exchange(n)
            .or_else(|| self.recorded.exchange(n));
        // What it belongs to may have been dropped.
        let Some(known) = known else {
            return Ok(());
        };
        let mut exchange = Exchange::clone(&known);
        match amendment.apply(&mut exchange) {
            Ok(()) => {
                self.amended.insert(n, at);
                self.journal.restore_exchange(exchange);
            }
            Err(why) => self.note(format!("segment {}, exchange {n}: {why}", at.segment)),
        }
        Ok(())
    }

    /// Puts into the index what was read so far.
    fn flush(&mut self) -> Result<(), RecordingError> {
        let (all, turns) = (usize::MAX, Turns::default());
        let taken = self
            .journal
            .take(Timestamp::MAX, Duration::ZERO, all, turns);
        let places = taken
            .exchanges
            .iter()
            .filter_map(|one| self.places.get(&one.n).copied());
        let places: Vec<_> = places.collect();
        let amended = taken.amended.iter().filter_map(|exchange| {
            let at = self.amended.get(&exchange.n)?;
            Some((Arc::clone(exchange), *at))
        });
        // What was amended before it was put in has its place like the others.
        let early = taken.exchanges.iter().filter_map(|exchange| {
            let at = self.amended.get(&exchange.n)?;
            Some((Arc::clone(exchange), *at))
        });
        let amended: Vec<_> = amended.chain(early).collect();
        self.index.put(&Written {
            taken: &taken,
            places: &places,
            amended: &amended,
            activity: &taken.activity,
            position: self.position,
        })?;
        self.journal.stored(&taken);
        self.places.clear();
        self.amended.clear();
        self.waiting = 0;
        Ok(())
    }

    fn note_damage(&mut self, file: &str, error: &ImportError, torn: Torn) {
        let done = match torn {
            Torn::Cut => "the torn end was cut off",
            Torn::Leave => "what follows was left out",
        };
        self.note(format!("{file}: {error}; {done}"));
    }

    /// A note for each hundred broken pieces would help nobody.
    fn note(&mut self, note: String) {
        if self.notes.len() < crate::limits::RECORDING_NOTES {
            self.notes.push(note);
        }
    }
}
