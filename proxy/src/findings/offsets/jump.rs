//! PX202 to PX204: a reader was given messages from beyond where it was to go on.

use parallax_captures::Exchange;
use parallax_captures::poll::Poll;
use parallax_codec::primitives::PollingKind;

use super::super::claims::{Claim, Conclusion};
use super::super::place::reader_place;
use super::super::probe::{Probe, Purpose};
use crate::comparison::own;
use crate::ledger::Polled;

pub(super) fn claim(exchange: &Exchange, polled: &Polled) -> Option<Claim> {
    let (first, last) = polled.offsets?;
    let (expected, why) = expected(polled)?;
    if first <= expected {
        return None;
    }
    let skipped = first - expected;
    let evidence = vec![
        format!(
            "the poll was answered with offsets {first} to {last}; it was to go on at {expected}, \
             so {skipped} offsets were skipped"
        ),
        why,
        "nothing that passed here explains it".to_owned(),
    ];
    let id = polled.reader.partition.id;
    let question = Poll {
        count: 1,
        ..own(&polled.poll, id, PollingKind::Offset, expected)
    };
    let probe = Probe {
        n: exchange.n,
        conn: exchange.conn,
        time: exchange.times.request_first,
        question,
        purpose: Purpose::Jump {
            expected,
            found: first,
        },
        place: reader_place(&polled.poll, id),
        evidence,
    };
    Some(Claim {
        reader: polled.reader.clone(),
        span: polled.span,
        conclusion: Conclusion::Probe(probe),
    })
}

/// Where the poll was to go on, and why, where that is known.
fn expected(polled: &Polled) -> Option<(u64, String)> {
    match polled.poll.strategy {
        PollingKind::Offset => {
            let asked = polled.poll.value;
            Some((asked, format!("the request asks for offset {asked}")))
        }
        PollingKind::Next => {
            let stored = polled.before.stored.as_ref()?;
            let offset = stored.value?;
            let why = format!("the server held {offset} as consumed: {}", stored.source());
            Some((offset.checked_add(1)?, why))
        }
        PollingKind::First | PollingKind::Last | PollingKind::Timestamp => None,
    }
}
