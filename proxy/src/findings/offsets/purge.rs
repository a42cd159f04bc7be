//! PX209: after a purge a reader begins beyond the first message.

use parallax_captures::Exchange;
use parallax_codec::primitives::PollingKind;

use super::super::claims::Claim;
use super::super::probe::Purpose;
use super::probed;
use crate::ledger::{How, Polled};

pub(super) fn claim(exchange: &Exchange, polled: &Polled) -> Option<Claim> {
    let (found, _) = polled.offsets?;
    let purged = polled
        .begun
        .as_ref()
        .filter(|fact| fact.how == How::Purged)?;
    let before = &polled.before;
    let is_first = before.stored.is_none() && before.delivered.is_none() && !before.is_open();
    if polled.poll.strategy.kind != PollingKind::Next || !is_first || found == 0 {
        return None;
    }
    let evidence = vec![
        format!("the first poll of Next after the purge was answered from offset {found} on"),
        purged.source(),
        "the reader has stored nothing since that passed here".to_owned(),
    ];
    Some(probed(
        exchange,
        polled,
        Purpose::AfterPurge { found },
        evidence,
    ))
}
