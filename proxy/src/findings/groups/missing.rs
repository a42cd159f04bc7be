//! PX312: joining, leaving or deleting a group that is not there is answered OK
//! (case C12).

use jiff::SignedDuration;
use parallax_captures::catalog::OK_FOR_MISSING_GROUP;
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};
use parallax_codec::{ErrorCode, Reply, Request};

use super::super::claims::{Claim, Conclusion};
use super::act::Act;
use crate::bounded::Bounded;
use crate::ledger::{Ledger, Partition, Reader, Scope, Span};
use crate::limits::{ABSENCE_COUNTS, GROUPS_WATCHED};

/// Groups that were said not to be there.
#[derive(Debug)]
pub(super) struct Absences(Bounded<Scope, Option<Absence>>);

#[derive(Debug)]
struct Absence {
    span: Span,
    /// `exchange 12 asked for the group: no such group`.
    told: String,
}

impl Default for Absences {
    fn default() -> Self {
        Self(Bounded::new(GROUPS_WATCHED))
    }
}

impl Absences {
    pub(super) fn claim(&mut self, act: &Act<'_>, ledger: &Ledger) -> Option<Claim> {
        if let Request::CreateConsumerGroup(r) = act.request {
            // Done or refused, it may be there now.
            let name = Identifier::Named(r.name.clone());
            let group = ledger.group(&r.stream, &r.topic, &name);
            if let Scope::Group(topic, _) = &group {
                *self.0.entry(&Scope::Group(topic.clone(), name)) = None;
            }
            *self.0.entry(&group) = None;
            return None;
        }
        let group = act.group.clone()?;
        let known = self.0.entry(&group);
        if is_missing(act) {
            let answer = match act.exchange.error() {
                Some(error) => error.to_string(),
                None => "no such group".to_owned(),
            };
            *known = Some(absence(act, &answer));
            return None;
        }
        if !act.is_done() {
            return None;
        }
        let before = known.take();
        match act.request {
            Request::DeleteConsumerGroup(_) => *known = Some(absence(act, "done")),
            Request::JoinConsumerGroup(_) | Request::LeaveConsumerGroup(_) => {}
            _ => return None,
        }
        let before = before?;
        let age = act.span.from.duration_since(before.span.to);
        let counts = SignedDuration::try_from(ABSENCE_COUNTS).unwrap_or(SignedDuration::ZERO);
        if before.span.overlaps(act.span) || age.is_negative() || age > counts {
            return None;
        }
        let evidence = vec![
            format!(
                "{}; then {} was answered OK",
                before.told,
                act.exchange.command()
            ),
            "no creation of the group that passed here lies between".to_owned(),
        ];
        let finding = act.finding(OK_FOR_MISSING_GROUP, act.place(), evidence);
        Some(act.claim(&any_reader(group)?, Conclusion::Finding(finding)))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}

fn absence(act: &Act<'_>, answer: &str) -> Absence {
    let (n, command) = (act.exchange.n, act.exchange.command());
    Absence {
        span: act.span,
        told: format!("exchange {n}, {command}, was answered: {answer}"),
    }
}

/// Whether the reply says that the group is not there.
fn is_missing(act: &Act<'_>) -> bool {
    match act.exchange.error() {
        Some(code) => matches!(
            code,
            ErrorCode::CONSUMER_GROUP_ID_NOT_FOUND | ErrorCode::CONSUMER_GROUP_NAME_NOT_FOUND
        ),
        None => {
            matches!(act.request, Request::GetConsumerGroup(_))
                && matches!(act.reply, Some(Reply::Empty))
        }
    }
}

/// Some reader of the group: what creates the group makes it anew.
fn any_reader(group: Scope) -> Option<Reader> {
    let Scope::Group(topic, id) = group else {
        return None;
    };
    Some(Reader {
        partition: Partition { topic, id: 0 },
        consumer: Consumer {
            kind: ConsumerKind::Group,
            id,
        },
    })
}
