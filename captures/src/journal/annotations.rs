//! Notes on exchanges that memory holds no longer.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{Change, Column, Comparison, Condition, Journal, Late, Wanted};
use crate::annotation::Annotation;
use crate::exchange::Exchange;
use crate::limits::ANNOTATIONS_HELD;

/// Why something could not be noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnnotated {
    /// The exchange is not kept.
    #[error("the exchange is not kept")]
    NotKept,
    /// There are too many notes that nobody records.
    #[error("memory holds {ANNOTATIONS_HELD} notes already, and nothing records them")]
    NoRoom,
}

/// Notes on what only the archive has. They may not have come there yet, or never will:
/// nothing is written to what is only looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Annotations {
    by_number: Arc<BTreeMap<u64, Annotation>>,
    order: VecDeque<u64>,
}

impl Annotations {
    /// # Errors
    /// There is no room, and nobody records what would have to make room.
    fn put(
        &mut self,
        n: u64,
        annotation: Annotation,
        is_recorded: bool,
    ) -> Result<(), NotAnnotated> {
        let by_number = Arc::make_mut(&mut self.by_number);
        if by_number.len() >= ANNOTATIONS_HELD && !by_number.contains_key(&n) {
            if !is_recorded {
                return Err(NotAnnotated::NoRoom);
            }
            if let Some(oldest) = self.order.pop_front() {
                by_number.remove(&oldest);
            }
        }
        if by_number.insert(n, annotation).is_none() {
            self.order.push_back(n);
        }
        Ok(())
    }
}

impl Journal {
    /// Notes something of an exchange, in the place of what was noted before. It is
    /// recorded where the journal is.
    ///
    /// # Errors
    /// The exchange is not kept, or there is no room for the note.
    pub fn annotate(&self, n: u64, annotation: Annotation) -> Result<(), NotAnnotated> {
        let mut state = self.lock();
        if state.get(n).is_none() {
            if n >= state.first_kept() || n < state.archive_first || self.archive.is_none() {
                return Err(NotAnnotated::NotKept);
            }
            let is_recorded = state.recording.is_some();
            state.annotations.put(n, annotation.clone(), is_recorded)?;
        }
        let is_recorded = state.recording.is_some();
        if is_recorded || state.get(n).is_some() {
            state.come(n, Late::Annotation(annotation));
        }
        self.drop_oldest(&mut state);
        drop(state);
        self.announce(Change::Exchange(n));
        Ok(())
    }

    /// Asks the archive, which does not know of every note.
    pub(super) fn ask_archive<T: Noted>(
        &self,
        wanted: &dyn Wanted,
        ask: impl FnOnce(&dyn Wanted) -> T,
    ) -> T {
        let notes = Arc::clone(&self.lock().annotations.by_number);
        if notes.is_empty() {
            return ask(wanted);
        }
        let mut answer = ask(&WithNotes {
            wanted,
            notes: &notes,
        });
        for exchange in answer.exchanges() {
            note(exchange, &notes);
        }
        answer
    }
}

/// What an archive answers.
pub(super) trait Noted {
    fn exchanges(&mut self) -> &mut [Arc<Exchange>];
}

impl Noted for super::Listing {
    fn exchanges(&mut self) -> &mut [Arc<Exchange>] {
        &mut self.exchanges
    }
}

impl Noted for super::Ranking {
    fn exchanges(&mut self) -> &mut [Arc<Exchange>] {
        &mut self.exchanges
    }
}

impl Noted for Option<Arc<Exchange>> {
    fn exchanges(&mut self) -> &mut [Arc<Exchange>] {
        self.as_mut_slice()
    }
}

fn note(exchange: &mut Arc<Exchange>, notes: &BTreeMap<u64, Annotation>) {
    if let Some(annotation) = notes.get(&exchange.n) {
        Arc::make_mut(exchange).annotation = annotation.clone();
    }
}

/// What is wanted of exchanges as they are with these notes.
struct WithNotes<'a> {
    wanted: &'a dyn Wanted,
    notes: &'a BTreeMap<u64, Annotation>,
}

impl Wanted for WithNotes<'_> {
    fn accepts(&self, exchange: &Exchange) -> bool {
        match self.notes.get(&exchange.n) {
            Some(annotation) => self.wanted.accepts(&Exchange {
                annotation: annotation.clone(),
                ..exchange.clone()
            }),
            None => self.wanted.accepts(exchange),
        }
    }

    fn condition(&self) -> Condition {
        let condition = self.wanted.condition();
        if !condition.asks_for(Column::Marked) {
            return condition;
        }
        let noted = self.notes.keys().map(|n| (*n).into()).collect();
        let noted = Condition::Compare(Column::N, Comparison::Equal, noted);
        // What the index takes may be noted otherwise: only the exchange tells.
        Condition::All(vec![
            Condition::Either(vec![condition, noted]),
            Condition::Unknown,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Annotations {
        let mut notes = Annotations::default();
        for n in 1..=ANNOTATIONS_HELD as u64 {
            notes.put(n, Annotation::new(true, ""), false).unwrap();
        }
        notes
    }

    #[test]
    fn more_notes_than_there_is_room_for_are_refused_where_nobody_records_them() {
        let mut notes = full();
        let beyond = notes.put(1_000_000, Annotation::default(), false);
        assert_eq!(beyond, Err(NotAnnotated::NoRoom));
        let again = notes.put(1, Annotation::new(true, "again"), false);
        assert_eq!((again, notes.by_number.len()), (Ok(()), ANNOTATIONS_HELD));
    }

    #[test]
    fn and_replace_the_oldest_where_somebody_does() {
        let mut notes = full();
        notes.put(1_000_000, Annotation::default(), true).unwrap();
        assert_eq!(notes.by_number.len(), ANNOTATIONS_HELD);
        assert!(!notes.by_number.contains_key(&1) && notes.by_number.contains_key(&2));
    }
}
