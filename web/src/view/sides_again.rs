//! Both sides asked once more: what came of it, and the first pair of answers and the
//! second, each answer in a column of its own.

use maud::{Markup, html};
use parallax_captures::grounds::seconds;
use parallax_captures::verdict::{
    AskedAgain, AskedTimes, MirrorAnswer, MirrorOutcome, TcpAnswer, TcpOutcome,
};
use parallax_captures::{Exchange, PollAnswer, Verdict, VerdictKind};
use parallax_codec::primitives::PollingKind;

use super::format::{clock_micros, duration, plural};
use super::place::offsets;
use super::sides_fields::not_told;

/// One column.
struct Column {
    of: &'static str,
    who: String,
    status: String,
    /// The status as either transport would tell it.
    means: String,
    fails: bool,
    text: Option<String>,
    partition: Option<u32>,
    body: Option<PollAnswer>,
    asked: Option<AskedTimes>,
    took: Option<std::time::Duration>,
}

pub(crate) fn asked_again(exchange: &Exchange, verdict: &Verdict, again: &AskedAgain) -> Markup {
    let rounds = again.tcp_before.len().max(again.answers.len());
    let first_http = |place: usize| {
        verdict
            .answers
            .get(place)
            .map(|one| of_http(one, "asked by parallax"))
    };
    let after = waited(exchange, again);
    html! {
        div.again id="again" role="group" aria-labelledby="h-again" {
            h3 id="h-again" {
                "Asked again" (by(again)) @if let Some(after) = &after { " after " (after) }
                ": " (came_of_it(verdict, again))
            }
            p { bdi { (again.reason) } }
            p.dim {
                "parallax asked TCP, HTTP and TCP again, as a consumer of its own and without a \
                 commit: where the two TCP answers differ the log moved meanwhile."
            }
            @for place in 0..rounds {
                @let tcp = of_client(exchange);
                @let http = first_http(place);
                @let second = [
                    again.tcp_before.get(place).map(|one| of_tcp(one, "parallax, before")),
                    again.answers.get(place).map(|one| of_http(one, "asked by parallax")),
                    again.tcp_after.get(place).map(|one| of_tcp(one, "parallax, after")),
                ];
                @let columns: Vec<_> = [Some(tcp), http].into_iter().chain(second).flatten().collect();
                @let first = if verdict.answers.get(place).is_some() { 2 } else { 1 };
                (pairs(&columns, first, after.as_deref()))
            }
        }
    }
}

/// What was asked, where that is not what the client asked.
fn by(again: &AskedAgain) -> String {
    match again.tcp_before.first() {
        Some(asked) if asked.strategy == PollingKind::Offset => {
            format!(" by offset {}", asked.value)
        }
        _ => String::new(),
    }
}

/// What both answers, asked again, say of the first ones.
fn came_of_it(verdict: &Verdict, again: &AskedAgain) -> String {
    let both = again
        .answers
        .first()
        .and_then(|answer| match &answer.outcome {
            MirrorOutcome::Answered(body) => Some(range(body)),
            _ => None,
        });
    match (verdict.kind, again.kind) {
        (VerdictKind::Diverge, VerdictKind::Agree) => {
            let both = both.unwrap_or_else(|| "the same".to_owned());
            format!("both bring {both}, so only where Next began differs")
        }
        (_, VerdictKind::Agree) => match both {
            Some(both) => format!("both agree now and bring {both}"),
            None => "both agree now".to_owned(),
        },
        (_, VerdictKind::Diverge) => "both still differ".to_owned(),
        (VerdictKind::Stale, VerdictKind::Stale) => "one is still ahead of the other".to_owned(),
        (_, VerdictKind::Stale) => "nothing differs but that the log went on".to_owned(),
        (_, VerdictKind::MirrorFailed) => "HTTP gave no answer".to_owned(),
        (_, VerdictKind::NotComparable | VerdictKind::Transient) => {
            "nothing can be claimed".to_owned()
        }
    }
}

/// `5 to 9`.
fn range(body: &PollAnswer) -> String {
    match body.messages.as_slice() {
        [] => "no message".to_owned(),
        [one] => one.offset.to_string(),
        [first, .., last] => format!("{} to {}", first.offset, last.offset),
    }
}

fn pairs(columns: &[Column], first: usize, after: Option<&str>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Both pairs of answers" {
            table.pairs {
                caption.quiet { "The first pair of answers and the second" }
                thead {
                    tr {
                        td {}
                        th scope="colgroup" colspan=(first) { "At first" }
                        th scope="colgroup" colspan=(columns.len() - first) {
                            "Asked again" @if let Some(after) = after { " after " (after) }
                        }
                    }
                    tr {
                        th scope="col" { "Field" }
                        @for one in columns {
                            th class=(if one.of == "TCP" { "of-tcp" } else { "of-http" }) scope="col" {
                                (one.of) " " small { "(" (one.who) ")" }
                            }
                        }
                    }
                }
                tbody {
                    (row("status", columns, &marked(columns, &|one| Some(one.means.clone())), &|one| html! {
                        span class=(if one.fails { "bad" } else { "ok" }) { (one.status) }
                    }))
                    @if columns.iter().any(|one| one.fails || one.text.is_some()) { (row("error text", columns, &[], &|one| html! {
                        @match (&one.text, one.fails) {
                            (Some(text), _) => b { bdi { (text) } },
                            (None, true) => span.missing { "no text, no number on the wire" },
                            (None, false) => "",
                        }
                    })) }
                    (row("partition", columns, &of_bodies(columns, &|body| body.partition_id.to_string()), &|one| match &one.body {
                        Some(body) => html! { (body.partition_id) },
                        None => not_told(one.partition),
                    }))
                    (row("current offset", columns, &of_bodies(columns, &|body| body.current_offset.to_string()), &|one| html! {
                        @match &one.body {
                            Some(body) => (body.current_offset),
                            None => span.missing { "not told" },
                        }
                    }))
                    (row("messages", columns, &of_bodies(columns, &messages_held), &|one| html! {
                        @if let Some(body) = &one.body { (messages_held(body)) }
                    }))
                    (row("asked at", columns, &[], &|one| html! {
                        @match one.asked {
                            Some(times) => (clock_micros(times.asked)),
                            None => span.missing { "not known" },
                        }
                    }))
                    (row("took", columns, &[], &|one| html! {
                        @if let Some(took) = one.took { (duration(took)) }
                    }))
                }
            }
        }
    }
}

/// A row; the cells of the columns that are `marked` differ from the others.
fn row(
    name: &str,
    columns: &[Column],
    marked: &[usize],
    cell: &dyn Fn(&Column) -> Markup,
) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            @for (place, one) in columns.iter().enumerate() {
                @if marked.contains(&place) {
                    td.other {
                        span.equality aria-hidden="true" { "\u{2260}" } " " mark { (cell(one)) }
                        span.badge { " differs" }
                    }
                } @else { td { (cell(one)) } }
            }
        }
    }
}

fn of_bodies(columns: &[Column], value: &dyn Fn(&PollAnswer) -> String) -> Vec<usize> {
    marked(columns, &|one| one.body.as_ref().map(value))
}

/// The columns that differ from what most of them say, where most say the same.
fn marked(columns: &[Column], value: &dyn Fn(&Column) -> Option<String>) -> Vec<usize> {
    let said: Vec<_> = columns.iter().map(value).collect();
    let told = said.iter().flatten();
    let number = |one: &String| told.clone().filter(|other| *other == one).count();
    let most = told.clone().max_by_key(|one| number(one));
    let Some(most) = most.filter(|one| number(one) * 2 > told.clone().count()) else {
        return Vec::new();
    };
    let differs = |(place, one): (usize, &Option<String>)| {
        one.as_ref().is_some_and(|one| one != most).then_some(place)
    };
    said.iter().enumerate().filter_map(differs).collect()
}

/// How long after the client's poll both were asked again.
fn waited(exchange: &Exchange, again: &AskedAgain) -> Option<String> {
    let asked = again.tcp_before.first()?.times?.asked;
    Some(seconds(exchange.times.request_first, asked))
}

fn of_client(exchange: &Exchange) -> Column {
    let error = exchange.error();
    Column {
        of: "TCP",
        who: "the client".to_owned(),
        status: match (error, exchange.status()) {
            (Some(code), _) => code.to_string(),
            (None, Some(_)) => "0 ok".to_owned(),
            (None, None) => "no reply".to_owned(),
        },
        means: error.map_or_else(String::new, |code| code.to_string()),
        fails: exchange.failed(),
        text: None,
        partition: exchange
            .poll_answer()
            .map(|answer| answer.partition_id)
            .or_else(|| exchange.poll().and_then(|poll| poll.partition_id)),
        body: exchange.poll_answer(),
        asked: Some(AskedTimes {
            asked: exchange.times.request_first,
            answered: exchange
                .times
                .reply
                .map_or(exchange.times.request_last, |(_, last)| last),
        }),
        took: exchange.latency(),
    }
}

fn of_tcp(answer: &TcpAnswer, who: &str) -> Column {
    let (status, body) = match &answer.outcome {
        TcpOutcome::Answered(body) => ("0 ok".to_owned(), Some(body.clone())),
        TcpOutcome::Refused(code) => (code.to_string(), None),
    };
    Column {
        of: "TCP",
        who: who.to_owned(),
        means: match answer.outcome {
            TcpOutcome::Answered(_) => String::new(),
            TcpOutcome::Refused(code) => code.to_string(),
        },
        status,
        fails: body.is_none(),
        text: None,
        partition: Some(answer.partition_id),
        body,
        asked: answer.times,
        took: Some(answer.latency),
    }
}

fn of_http(answer: &MirrorAnswer, who: &str) -> Column {
    let (status, text, body) = match &answer.outcome {
        MirrorOutcome::Answered(body) => ("HTTP 200".to_owned(), None, Some(body.clone())),
        MirrorOutcome::Stored(Some(stored)) => {
            let text = format!("offset {} is stored", stored.stored_offset);
            ("HTTP 200".to_owned(), Some(text), None)
        }
        MirrorOutcome::Stored(None) => (
            "HTTP 404".to_owned(),
            Some("no offset is stored".to_owned()),
            None,
        ),
        MirrorOutcome::Refused(refusal) => {
            let code = refusal
                .code
                .map(|code| format!(": {code}"))
                .unwrap_or_default();
            let text = Some(refusal.reason.clone());
            (format!("HTTP {}{code}", refusal.http_status), text, None)
        }
        MirrorOutcome::Failed(why) => ("no answer".to_owned(), Some(why.clone()), None),
    };
    Column {
        of: "HTTP",
        who: who.to_owned(),
        fails: matches!(
            answer.outcome,
            MirrorOutcome::Refused(_) | MirrorOutcome::Failed(_)
        ),
        means: match &answer.outcome {
            MirrorOutcome::Refused(refusal) => match refusal.code {
                Some(code) => code.to_string(),
                None => status.clone(),
            },
            MirrorOutcome::Failed(_) => status.clone(),
            MirrorOutcome::Answered(_) | MirrorOutcome::Stored(_) => String::new(),
        },
        status,
        text,
        partition: answer.partition_id,
        body,
        asked: answer.times,
        took: answer.latency,
    }
}

/// `3 messages, offsets 0 to 2`.
fn messages_held(answer: &PollAnswer) -> String {
    let number = plural(answer.messages.len(), "message");
    let ends = answer.messages.first().zip(answer.messages.last());
    match ends {
        Some((first, last)) => format!("{number}, {}", offsets(first.offset, last.offset)),
        None => number,
    }
}

/// The same, and where the partition ends.
pub(super) fn holds(answer: &PollAnswer) -> String {
    let number = messages_held(answer);
    // Of a partition without a message the server says 0 as well.
    if answer.messages.is_empty() && answer.current_offset == 0 {
        return number;
    }
    format!("{number}; last of the partition {}", answer.current_offset)
}
