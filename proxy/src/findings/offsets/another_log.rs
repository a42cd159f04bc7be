//! PX205: an offset was given to another message; PX210: messages from before a
//! purge are served after it; PX213: the log ends earlier than it did.

use parallax_captures::catalog::{LOG_WENT_BACK, OFFSET_REUSED, PURGE_WITHOUT_EFFECT};
use parallax_captures::{Dialect, Exchange};

use super::super::claims::Claim;
use super::claimed_of_poll;
use crate::ledger::{Fact, How, Polled};
use crate::limits::PURGE_SETTLES;

pub(super) fn claim(exchange: &Exchange, polled: &Polled) -> Option<Claim> {
    if is_being_purged(exchange, polled) {
        return None;
    }
    let unexplained = "no purge, deletion or creation that passed here lies between".to_owned();
    let (code, evidence) = if let Some(reused) = polled.reused {
        let (n, id) = reused.before;
        let evidence = format!(
            "offset {} was served with message id {} now; exchange {n} was served it with message \
             id {id}",
            reused.offset, reused.now
        );
        (OFFSET_REUSED, vec![evidence, unexplained])
    } else if let Some((offset, n)) = polled.unburied {
        let purged = polled.begun.as_ref()?;
        let evidence = vec![
            format!("offset {offset} was served with the message that exchange {n} was served"),
            format!("{} in between", purged.source()),
        ];
        (PURGE_WITHOUT_EFFECT, evidence)
    } else {
        let known = polled.went_back.as_ref()?;
        let evidence = format!(
            "the partition's last offset is {} now; it was {}: {}",
            polled.current_offset,
            known.value,
            known.source()
        );
        (LOG_WENT_BACK, vec![evidence, unexplained])
    };
    Some(claimed_of_poll(exchange, polled, code, evidence))
}

/// Whether a purge may still be at work that was acknowledged already.
fn is_being_purged(exchange: &Exchange, polled: &Polled) -> bool {
    let since = |purged: &Fact<()>| {
        polled
            .span
            .from
            .duration_since(purged.span.to)
            .unsigned_abs()
    };
    let purged = polled.begun.as_ref().filter(|fact| fact.how == How::Purged);
    exchange.dialect == Dialect::Vsr && purged.is_some_and(|fact| since(fact) < PURGE_SETTLES)
}
