//! PX310: a client is evicted after it has been silent (case B7).

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use parallax_captures::catalog::EVICTED_AFTER_SILENCE;
use parallax_captures::{ConnectionId, Content, Exchange, Finding};
use parallax_codec::vsr::EvictionReason;
use parallax_codec::{ErrorCode, Request};

use super::act::Act;
use crate::bounded::Bounded;
use crate::ledger::{Learned, Scope};
use crate::limits::{EVICTING_SILENCE, GROUPS_JOINED, GROUPS_WATCHED};

/// When each connection last asked for something.
#[derive(Debug)]
pub(super) struct Silences {
    connections: Bounded<ConnectionId, Connection>,
    /// Memberships for which there was no room.
    not_known: u64,
}

#[derive(Debug, Default)]
struct Connection {
    last_request: Option<Timestamp>,
    /// The groups that it has joined.
    joined: HashSet<Scope>,
}

impl Default for Silences {
    fn default() -> Self {
        Self {
            connections: Bounded::new(GROUPS_WATCHED),
            not_known: 0,
        }
    }
}

impl Silences {
    pub(super) fn finding(
        &mut self,
        exchange: &Exchange,
        act: Option<&Act<'_>>,
        learned: &[Learned<'_>],
    ) -> Option<Finding> {
        if matches!(exchange.content, Content::Http(_)) {
            return None;
        }
        let connection = self.connections.entry(&exchange.conn);
        let evicted = connection.evicted(exchange, act);
        if let Some(act) = act {
            self.not_known += u64::from(!connection.follow(act));
        }
        let times = exchange.times;
        let since = connection.last_request;
        if exchange.binary().is_some() {
            connection.last_request = since.max(Some(times.request_last));
        }
        for learned in learned {
            if let Learned::Anew(scope) = learned {
                self.forget_membership(scope);
            }
        }
        let silence = times.request_first.duration_since(since?);
        let enough = SignedDuration::try_from(EVICTING_SILENCE).unwrap_or(SignedDuration::MAX);
        if silence < enough {
            return None;
        }
        let evidence = vec![
            format!(
                "{} ms without a request on this connection, not even a ping; then {}",
                silence.as_millis(),
                evicted?
            ),
            "a server that checks heartbeats evicts a client after 1.2 times its \
             heartbeat.interval (5 s by default)"
                .to_owned(),
        ];
        Some(Finding::new(
            EVICTED_AFTER_SILENCE,
            format!("connection {}", exchange.conn),
            exchange.n,
            times.request_first,
            evidence,
        ))
    }

    pub(super) const fn forgotten(&self) -> u64 {
        self.connections.forgotten() + self.not_known
    }

    /// The group was deleted or made anew: whoever had joined has not been evicted.
    fn forget_membership(&mut self, scope: &Scope) {
        let stays = |joined: &Scope| !scope.covers_group(joined);
        self.connections
            .change(|_| true, |connection| connection.joined.retain(stays));
    }
}

impl Connection {
    /// What the server said that it says to a client that it has evicted.
    fn evicted(&self, exchange: &Exchange, act: Option<&Act<'_>>) -> Option<String> {
        if exchange.eviction().map(|eviction| eviction.reason) == Some(EvictionReason::STALE_CLIENT)
        {
            return Some("the server sent an eviction: stale client".to_owned());
        }
        let error = exchange.error()?;
        let command = exchange.command();
        if error == ErrorCode::STALE_CLIENT {
            return Some(format!("{command} was refused: {error}"));
        }
        let group = act?.group.as_ref()?;
        let was_member = self.joined.contains(group);
        (error == ErrorCode::CONSUMER_GROUP_MEMBER_NOT_FOUND && was_member).then(|| {
            format!("{command} was refused: {error}, though the connection had joined the group")
        })
    }

    /// Follows what the connection is a member of; `false` where there is no room
    /// to remember it.
    fn follow(&mut self, act: &Act<'_>) -> bool {
        if begins_a_session(act.request) {
            self.joined.clear();
        }
        let Some(group) = &act.group else {
            return true;
        };
        let not_found = Some(ErrorCode::CONSUMER_GROUP_MEMBER_NOT_FOUND);
        let leaves = matches!(act.request, Request::LeaveConsumerGroup(_));
        // An eviction is said once.
        if leaves || act.exchange.error() == not_found {
            self.joined.remove(group);
        } else if act.is_done() && matches!(act.request, Request::JoinConsumerGroup(_)) {
            if self.joined.len() >= GROUPS_JOINED && !self.joined.contains(group) {
                return false;
            }
            self.joined.insert(group.clone());
        }
        true
    }
}

/// Memberships end with the session.
const fn begins_a_session(request: &Request) -> bool {
    matches!(
        request,
        Request::LoginUser(_)
            | Request::LoginWithPersonalAccessToken(_)
            | Request::LoginRegister(_)
            | Request::LoginRegisterWithPat(_)
            | Request::LogoutUser
    )
}
