//! PX208: the server refuses to store an offset that it has served.

use parallax_captures::Exchange;
use parallax_captures::catalog::SERVED_BUT_NOT_STORED;
use parallax_codec::{ErrorCode, Request};

use super::super::claims::Claim;
use super::super::place::consumer_place;
use super::claimed;
use crate::ledger::Stored;

pub(super) fn claim(exchange: &Exchange, stored: &Stored) -> Option<Claim> {
    if stored.refused? != ErrorCode::INVALID_OFFSET {
        return None;
    }
    let delivered = stored.before.delivered.as_ref()?;
    if !(delivered.value.first..=delivered.value.last).contains(&stored.offset) {
        return None;
    }
    let Some(Request::StoreConsumerOffset(r)) = &exchange.binary()?.request else {
        return None;
    };
    let topic = format!("{}/{}", r.topic, stored.reader.partition.id);
    let place = consumer_place(&r.stream, &topic, &r.consumer, "");
    let evidence = vec![
        format!(
            "the store of offset {} was refused with {}",
            stored.offset,
            ErrorCode::INVALID_OFFSET
        ),
        format!(
            "the same reader was served offsets {} to {}: {}",
            delivered.value.first,
            delivered.value.last,
            delivered.source()
        ),
    ];
    let whose = (&stored.reader, stored.span);
    Some(claimed(
        exchange,
        whose,
        SERVED_BUT_NOT_STORED,
        place,
        evidence,
    ))
}
