//! PX312: joining, leaving or deleting a group that is not there is answered OK
//! (case C12).

use jiff::SignedDuration;
use parallax_captures::catalog::OK_FOR_MISSING_GROUP;
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};
use parallax_codec::{ErrorCode, Reply, Request};

use super::super::claims::{Claim, Conclusion};
use super::act::Act;
use crate::bounded::Bounded;
use crate::ledger::{Ledger, Partition, Reader, Scope, Span, Topic};
use crate::limits::{ABSENCE_COUNTS, GROUP_LISTS, GROUPS_LISTED, GROUPS_WATCHED};

/// Groups that were said not to be there.
#[derive(Debug)]
pub(super) struct Absences {
    groups: Bounded<Scope, Known>,
    lists: Bounded<Topic, Option<Listed>>,
}

/// A topic's groups, as a reply listed them: others were not there.
#[derive(Debug)]
struct Listed {
    others: Absence,
    groups: Vec<(u32, String)>,
}

/// What is known of a group.
#[derive(Debug, Default)]
struct Known {
    missing: Option<Absence>,
    /// When it was last seen to be there, or may have been made.
    there: Option<Span>,
}

#[derive(Debug, Clone)]
struct Absence {
    span: Span,
    /// `exchange 12 asked for the group: no such group`.
    told: String,
}

impl Default for Absences {
    fn default() -> Self {
        Self {
            groups: Bounded::new(GROUPS_WATCHED),
            lists: Bounded::new(GROUP_LISTS),
        }
    }
}

impl Absences {
    pub(super) fn claim(&mut self, act: &Act<'_>, ledger: &Ledger) -> Option<Claim> {
        match act.request {
            Request::CreateConsumerGroup(r) => {
                // Done or refused, it may be there now.
                let topic = ledger.topic(&r.stream, &r.topic);
                let name = Identifier::Named(r.name.clone());
                let numbered = ledger.group(&r.stream, &r.topic, &name);
                for group in [numbered, Scope::Group(topic.clone(), name)] {
                    self.groups.entry(&group).is_there(act.span);
                }
                self.lists.remove(&topic);
                return None;
            }
            Request::GetConsumerGroups(r) => {
                self.list(act, &ledger.topic(&r.stream, &r.topic));
                return None;
            }
            _ => {}
        }
        let group = act.group.as_ref()?;
        let listed = self.not_listed(group);
        let known = self.groups.entry(group);
        if is_missing(act) {
            let answer = match act.exchange.error() {
                Some(error) => error.to_string(),
                None => "no such group".to_owned(),
            };
            known.missing = Some(absence(act, &answer));
            return None;
        }
        if !act.is_done() {
            return None;
        }
        let before = known.missing.take();
        let there = known.there;
        match act.request {
            Request::DeleteConsumerGroup(_) => known.missing = Some(absence(act, "done")),
            Request::JoinConsumerGroup(_) | Request::LeaveConsumerGroup(_) => {}
            // Whoever made it, it is there.
            _ => {
                known.is_there(act.span);
                if let Scope::Group(topic, _) = group {
                    self.lists.remove(topic);
                }
                return None;
            }
        }
        // Where both were under way at one time, which came first is not known.
        let is_since = |absence: &Absence| there.is_none_or(|there| there.is_before(absence.span));
        let before = before.or(listed).filter(is_since)?;
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
        Some(act.claim(&any_reader(group.clone())?, Conclusion::Finding(finding)))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.groups.forgotten() + self.lists.forgotten()
    }

    /// A reply lists the groups of a topic.
    fn list(&mut self, act: &Act<'_>, topic: &Topic) {
        let groups: Vec<(u32, String)> = match act.reply {
            Some(Reply::ConsumerGroups(groups)) if groups.len() <= GROUPS_LISTED => groups
                .iter()
                .map(|group| (group.id, group.name.clone()))
                .collect(),
            Some(Reply::Empty) => Vec::new(),
            _ => {
                self.lists.remove(topic);
                return;
            }
        };
        for (id, name) in &groups {
            let names = [Identifier::Numeric(*id), Identifier::Named(name.clone())];
            for group in names.map(|group| Scope::Group(topic.clone(), group)) {
                // Of the others there is nothing to take back.
                if let Some(known) = self.groups.get_mut(&group) {
                    known.is_there(act.span);
                }
            }
        }
        let others = absence(act, "without it");
        *self.lists.entry(topic) = Some(Listed { others, groups });
    }

    /// The list that a group is missing from.
    fn not_listed(&self, group: &Scope) -> Option<Absence> {
        let Scope::Group(topic, group) = group else {
            return None;
        };
        let listed = self.lists.get(topic)?.as_ref()?;
        let is_it = |(id, name): &(u32, String)| match group {
            Identifier::Numeric(number) => id == number,
            Identifier::Named(named) => name == named,
        };
        (!listed.groups.iter().any(is_it)).then(|| listed.others.clone())
    }
}

impl Known {
    fn is_there(&mut self, span: Span) {
        self.missing = None;
        if self.there.is_none_or(|there| there.to < span.to) {
            self.there = Some(span);
        }
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
