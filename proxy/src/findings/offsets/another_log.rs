//! PX205: an offset was given to another message; PX213: the log ends earlier than
//! it did.

use parallax_captures::catalog::{LOG_WENT_BACK, OFFSET_REUSED};
use parallax_captures::{Exchange, Finding};

use super::super::claims::{Claim, Conclusion};
use super::super::place::reader_place;
use crate::ledger::Polled;

pub(super) fn claim(exchange: &Exchange, polled: &Polled) -> Option<Claim> {
    let (code, evidence) = if let Some(reused) = polled.reused {
        let (n, id) = reused.before;
        let evidence = format!(
            "offset {} was served with message id {} now; exchange {n} was served it with message \
             id {id}",
            reused.offset, reused.now
        );
        (OFFSET_REUSED, evidence)
    } else {
        let known = polled.went_back.as_ref()?;
        let evidence = format!(
            "the partition's last offset is {} now; it was {}: {}",
            polled.current_offset,
            known.value,
            known.source()
        );
        (LOG_WENT_BACK, evidence)
    };
    let place = reader_place(&polled.poll, polled.reader.partition.id);
    let evidence = vec![
        evidence,
        "no purge, deletion or creation that passed here lies between".to_owned(),
    ];
    let time = exchange.times.request_first;
    Some(Claim {
        reader: polled.reader.clone(),
        span: polled.span,
        conclusion: Conclusion::Finding(Finding::new(code, place, exchange.n, time, evidence)),
    })
}
