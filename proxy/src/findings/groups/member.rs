//! PX302 to PX304: a member of a group that does not notice that it no longer is
//! one, or has other partitions (cases B5 and B6).

use parallax_captures::catalog::{COMMIT_AFTER_LEAVE, FENCED, NOT_A_MEMBER};
use parallax_captures::{ConnectionId, Dialect, Finding};
use parallax_codec::{Reply, Request};

use super::act::Act;
use super::streak::Streak;
use crate::bounded::Bounded;
use crate::ledger::{Scope, Span};
use crate::limits::{FENCED_POLLS, GROUPS_WATCHED, POLLS_WITHOUT_MEMBERSHIP};

/// A connection's membership in each group that it names.
#[derive(Debug)]
pub(super) struct Members(Bounded<(ConnectionId, Scope), Member>);

#[derive(Debug, Default)]
struct Member {
    /// The exchange that left the group.
    left: Option<(u64, Span)>,
    /// The exchange that said that it is no member.
    expelled: Option<(u64, Span)>,
    /// Polls since then.
    outside: Streak,
    /// Polls that told it to ask for its assignment.
    fenced: Streak,
}

impl Default for Members {
    fn default() -> Self {
        Self(Bounded::new(GROUPS_WATCHED))
    }
}

impl Members {
    /// In a group that is deleted or made anew nobody is a member, whoever left it
    /// before.
    pub(super) fn begins_anew(&mut self, scope: &Scope) {
        self.0.retain(|(_, group), _| !scope.covers_group(group));
    }

    pub(super) fn finding(&mut self, act: &Act<'_>) -> Option<Finding> {
        let key = (&act.exchange.conn, act.group.as_ref()?);
        let member = self.0.entry(&key);
        match act.request {
            Request::JoinConsumerGroup(_) => {
                let left = member.left.take().filter(|_| !act.is_done());
                *member = Member {
                    left,
                    ..Member::default()
                };
                None
            }
            Request::LeaveConsumerGroup(_) if act.is_done() => {
                *member = Member {
                    left: Some((act.exchange.n, act.span)),
                    ..Member::default()
                };
                None
            }
            Request::SyncConsumerGroup(_) => {
                member.fenced.clear();
                member.outside.clear();
                let says_no = matches!(act.reply, Some(Reply::Empty));
                member.expelled = says_no.then_some((act.exchange.n, act.span));
                None
            }
            Request::PollMessages(_) | Request::PollMessagesOnPrimary(_) => member.polls(act),
            Request::StoreConsumerOffset(_) => member.stores(act),
            _ => None,
        }
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.0.forgotten()
    }
}

impl Member {
    fn polls(&mut self, act: &Act<'_>) -> Option<Finding> {
        let reply = act.poll_reply();
        if reply.is_some_and(|reply| !reply.messages.is_empty()) {
            self.expelled = None;
            self.outside.clear();
            self.fenced.clear();
            return None;
        }
        let is_fenced = reply.map(|reply| reply.partition_id == u32::MAX);
        match is_fenced {
            Some(true) => self.fenced.add(act, FENCED_POLLS),
            Some(false) => self.fenced.clear(),
            // A refusal says nothing of the assignment.
            None => {}
        }
        if let Some((n, told)) = self.expelled {
            if act.span.from >= told.to {
                self.outside.add(act, POLLS_WITHOUT_MEMBERSHIP);
            }
            return self.outside_finding(act, n);
        }
        (is_fenced == Some(true))
            .then(|| self.fenced_finding(act))
            .flatten()
    }

    fn outside_finding(&self, act: &Act<'_>, n: u64) -> Option<Finding> {
        let count = self.outside.count();
        let evidence = vec![
            format!(
                "exchange {n} asked for its assignment (606) and the reply was empty: not a \
                 member; {count} polls brought nothing since, and no join (604) passed"
            ),
            "the client has to join the group again".to_owned(),
        ];
        let place = connection_place(act);
        self.outside
            .finding(act, POLLS_WITHOUT_MEMBERSHIP, NOT_A_MEMBER, place, evidence)
    }

    fn fenced_finding(&self, act: &Act<'_>) -> Option<Finding> {
        let count = self.fenced.count();
        let evidence = vec![
            format!(
                "{count} polls in a row were answered with no message and 0xFFFFFFFF in the \
                 partition's place, which stands for \"ask for your assignment anew\""
            ),
            "neither a sync (606) nor a join (604) of the group passed on this connection since \
             the first of them"
                .to_owned(),
        ];
        let place = connection_place(act);
        self.fenced
            .finding(act, FENCED_POLLS, FENCED, place, evidence)
    }

    fn stores(&self, act: &Act<'_>) -> Option<Finding> {
        let (n, left) = self.left?;
        let error = act
            .exchange
            .error()
            .filter(|code| is_about_groups(code.0, act.exchange.dialect))?;
        let Request::StoreConsumerOffset(request) = act.request else {
            return None;
        };
        if act.span.from < left.to {
            return None;
        }
        let offset = request.offset;
        let mut evidence = vec![format!(
            "exchange {n} left the group; the commit of offset {offset} on the same connection \
             after it was refused: {error}"
        )];
        let stored = act.stored().and_then(|stored| stored.before.stored.clone());
        evidence.push(match stored {
            Some(fact) => {
                let (held, next) = match fact.value {
                    Some(held) => (format!("{held} as consumed"), held.saturating_add(1)),
                    None => ("no offset".to_owned(), 0),
                };
                let lost = offset.saturating_add(1).saturating_sub(next);
                format!(
                    "the server holds {held} ({}): {lost} offsets lost, the next owner of the \
                     partition reads again from {next}",
                    fact.source()
                )
            }
            None => "what the server holds as consumed was not seen here, so how much is read \
                     again is not known"
                .to_owned(),
        });
        Some(act.finding(COMMIT_AFTER_LEAVE, act.place(), evidence))
    }
}

fn connection_place(act: &Act<'_>) -> String {
    format!("{}, connection {}", act.place_with(None), act.exchange.conn)
}

/// 5000 to 5009: the group, or the membership, is not there. Server 0.9.0-edge.5
/// says 20 (`resource_not_found`) of a commit on a partition that is not the
/// client's.
const fn is_about_groups(code: u32, dialect: Dialect) -> bool {
    matches!((code, dialect), (5000..=5009, _) | (20, Dialect::Vsr))
}
