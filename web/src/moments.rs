//! When everything of an exchange happened, in one list for page and API.

use jiff::Timestamp;
use parallax_captures::verdict::{AskedTimes, MirrorAnswer, TcpAnswer};
use parallax_captures::{Exchange, Side};

/// Something that happened, and when as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) what: String,
    pub(crate) time: Option<Timestamp>,
}

/// Something that was asked because of an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) words: String,
    pub(crate) side: Side,
    pub(crate) times: Option<AskedTimes>,
}

/// The client's bytes, then what was asked, in the order it was asked.
pub(crate) fn moments(exchange: &Exchange) -> Vec<Moment> {
    let times = &exchange.times;
    let (first, last) = times.reply.unzip();
    let own = [
        ("request, first byte", Some(times.request_first)),
        ("request, last byte", Some(times.request_last)),
        ("reply, first byte", first),
        ("reply, last byte", last),
    ];
    let own = own.into_iter().map(|(what, time)| Moment {
        what: what.to_owned(),
        time,
    });
    let asked = asked(exchange).into_iter().flat_map(|one| {
        let (asked, answered) = one.times.map(|times| (times.asked, times.answered)).unzip();
        [("asked", asked), ("answered", answered)].map(|(what, time)| Moment {
            what: format!("{}: {what}", one.words),
            time,
        })
    });
    own.chain(asked).collect()
}

/// What was asked because of an exchange, in the order it was asked.
pub(crate) fn asked(exchange: &Exchange) -> Vec<Asked> {
    let Some(verdict) = &exchange.verdict else {
        return Vec::new();
    };
    let http = |answer: &MirrorAnswer, again: &str| Asked {
        words: match answer.partition_id {
            Some(id) => format!("HTTP{again}, partition {id}"),
            None => format!("HTTP{again}"),
        },
        side: Side::Http,
        times: answer.times,
    };
    let tcp = |answer: &TcpAnswer, again: &str| Asked {
        words: format!("TCP again, {again}"),
        side: Side::Tcp,
        times: answer.times,
    };
    let mut all: Vec<_> = verdict.answers.iter().map(|one| http(one, "")).collect();
    if let Some(again) = &verdict.asked_again {
        all.extend(again.tcp_before.iter().map(|one| tcp(one, "before")));
        all.extend(again.answers.iter().map(|one| http(one, " again")));
        all.extend(again.tcp_after.iter().map(|one| tcp(one, "after")));
    }
    all
}
