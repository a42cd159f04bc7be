//! PX211 and PX214: a reader was set back. No harm in itself; it explains what
//! comes after.

use parallax_captures::Exchange;
use parallax_captures::catalog::{SET_BACK, SET_BACK_TO_ZERO};
use parallax_codec::Request;

use super::super::claims::Claim;
use super::super::place::consumer_place;
use super::claimed;
use crate::ledger::Stored;

pub(super) fn claim(exchange: &Exchange, stored: &Stored) -> Option<Claim> {
    if stored.refused.is_some() {
        return None;
    }
    let before = stored.before.stored.as_ref()?;
    let from = before.value.filter(|from| *from > stored.offset)?;
    let Some(Request::StoreConsumerOffset(r)) = &exchange.binary()?.request else {
        return None;
    };
    let topic = format!("{}/{}", r.topic, stored.reader.partition.id);
    let place = consumer_place(&r.stream, &topic, &r.consumer, "");
    let evidence = vec![
        format!("offset {} was stored", stored.offset),
        format!("{from} was stored before: {}", before.source()),
        format!("Next begins at {} now", stored.offset + 1),
    ];
    let code = if stored.offset == 0 {
        SET_BACK_TO_ZERO
    } else {
        SET_BACK
    };
    let whose = (&stored.reader, stored.span);
    Some(claimed(exchange, whose, code, place, evidence))
}
