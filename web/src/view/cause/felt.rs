//! What a user feels of a finding, in plain words, and whom it happens to.

use jiff::Timestamp;
use parallax_captures::catalog::SAME_FAILURE_AGAIN;
use parallax_captures::verdict::{AskedBy, MirrorOutcome};
use parallax_captures::{Exchange, Finding, Journal, is_still_seen};
use parallax_codec::Request;

use super::{capitalised, plainly, reader};
use crate::view::format::{count, span};

/// `Group sink is stuck: its poll of partition 2 fails again and again`; in the past where it was not seen for so long that it seems to be over by `now`.
pub(crate) fn felt(journal: &Journal, finding: &Finding, now: Timestamp) -> String {
    let said = match finding.code {
        SAME_FAILURE_AGAIN => Some(stuck(journal, finding, now)),
        _ => plainly(journal, finding),
    };
    let said = said.unwrap_or_else(|| title(finding));
    capitalised(said)
}

fn stuck(journal: &Journal, finding: &Finding, now: Timestamp) -> String {
    let latest = finding.exchanges.last().and_then(|n| journal.exchange(*n));
    let request = latest
        .as_deref()
        .map_or_else(|| "request".to_owned(), request);
    let error = latest.as_deref().and_then(Exchange::error);
    let error = error.map_or_else(String::new, |code| format!(" with {code}"));
    let whose = who(&finding.place).unwrap_or_else(|| "a client".to_owned());
    if is_still_seen(finding, now) {
        format!("{whose} is stuck: its {request} fails again and again{error}")
    } else {
        format!("{whose} was stuck: its {request} failed again and again{error}")
    }
}

/// `poll of partition 2`, `store of offset 7 on partition 0`, `login_user`.
fn request(exchange: &Exchange) -> String {
    if let Some(poll) = exchange.poll() {
        let partition = match poll.partition_id {
            Some(partition) => Some(format!("of partition {partition}")),
            None => refused_partition(exchange),
        };
        let partition = partition.unwrap_or_else(|| "of a partition it does not name".to_owned());
        return format!("poll {partition}");
    }
    let content = exchange.binary();
    match content.and_then(|content| content.request.as_ref()) {
        Some(Request::StoreConsumerOffset(store)) => match store.partition_id {
            Some(partition) => format!("store of offset {} on partition {partition}", store.offset),
            None => format!("store of offset {}", store.offset),
        },
        _ => exchange.command().into_owned(),
    }
}

/// The partition that HTTP refuses with the same error. What somebody else asked for
/// is not quite the same question.
fn refused_partition(exchange: &Exchange) -> Option<String> {
    let answers = &exchange.verdict.as_ref()?.answers;
    let refused = answers.iter().find(
        |answer| matches!(&answer.outcome, MirrorOutcome::Refused(r) if r.code == exchange.error()),
    )?;
    let partition = refused.partition_id?;
    Some(match refused.asked_by {
        AskedBy::Mirror => format!("of partition {partition}"),
        AskedBy::Capture(_) => format!("of a partition, probably {partition},"),
    })
}

/// A finding's title, of whoever it happens to here.
fn title(finding: &Finding) -> String {
    let title = finding.description().title;
    let subjects = ["A reader ", "A member ", "A client "];
    let rest = subjects
        .iter()
        .find_map(|subject| title.strip_prefix(subject));
    match (rest, who(&finding.place)) {
        (Some(rest), Some(whose)) => format!("{whose} {rest}"),
        _ => title.to_owned(),
    }
}

/// `group sink` of `otel/metrics, group sink: next`, `the client on connection 3` of
/// `connection 3, login_user`.
fn who(place: &str) -> Option<String> {
    let of_reader = |kind: &str| {
        let (_, name) = reader(place).split_once(&format!(", {kind} "))?;
        Some(format!("{kind} {name}"))
    };
    let of_connection = || {
        let (id, _) = place.strip_prefix("connection ")?.split_once(", ")?;
        Some(format!("the client on connection {id}"))
    };
    of_reader("group")
        .or_else(|| of_reader("consumer"))
        .or_else(of_connection)
}

/// ` (38 times in 40 s)`; nothing of what was seen once.
pub(crate) fn times(finding: &Finding) -> String {
    match finding.count {
        0 | 1 => String::new(),
        times => {
            let lasted = span(finding.first, finding.last);
            let lasted = lasted
                .strip_prefix("under ")
                .map_or_else(|| format!("in {lasted}"), |short| format!("within {short}"));
            format!(" ({} times {lasted})", count(times))
        }
    }
}

#[cfg(test)]
mod tests {
    use parallax_captures::catalog;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn finding(place: &str) -> Finding {
        Finding::new(
            catalog::STALLED,
            place,
            1,
            at(0),
            vec!["evidence".to_owned()],
        )
    }

    #[test]
    fn a_headline_says_who_and_how_often_and_not_the_evidence() {
        let journal = Journal::new();
        let mut stalled = finding("otel/metrics/1, consumer a: b");
        assert_eq!(
            felt(&journal, &stalled, at(40)),
            "Consumer a is owed messages and gets none"
        );
        stalled.count = 38;
        stalled.last = at(40);
        assert_eq!(times(&stalled), " (38 times in 40 s)");
        let unnamed = finding("somewhere");
        assert_eq!(
            felt(&journal, &unnamed, at(40)),
            "A reader is owed messages and gets none"
        );
    }

    #[test]
    fn what_is_not_kept_any_more_is_said_in_general_words() {
        let journal = Journal::new();
        let mut again = finding("connection 3, login_user, 42 invalid_credentials");
        again.code = SAME_FAILURE_AGAIN;
        let said = "The client on connection 3 is stuck: its request fails again and again";
        assert_eq!(felt(&journal, &again, at(2)), said);
        let over = felt(&journal, &again, at(3_600));
        assert!(over.contains("was stuck: its request failed"), "{over}");
    }
}
