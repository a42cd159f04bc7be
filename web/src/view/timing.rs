//! When everything of an exchange happened: drawn, and in a table.

use std::time::Duration;

use jiff::Timestamp;
use maud::{Markup, html};
use parallax_captures::verdict::AskedTimes;
use parallax_captures::{Exchange, Side, Times};

use super::format::{clock_micros, duration};
use super::timing_bar::{Lane, bars};
use crate::limits::TIMES_DRAWN;
use crate::moments::{asked, moments};

pub(crate) fn timing(exchange: &Exchange) -> Markup {
    let own = Lane {
        words: "client, TCP".to_owned(),
        side: Side::Tcp,
        times: whole(&exchange.times),
    };
    let asked = asked(exchange);
    let mut all = vec![own.clone()];
    all.extend(asked.iter().filter_map(|one| {
        Some(Lane {
            words: one.words.clone(),
            side: one.side,
            times: one.times?,
        })
    }));
    let drawn = all.len().min(TIMES_DRAWN);
    html! {
        section.timing id="timing" aria-labelledby="h-timing" {
            h2 id="h-timing" {
                "When"
                @if let Some(latency) = exchange.latency() {
                    @if exchange.is_refused() { ": refused after " } @else { ": answered after " }
                    (duration(latency))
                }
            }
            (bars("The client's request and reply", &exchange_lanes(exchange)))
            @if drawn > 1 {
                (bars("The client's exchange, and what was asked for it", &all[..drawn]))
                @if drawn < all.len() { p.cut { "Drawn are the first " (drawn) "; the table has all." } }
            }
            (table(exchange))
        }
    }
}

fn whole(times: &Times) -> AskedTimes {
    AskedTimes {
        asked: times.request_first,
        answered: times.reply.map_or(times.request_last, |(_, last)| last),
    }
}

/// The request's bytes, the wait, the reply's bytes.
fn exchange_lanes(exchange: &Exchange) -> Vec<Lane> {
    let times = &exchange.times;
    let lane = |words: &str, asked, answered| Lane {
        words: words.to_owned(),
        side: Side::Tcp,
        times: AskedTimes { asked, answered },
    };
    let mut lanes = vec![lane("request", times.request_first, times.request_last)];
    if let Some((first, last)) = times.reply {
        let by_parallax = exchange.hides_the_server() && exchange.server_answer().is_none();
        let who = match exchange.injected() {
            None => "server",
            Some(_) if by_parallax => "parallax",
            Some(_) => "server, parallax",
        };
        lanes.push(lane(who, times.request_last, first));
        lanes.push(lane("reply", first, last));
    }
    lanes
}

fn table(exchange: &Exchange) -> Markup {
    let zero = exchange.times.request_first;
    html! {
        table.timestamps {
            caption.quiet { "When everything of it happened" }
            thead {
                tr {
                    th scope="col" { "What" }
                    th scope="col" { "At (UTC)" }
                    th.number scope="col" { "After the request's first byte" }
                }
            }
            tbody {
                @for moment in moments(exchange) {
                    tr {
                        th scope="row" { (moment.what) }
                        @match moment.time {
                            Some(time) => {
                                td { (clock_micros(time)) }
                                td.number { (since(zero, time)) }
                            }
                            None => {
                                td { span.missing { "not known" } }
                                td.number {}
                            }
                        }
                    }
                }
            }
        }
    }
}

/// `+140 µs`; of another's question it may be before.
fn since(zero: Timestamp, time: Timestamp) -> String {
    let apart: Duration = time.duration_since(zero).unsigned_abs();
    let sign = if time < zero { "\u{2212}" } else { "+" };
    format!("{sign}{}", duration(apart))
}
