//! PX301: a reader begins again before where it committed (case B1).

use parallax_captures::catalog::REPLAY;
use parallax_codec::primitives::PollingKind;

use super::super::claims::{Claim, Conclusion};
use super::super::place::reader_place;
use super::act::Act;

pub(super) fn claim(act: &Act<'_>) -> Option<Claim> {
    let polled = act.polled()?;
    if polled.poll.strategy.kind != PollingKind::Next || polled.is_of_another_log() {
        return None;
    }
    let (first, _) = polled.offsets?;
    let stored = polled.before.stored.as_ref()?;
    let committed = stored.value?;
    if first > committed {
        return None;
    }
    let again = committed - first + 1;
    let last_reader = polled.before.delivered.as_ref().map(|fact| fact.value.conn);
    let change = last_reader.filter(|conn| *conn != act.exchange.conn);
    let after = change.map_or_else(String::new, |conn| {
        format!(
            " after member change: connection {conn} read before, connection {} now",
            act.exchange.conn
        )
    });
    let evidence = vec![
        format!("committed {committed}, resumed at {first}{after}; {again} offsets come again"),
        format!(
            "the server held {committed} as consumed: {}",
            stored.source()
        ),
        "no store backwards, deletion of the offset, purge or creation that passed here lies \
         between"
            .to_owned(),
    ];
    let place = reader_place(polled.poll, polled.reader.partition.id);
    let finding = act.finding(REPLAY, place, evidence);
    Some(act.claim(&polled.reader, Conclusion::Finding(finding)))
}
