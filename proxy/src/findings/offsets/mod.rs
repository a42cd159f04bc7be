//! `PX2xx`: what the ledger shows of offsets. Each rule is a function of what one
//! exchange added to it.

mod another_log;
mod jump;

use parallax_captures::Exchange;

use super::claims::Claim;
use crate::ledger::Learned;

/// What an exchange shows, beside what was known before it.
pub(super) fn claims(exchange: &Exchange, learned: &Learned) -> Vec<Claim> {
    match learned {
        Learned::Poll(polled) => {
            let another_log = another_log::claim(exchange, polled);
            // In another log nothing was to go on where it did before.
            let jump = || jump::claim(exchange, polled);
            another_log.or_else(jump).into_iter().collect()
        }
        Learned::Store(_) | Learned::Asked(_) | Learned::OffsetDeleted(_) | Learned::Anew(_) => {
            Vec::new()
        }
    }
}
