//! PX411: messages from before the time that was asked for.

use parallax_captures::catalog::BEFORE_TIMESTAMP;
use parallax_captures::{Exchange, Finding};
use parallax_codec::primitives::PollingKind;
use parallax_codec::{Reply, Request};

use crate::findings::place::question_place;

pub(super) fn before(exchange: &Exchange) -> Option<Finding> {
    let content = exchange.binary()?;
    let (
        Some(Request::PollMessages(poll) | Request::PollMessagesOnPrimary(poll)),
        Some(Reply::PolledMessages(reply)),
    ) = (&content.request, &content.reply)
    else {
        return None;
    };
    if poll.strategy.kind != PollingKind::Timestamp || exchange.undecoded.is_some() {
        return None;
    }
    let asked = poll.strategy.value;
    let early = || {
        let headers = reply.messages.iter().map(|message| &message.header);
        headers.filter(|header| header.timestamp < asked)
    };
    let first = early().min_by_key(|header| header.timestamp)?;
    let by_producer = early().all(|header| header.origin_timestamp >= asked);
    if !by_producer && early().count() == 1 && reply.messages.first()?.header.timestamp < asked {
        // Server 0.8.0 gives the message before the first one now and then, on
        // healthy topics: nothing that a reader would miss.
        return None;
    }
    let evidence = vec![
        format!(
            "asked for what is at or after {asked}, the poll brought {} of {} messages from \
             before: offset {} has the timestamp {}, {} microseconds earlier",
            early().count(),
            reply.messages.len(),
            first.offset,
            first.timestamp,
            asked - first.timestamp
        ),
        if by_producer {
            "their origin timestamps are all at or after it: the filter follows the producer's \
             clock, not the one that is reported"
                .to_owned()
        } else {
            "their origin timestamps do not explain it".to_owned()
        },
    ];
    let place = question_place(exchange, Some(reply.partition_id));
    let time = exchange.times.request_first;
    Some(Finding::new(
        BEFORE_TIMESTAMP,
        place,
        exchange.n,
        time,
        evidence,
    ))
}
