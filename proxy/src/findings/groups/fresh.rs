//! PX306: a reader that has no stored offset begins at the tail.

use parallax_codec::primitives::PollingKind;

use super::super::claims::{Claim, Conclusion};
use super::super::probe::{Probe, Purpose};
use super::act::Act;
use crate::bounded::Bounded;
use crate::ledger::{How, Ledger, Polled, Reader, Scope};
use crate::limits::GROUPS_WATCHED;

/// How each reader began.
#[derive(Debug)]
pub(super) struct Beginnings(Bounded<Reader, Beginning>);

#[derive(Debug, Default)]
struct Beginning {
    /// Whether it has polled or committed before.
    has_begun: bool,
    /// Its first poll went to the tail, and nothing is committed yet: the question
    /// that shows whether anything was before that.
    at_tail: Option<(u64, Probe)>,
}

impl Default for Beginnings {
    fn default() -> Self {
        Self(Bounded::new(GROUPS_WATCHED))
    }
}

impl Beginnings {
    pub(super) fn begins_anew(&mut self, scope: &Scope) {
        self.0.retain(|reader, _| !scope.covers(reader));
    }

    pub(super) fn claim(&mut self, act: &Act<'_>, ledger: &Ledger) -> Option<Claim> {
        if let Some(reader) = act.offset_deleted() {
            *self.0.entry(reader) = Beginning::default();
        }
        // Of what was forgotten nobody knows that it never was.
        let knows_all = ledger.forgotten() == 0 && self.0.forgotten() == 0;
        if let Some(polled) = act.polled() {
            let beginning = self.0.entry(&polled.reader);
            if std::mem::replace(&mut beginning.has_begun, true) {
                return None;
            }
            let (first, probe) = at_tail(act, polled, knows_all)?;
            if polled.poll.auto_commit {
                return Some(act.claim(&polled.reader, Conclusion::Probe(probe)));
            }
            beginning.at_tail = Some((first, probe));
            return None;
        }
        let stored = act.stored()?;
        let beginning = self.0.entry(&stored.reader);
        beginning.has_begun = true;
        if !act.is_done() {
            return None;
        }
        let (_, probe) = beginning
            .at_tail
            .take()
            .filter(|(first, _)| stored.offset >= *first)?;
        Some(act.claim(&stored.reader, Conclusion::Probe(probe)))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}

/// The offset at which a first poll went to the tail, and the question whether
/// there are messages before it.
fn at_tail(act: &Act<'_>, polled: &Polled, knows_all: bool) -> Option<(u64, Probe)> {
    let may_skip = matches!(
        polled.poll.strategy.kind,
        PollingKind::Last | PollingKind::Next
    );
    if !may_skip || polled.is_of_another_log() {
        return None;
    }
    let (first, last) = polled.offsets.filter(|(first, _)| *first > 0)?;
    let why = held_nothing(polled, knows_all)?;
    let timestamp = act.poll_reply()?.messages.first()?.header.timestamp;
    let strategy = polled.poll.strategy.kind.name();
    let evidence = vec![
        format!(
            "the reader's first poll, of {strategy}, was answered with offsets {first} to {last}, \
             and committed"
        ),
        why,
    ];
    let purpose = Purpose::FreshAtTail {
        found: first,
        timestamp,
    };
    let probe = Probe::of(act.exchange, polled, purpose, evidence);
    Some((first, probe))
}

/// How it is known that the server held no offset for the reader.
fn held_nothing(polled: &Polled, knows_all: bool) -> Option<String> {
    if polled.before.is_open() {
        return None;
    }
    if let Some(fact) = &polled.before.stored {
        let none = fact.value.is_none();
        return none.then(|| {
            format!(
                "the server held no offset for the reader: {}",
                fact.source()
            )
        });
    }
    let begun = polled.begun.as_ref()?;
    (knows_all && begun.how == How::Created).then(|| {
        format!(
            "the server can have held no offset for the reader: {}",
            begun.source()
        )
    })
}
