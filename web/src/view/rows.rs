//! The list's rows. Their roles are repeated by hand: narrow screens lay the rows
//! out as blocks, and browsers then forget that they are a table.

use maud::{Markup, html};
use parallax_captures::{Content, Exchange};
use parallax_codec::primitives::PollingKind;

use super::cells::{beside, fields, from, restricted, value};
use super::format::{clock, duration, length};
use super::gaps::Gaps;
use super::opened_from::suffix;
use super::place::{Place, place};
use super::status::{finding_link, muted_link, row_class, status, verdict};
use crate::asked::Asked;
use crate::columns::Column;
use crate::order::Order;

pub(crate) fn heading(asked: &Asked) -> Markup {
    html! {
        thead role="rowgroup" {
            tr role="row" {
                @for column in asked.columns.shown() {
                    @let sorts = sorts(column, asked.order);
                    @let stands = stands(column, asked.order);
                    th role="columnheader" scope="col" class=(class(column)) aria-sort=[stands] {
                        @if let Some(order) = sorts {
                            a href=(asked.href(|asked| asked.order = order)) title=(order.words()) {
                                (column.heading())
                                @if let Some(stands) = stands {
                                    span aria-hidden="true" {
                                        @if stands == "ascending" { " \u{2191}" } @else { " \u{2193}" }
                                    }
                                }
                            }
                        } @else { (column.heading()) }
                    }
                }
            }
        }
    }
}

/// The order that a heading leads to.
fn sorts(column: Column, order: Order) -> Option<Order> {
    match (column, order) {
        (Column::Number, Order::Newest) => Some(Order::Oldest),
        (Column::Number, _) => Some(Order::Newest),
        (Column::Latency, _) => Some(Order::Latency),
        (Column::Size, _) => Some(Order::Size),
        _ => None,
    }
}

/// How a column stands in this order.
fn stands(column: Column, order: Order) -> Option<&'static str> {
    match (column, order) {
        (Column::Number, Order::Oldest) => Some("ascending"),
        (Column::Number, Order::Newest)
        | (Column::Latency, Order::Latency)
        | (Column::Size, Order::Size) => Some("descending"),
        _ => None,
    }
}

const fn class(column: Column) -> &'static str {
    match column {
        Column::Number => "c-n",
        Column::Time => "c-time",
        Column::Connection => "c-conn",
        Column::Dialect => "c-dialect",
        Column::Command => "c-command",
        Column::Place => "c-place",
        Column::Consumer => "c-consumer",
        Column::Asked => "c-asked",
        Column::Status => "c-status",
        Column::Latency => "c-latency",
        Column::Size => "c-size",
        Column::Verdict => "c-verdict",
        Column::Findings => "c-findings",
        Column::Notes => "c-notes",
    }
}

pub(crate) fn row(exchange: &Exchange, asked: &Asked, gaps: &Gaps) -> Markup {
    let n = exchange.n;
    let place = place(exchange);
    let annotation = &exchange.annotation;
    html! {
        tr role="row" id={ "x" (n) } class=(row_class(exchange)) data-n=(n)
            data-marked=[annotation.marked.then_some("1")] data-comment=[annotation.comment()] {
            @for column in asked.columns.shown() {
                td role="cell" class=(class(column)) {
                    (cell(column, exchange, &place, asked))
                    @if column == Column::Command { (gaps.told(n)) }
                }
            }
        }
    }
}

fn cell(column: Column, exchange: &Exchange, place: &Place, asked: &Asked) -> Markup {
    let with =
        |shown: &Markup, condition: Option<String>| value(shown, condition.as_deref(), asked);
    match column {
        Column::Number => number(exchange, asked),
        Column::Time => {
            let shown = clock(exchange.times.request_first);
            with(&shown, from(exchange, "time"))
        }
        Column::Connection => {
            let conn = exchange.conn.0;
            let only = asked.filtered(|filter| filter.conn = Some(conn));
            restricted(
                &html! { "#" (conn) },
                &only,
                &format!("conn == {conn}"),
                asked,
            )
        }
        Column::Dialect => {
            let shown = html! { (exchange.dialect.name()) };
            with(&shown, fields(exchange, &["dialect"]))
        }
        Column::Command => {
            let command = exchange.command();
            let only = asked.filtered(|filter| filter.command = Some(command.to_string()));
            let condition = format!("command == {command}");
            html! {
                (restricted(&html! { (command) }, &only, &condition, asked))
                @if exchange.undecoded.is_some() { " " span.warn { "undecoded" } }
                (super::altered::mark(exchange))
            }
        }
        Column::Place => topic_and_partition(exchange, place, asked),
        Column::Consumer => html! {
            @if let Some(condition) = fields(exchange, &["consumer_kind", "consumer"]) {
                @let shown = exchange.poll().map(|poll| poll.consumer.to_string());
                @let shown = shown.unwrap_or_else(|| condition.clone());
                (with(&html! { bdi { (shown) } }, Some(condition)))
            }
        },
        Column::Asked if place.asked.is_empty() => html! {},
        Column::Asked => {
            let shown = html! { bdi { (place.asked) } };
            with(&shown, asked_fields(exchange))
        }
        Column::Status => how_it_ended(exchange, place, asked),
        Column::Latency => html! {
            @if let Some(latency) = exchange.latency() {
                (with(&html! { (duration(latency)) }, from(exchange, "latency_us")))
            }
        },
        Column::Size => {
            let shown = html! { (length(exchange.bytes())) };
            with(&shown, from(exchange, "bytes"))
        }
        Column::Verdict => html! {
            @if let Some(found) = &exchange.verdict {
                (with(&verdict(exchange, found), fields(exchange, &["verdict"])))
            }
        },
        Column::Findings => findings(exchange, asked),
        Column::Notes => notes(exchange, asked),
    }
}

fn number(exchange: &Exchange, asked: &Asked) -> Markup {
    let n = exchange.n;
    html! {
        @if exchange.annotation.marked {
            span.marked title="Marked" { "\u{2605}" span.unseen { "marked " } }
        }
        (beside(&html! { a.n href={ "/exchanges/" (n) (suffix(asked)) } { (n) } }, &format!("n >= {n}"), asked))
    }
}

fn topic_and_partition(exchange: &Exchange, place: &Place, asked: &Asked) -> Markup {
    let Some(topic) = &place.topic else {
        return html! {};
    };
    let of_topic = fields(exchange, &["stream", "topic"]);
    let asked_for = fields(exchange, &["partition_id"]);
    let read = fields(exchange, &["response.partition_id"]);
    let with =
        |shown: &Markup, condition: &Option<String>| value(shown, condition.as_deref(), asked);
    html! {
        (with(&html! { bdi { (topic) } }, &of_topic))
        @match (place.asked_partition, place.read_partition) {
            (Some(one), Some(other)) if one != other => {
                " / " (with(&html! { (one) }, &asked_for))
                span.warn { ", answered " (with(&html! { (other) }, &read)) }
            }
            (Some(one), _) => { " / " (with(&html! { (one) }, &asked_for)) }
            (None, Some(other)) => {
                " / " span title="Not named in the request; the server's choice" {
                    (with(&html! { "(" (other) ")" }, &read))
                }
            }
            (None, None) => {
                @if let Some(meant) = place.meant_partition {
                    " / " span title="Neither names it: of all partitions HTTP fails the same at this one alone" {
                        (meant) "?"
                    }
                }
            }
        }
    }
}

/// What was asked, in the fields that say it.
fn asked_fields(exchange: &Exchange) -> Option<String> {
    if let Some(poll) = exchange.poll() {
        let names: &[_] = match poll.strategy {
            PollingKind::Offset | PollingKind::Timestamp => &["strategy", "value", "consumer_kind"],
            PollingKind::First | PollingKind::Last | PollingKind::Next => {
                &["strategy", "consumer_kind"]
            }
        };
        return fields(exchange, names);
    }
    if matches!(exchange.content, Content::Http(_)) {
        return fields(exchange, &["request.method", "request.target"]);
    }
    let names = [
        "request.name",
        "username",
        "user",
        "group",
        "request.offset",
        "count",
    ];
    names.iter().find_map(|name| fields(exchange, &[name]))
}

fn how_it_ended(exchange: &Exchange, place: &Place, asked: &Asked) -> Markup {
    let names: &[_] = if exchange.eviction().is_some() {
        &["eviction"]
    } else if matches!(exchange.content, Content::Http(_)) {
        &["http_status", "status"]
    } else {
        &["status"]
    };
    let ended = fields(exchange, names);
    let brought = fields(exchange, &["response.count"]);
    let brought = brought.or_else(|| fields(exchange, &["stored_offset"]));
    html! {
        (value(&status(exchange), ended.as_deref(), asked))
        @if !place.answered.is_empty() {
            " " span.dim { (value(&html! { (place.answered) }, brought.as_deref(), asked)) }
        }
    }
}

fn findings(exchange: &Exchange, asked: &Asked) -> Markup {
    html! {
        @for code in &exchange.findings {
            (beside(&finding_link(*code), &format!("findings == {code}"), asked)) " "
        }
        @for code in &exchange.muted_findings {
            (beside(&muted_link(*code), &format!("muted_findings == {code}"), asked)) " "
        }
    }
}

fn notes(exchange: &Exchange, asked: &Asked) -> Markup {
    let comment = exchange.annotation.comment();
    html! {
        @if let Some(comment) = comment {
            (value(&html! { bdi { (comment) } }, fields(exchange, &["comment"]).as_deref(), asked))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::download::tests::exchange;
    use crate::expression::tests::READ;

    #[test]
    fn the_links_of_a_page_read_its_expression_no_second_time() {
        let before = READ.get();
        let query = (
            "where".to_owned(),
            "command matches \"P.*\" and n > 0".to_owned(),
        );
        let asked = Asked::parse(&[query]).unwrap();
        let rows = html! { @for _ in 0..100 { (row(&exchange(), &asked, &Gaps::default())) } };
        let links = rows
            .into_string()
            .matches("where=command%20matches")
            .count();
        assert!(links > 500, "{links}");
        assert_eq!(READ.get() - before, 1);
    }
}
