//! PX211 and PX214: a reader was set back; PX216: a reader was set forward, past
//! messages that it was not given. No harm in itself; it explains what comes after.

use parallax_captures::catalog::{SET_BACK, SET_BACK_TO_ZERO, SET_FORWARD};
use parallax_captures::{Exchange, FindingCode};
use parallax_codec::Request;

use super::super::claims::Claim;
use super::super::place::consumer_place;
use super::claimed;
use crate::ledger::Stored;

pub(super) fn claim(exchange: &Exchange, stored: &Stored) -> Option<Claim> {
    if stored.refused.is_some() {
        return None;
    }
    let Some(Request::StoreConsumerOffset(r)) = &exchange.binary()?.request else {
        return None;
    };
    let (code, evidence) = set_back(stored).or_else(|| set_forward(stored))?;
    let topic = format!("{}/{}", r.topic, stored.reader.partition.id);
    let place = consumer_place(&r.stream, &topic, &r.consumer, "");
    let whose = (&stored.reader, stored.span);
    Some(claimed(exchange, whose, code, place, evidence))
}

fn set_back(stored: &Stored) -> Option<(FindingCode, Vec<String>)> {
    let before = stored.before.stored.as_ref()?;
    let from = before.value.filter(|from| *from > stored.offset)?;
    let evidence = vec![
        format!("offset {} was stored", stored.offset),
        format!("{from} was stored before: {}", before.source()),
        format!(
            "Next is to go on at {}, or at the first message after it that is left",
            stored.offset.saturating_add(1)
        ),
    ];
    let code = if stored.offset == 0 {
        SET_BACK_TO_ZERO
    } else {
        SET_BACK
    };
    Some((code, evidence))
}

fn set_forward(stored: &Stored) -> Option<(FindingCode, Vec<String>)> {
    let delivered = stored.before.delivered.as_ref()?;
    let held = stored.before.stored.as_ref().and_then(|fact| fact.value);
    // Whoever was set there before is only told so again.
    let reached = held.map_or(delivered.value.last, |held| held.max(delivered.value.last));
    if stored.offset <= reached {
        return None;
    }
    let evidence = vec![
        format!("offset {} was stored", stored.offset),
        format!(
            "the last message that the reader was given is at offset {}: {}",
            delivered.value.last,
            delivered.source()
        ),
        format!(
            "{} offsets in between were not given to it by anything that passed here",
            stored.offset - reached
        ),
    ];
    Some((SET_FORWARD, evidence))
}
