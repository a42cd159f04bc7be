//! PX207: a stored offset is not what is read back (case B2).

use parallax_captures::Exchange;
use parallax_captures::catalog::OFFSET_NOT_READ_BACK;
use parallax_codec::Request;

use super::super::claims::Claim;
use super::super::place::place_of;
use super::claimed;
use crate::ledger::{Asked, How};

pub(super) fn claim(exchange: &Exchange, asked: &Asked) -> Option<Claim> {
    let written = asked.before.stored.as_ref()?;
    let offset = written.value?;
    let was_written = matches!(written.how, How::Stored | How::AutoCommit);
    if !was_written || asked.stored.is_some_and(|read| read >= offset) {
        return None;
    }
    let Some(Request::GetConsumerOffset(request)) = &exchange.binary()?.request else {
        return None;
    };
    let read = asked
        .stored
        .map_or_else(|| "none".to_owned(), |read| read.to_string());
    let evidence = vec![
        format!("stored {offset}, read {read}: {}", written.source()),
        "no store, deletion of the offset, purge or creation that passed here lies between"
            .to_owned(),
    ];
    let id = Some(asked.reader.partition.id);
    let place = place_of(&request.stream, &request.topic, id, &request.consumer);
    let of = (&asked.reader, asked.span);
    Some(claimed(exchange, of, OFFSET_NOT_READ_BACK, place, evidence))
}
