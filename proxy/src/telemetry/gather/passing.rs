//! What passes: connections and bytes.

use super::Figures;
use crate::relay::{Counters, Statistics};
use crate::telemetry::family::Family;
use crate::telemetry::metrics::{
    ACCEPT_ERRORS, ACCEPTED, CLOSED, CONNECTIONS, CONNECTIONS_LIMIT, HANDSHAKE_FAILURES,
    IN_PATH_TOO_LONG, IN_PATH_UNREAD, REFUSED, RELAYED, UNOBSERVED,
};

impl Figures {
    pub(super) fn passing(&self) -> Vec<Family> {
        // Ended ones first, so that none ends that was not accepted.
        let mut closed = Family::new(&CLOSED);
        let mut ended = 0;
        for reason in Counters::REASONS {
            let relays = self.relays.iter();
            let count: u64 = relays.map(|relay| relay.closed_for(reason)).sum();
            ended += count;
            closed.push([reason.into()], count);
        }
        let all: Vec<_> = self.relays.iter().map(|relay| relay.snapshot()).collect();
        let sum = |figure: fn(&Statistics) -> u64| all.iter().map(figure).sum::<u64>();
        let in_path = |count: fn(&Counters) -> u64| -> u64 {
            self.relays.iter().map(|relay| count(relay)).sum()
        };
        let tallies = self.journal.tallies();
        let (to_server, to_client) = if self.is_bypass {
            (sum(|all| all.to_server), sum(|all| all.to_client))
        } else {
            (tallies.bytes_to_server, tallies.bytes_to_client)
        };
        vec![
            Family::of(&CONNECTIONS, sum(|all| all.accepted).saturating_sub(ended)),
            Family::of(&CONNECTIONS_LIMIT, self.connections_limit),
            Family::of(&ACCEPTED, sum(|all| all.accepted)),
            Family::of(&REFUSED, sum(|all| all.refused)),
            closed,
            Family::new(&HANDSHAKE_FAILURES)
                .with(["client"], sum(|all| all.client_handshake_failures))
                .with(["server"], sum(|all| all.server_handshake_failures)),
            Family::of(&ACCEPT_ERRORS, sum(|all| all.accept_errors)),
            Family::new(&RELAYED)
                .with(["to_server"], to_server)
                .with(["to_client"], to_client),
            Family::of(&IN_PATH_TOO_LONG, in_path(Counters::in_path_too_long)),
            Family::of(&IN_PATH_UNREAD, in_path(Counters::in_path_unread)),
            Family::of(&UNOBSERVED, tallies.bytes_unobserved),
        ]
    }
}
