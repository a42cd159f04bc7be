//! The list's rows. Their roles are repeated by hand: narrow screens lay the rows
//! out as blocks, and browsers then forget that they are a table.

use maud::{Markup, html};
use parallax_captures::Exchange;

use super::format::{clock, duration};
use super::place::{Place, place};
use super::status::{finding_link, muted_link, row_class, status, verdict};
use crate::filter::Filter;

pub(crate) fn heading() -> Markup {
    html! {
        thead role="rowgroup" {
            tr role="row" {
                @for name in [
                    "No.", "Time", "Conn.", "Command", "Topic / partition", "Asked", "Status",
                    "Latency", "Against HTTP", "Findings",
                ] {
                    th role="columnheader" scope="col" { (name) }
                }
            }
        }
    }
}

pub(crate) fn row(exchange: &Exchange, filter: &Filter) -> Markup {
    let (n, conn) = (exchange.n, exchange.conn.0);
    let command = exchange.command();
    let place = place(exchange);
    html! {
        tr role="row" id={ "x" (n) } class=(row_class(exchange)) data-n=(n) {
            td role="cell" class="c-n" { a.n href={ "/exchanges/" (n) } { (n) } }
            td role="cell" class="c-time" { (clock(exchange.times.request_first)) }
            td role="cell" class="c-conn" {
                a.plain href=(filter.href(|f| f.conn = Some(conn)))
                    title="Only this connection" { "#" (conn) }
            }
            td role="cell" class="c-command" {
                a.plain href=(filter.href(|f| f.command = Some(command.to_string())))
                    title="Only this command" { (command) }
                @if exchange.undecoded.is_some() { " " span.warn { "undecoded" } }
            }
            td role="cell" class="c-place" { (topic_and_partition(&place)) }
            td role="cell" class="c-asked" {
                bdi { (place.asked) }
            }
            td role="cell" class="c-status" {
                (status(exchange))
                @if !place.answered.is_empty() { " " span.dim { (place.answered) } }
            }
            td role="cell" class="c-latency" {
                @if let Some(latency) = exchange.latency() { (duration(latency)) }
            }
            td role="cell" class="c-verdict" {
                @if let Some(found) = &exchange.verdict { (verdict(exchange, found)) }
            }
            td role="cell" class="c-findings" {
                @for code in &exchange.findings { (finding_link(*code)) " " }
                @for code in &exchange.muted_findings { (muted_link(*code)) " " }
            }
        }
    }
}

fn topic_and_partition(place: &Place) -> Markup {
    html! {
        @if let Some(topic) = &place.topic {
            bdi { (topic) }
            @match (place.asked_partition, place.read_partition) {
                (Some(asked), Some(read)) if asked != read => {
                    " / " (asked) span.warn { ", answered " (read) }
                }
                (Some(asked), _) => { " / " (asked) }
                (None, Some(read)) => {
                    " / " span title="Not named in the request; the server's choice" { "(" (read) ")" }
                }
                (None, None) => {}
            }
        }
    }
}
