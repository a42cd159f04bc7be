//! PX206: the stored offset is ahead of the partition's end.

use parallax_captures::Exchange;
use parallax_captures::catalog::STORED_AHEAD;
use parallax_codec::Request;

use super::super::claims::Claim;
use super::super::place::consumer_place;
use super::claimed;
use crate::ledger::Asked;

pub(super) fn claim(exchange: &Exchange, asked: &Asked) -> Option<Claim> {
    let (stored, end) = (asked.stored?, asked.current_offset?);
    let known = asked.log_before.watermark.as_ref();
    if stored <= end || known.is_some_and(|known| known.value >= stored) {
        return None;
    }
    let Some(Request::GetConsumerOffset(r)) = &exchange.binary()?.request else {
        return None;
    };
    let topic = format!("{}/{}", r.topic, asked.reader.partition.id);
    let place = consumer_place(&r.stream, &topic, &r.consumer, "");
    let evidence = vec![format!(
        "the server holds {stored} as consumed of a partition whose last offset is {end}: Next \
         stays empty until the partition has grown past {stored}, and what is appended until then \
         is skipped"
    )];
    let whose = (&asked.reader, asked.span);
    Some(claimed(exchange, whose, STORED_AHEAD, place, evidence))
}
