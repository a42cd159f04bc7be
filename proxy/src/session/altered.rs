//! What was done to requests and replies in the path, told by the relay.

use std::collections::VecDeque;

use parallax_captures::{Alteration, ServerAnswer};

use super::{Session, SessionEvent};
use crate::limits::OPEN_REQUESTS;
use crate::relay::Note;
use crate::relay::in_path::{Mark, MarkKind};

/// What was done to requests that are not whole yet, by where their first byte stands; the
/// oldest is forgotten beyond [`OPEN_REQUESTS`].
#[derive(Debug, Default)]
pub(super) struct Altered(VecDeque<(u64, Box<Alteration>)>);

impl Altered {
    fn at(&mut self, at: u64) -> &mut Alteration {
        let place = self.0.iter().position(|(known, _)| *known == at);
        let index = place.unwrap_or_else(|| {
            if self.0.len() >= OPEN_REQUESTS {
                self.0.pop_front();
            }
            self.0.push_back((at, Box::default()));
            self.0.len() - 1
        });
        &mut self.0[index].1
    }

    /// Takes what was done to the request that begins at `at`; what was done to those
    /// before it passed unseen.
    pub(super) fn take(&mut self, at: u64) -> Option<Box<Alteration>> {
        while let Some((known, _)) = self.0.front() {
            if *known > at {
                return None;
            }
            let taken = self.0.pop_front();
            if let Some((_, altered)) = taken.filter(|(known, _)| *known == at) {
                return Some(altered);
            }
        }
        None
    }
}

impl Session {
    /// Takes note of what was done in the path, which is told before the bytes that it is
    /// about.
    pub fn altered(&mut self, note: Note, events: &mut Vec<SessionEvent>) {
        let at = note.at();
        let dropped = matches!(note, Note::Withheld { dropped: true, .. });
        let index = self
            .open
            .iter()
            .position(|request| request.frame.start() == at);
        let Some(index) = index else {
            tell(self.altered.at(at), note);
            return;
        };
        if let Some(request) = self.open.get_mut(index) {
            tell(request.altered.get_or_insert_default(), note);
        }
        // What answers the next request is not to be taken for the answer to this one.
        if dropped && let Some(request) = self.open.remove(index) {
            self.unanswered(request, None, events);
        }
    }
}

fn tell(altered: &mut Alteration, note: Note) {
    let marks = match note {
        Note::Decided {
            marks,
            answered_otherwise,
            ..
        } => {
            altered.answered_otherwise |= answered_otherwise;
            marks
        }
        Note::Withheld {
            marks,
            status,
            body_length,
            ..
        } => {
            altered.answered_otherwise = true;
            altered.server_answer = Some(ServerAnswer {
                status,
                body_length,
            });
            marks
        }
    };
    for Mark { kind, what } in marks {
        let text = match kind {
            MarkKind::Injected => &mut altered.injected,
            MarkKind::Rewritten => &mut altered.rewritten,
        };
        Alteration::note(text, &what);
    }
}
