//! Where one can go from an exchange: to the one before and after it, of all, on its
//! connection, for its consumer, of its partition. The filter language finds them, so
//! that an index does where there is one, and the same filter lists them all.

use maud::{Markup, html};
use parallax_captures::partition::{OfPartition, partition_of};
use parallax_captures::{Condition, Exchange, Journal, Wanted};
use parallax_codec::Request;
use parallax_codec::primitives::{ConsumerKind, Identifier};

use super::opened_from::OpenedFrom;
use crate::expression::Where;
use crate::filter::Filter;
use crate::order::Order;

/// A way through the exchanges.
struct Way {
    /// In ids and `data-key`: `connection`.
    id: &'static str,
    /// In words: `on connection `.
    words: &'static str,
    /// What they have in common, as a link's text.
    what: String,
    /// Where that is shown whole.
    href: String,
    wanted: Box<dyn Wanted>,
}

/// Those that are surely of one partition. What may be of it belongs to its life, and
/// not to the way along it.
struct Along(OfPartition);

impl Wanted for Along {
    fn accepts(&self, exchange: &Exchange) -> bool {
        let partition = partition_of(exchange);
        partition.is_some_and(|one| self.0.names().any(|name| name == one))
    }

    fn condition(&self) -> Condition {
        self.0.condition()
    }
}

pub(crate) fn neighbours(journal: &Journal, exchange: &Exchange, from: &OpenedFrom) -> Markup {
    let n = exchange.n;
    let suffix = from.suffix();
    let link = |wanted: &dyn Wanted, way, back| {
        let from_oldest = from.list().is_some_and(|list| list.order == Order::Oldest);
        // Down the list, as its keys go.
        let step = if back == from_oldest { "up" } else { "down" };
        link(&find(journal, n, wanted, back), (way, &suffix, step), back)
    };
    let all = Filter::default();
    html! {
        nav.neighbours aria-label="Other exchanges" {
            @if matches!(from, OpenedFrom::NotUnderstood) {
                span.way.warn {
                    "The list that this was opened from (" code { "in" } ") is not understood: "
                    "these are all exchanges."
                }
            }
            @if let Some(list) = from.list() {
                span.way {
                    a id="list" data-key="list" href={ "/exchanges" (list.query()) "#x" (n) } { "in this list" }
                    @if list.order.measure().is_some() {
                        ", which stands " (list.order.words()) ", by number"
                    }
                    ": " (link(list, "", true)) b { "No. " (n) } " " (link(list, "", false))
                }
                span.way {
                    "of all: " (link(&all, "all", true)) (link(&all, "all", false))
                }
            } @else {
                span.way {
                    (link(&all, "", true)) b { "No. " (n) } " " (link(&all, "", false))
                }
            }
            @for way in ways(journal, exchange) {
                span.way {
                    (way.words)
                    a href=(way.href) { bdi { (way.what) } } ": "
                    (link(&*way.wanted, way.id, true))
                    (link(&*way.wanted, way.id, false))
                }
            }
            a href={ "/api/v1/exchanges/" (n) } data-key="json" { "as JSON" }
        }
    }
}

/// What there is beside an exchange.
enum Beside {
    One(u64),
    None,
    /// A search looks only so far at once.
    NotNear,
}

fn find(journal: &Journal, n: u64, wanted: &dyn Wanted, back: bool) -> Beside {
    let found = if back {
        journal.list(Some(n), 1, wanted)
    } else {
        journal.list_after(n, 1, wanted)
    };
    match (found.exchanges.first(), found.more) {
        (Some(found), _) => Beside::One(found.n),
        (None, Some(_)) => Beside::NotNear,
        (None, None) => Beside::None,
    }
}

/// To the one before or after; `rel` and the step for the keys are for the first way
/// alone, so that they are one.
fn link(found: &Beside, (way, suffix, step): (&str, &str, &str), back: bool) -> Markup {
    let is_first = way.is_empty();
    let (rel, before, after) = if back {
        ("prev", "\u{2039} ", "")
    } else {
        ("next", "", " \u{203a}")
    };
    let id = if is_first {
        rel.to_owned()
    } else {
        format!("{rel}-{way}")
    };
    html! {
        @match found {
            Beside::One(found) => {
                a id=(id) data-key=(id) rel=[is_first.then_some(rel)] data-step=[is_first.then_some(step)]
                    href={ "/exchanges/" (found) (suffix) } { (before) (found) (after) }
            }
            Beside::None => span.dim id=(id) { (before) "none" (after) },
            Beside::NotNear => span.dim id=(id) { (before) "none near" (after) },
        }
        " "
    }
}

fn ways(journal: &Journal, exchange: &Exchange) -> Vec<Way> {
    let conn = exchange.conn.0;
    let on_connection = Filter {
        conn: Some(conn),
        ..Filter::default()
    };
    let mut ways = vec![Way {
        id: "connection",
        words: "on connection ",
        what: format!("#{conn}"),
        href: on_connection.href(|_| ()),
        wanted: Box::new(on_connection),
    }];
    if let Some((kind, consumer, stream, topic)) = reader(exchange) {
        let expression = format!(
            "consumer_kind == {} and consumer == {} and stream == {} and topic == {}",
            kind.name(),
            literal(&consumer),
            literal(&stream),
            literal(&topic)
        );
        let filter = Filter {
            wanted: Some(Where::new(&expression)),
            ..Filter::default()
        };
        ways.push(Way {
            id: "consumer",
            words: match kind {
                ConsumerKind::Group => "for group ",
                ConsumerKind::Consumer => "for consumer ",
            },
            what: consumer.to_string(),
            href: filter.href(|_| ()),
            wanted: Box::new(filter),
        });
    }
    if let Some(partition) = partition_of(exchange) {
        ways.push(Way {
            id: "partition",
            words: "of ",
            what: partition.to_string(),
            href: format!("/partitions/{}?around={}", partition.path(), exchange.n),
            wanted: Box::new(Along(OfPartition::new(&partition, &journal.names()))),
        });
    }
    ways
}

/// Who reads, of which topic.
fn reader(exchange: &Exchange) -> Option<(ConsumerKind, Identifier, Identifier, Identifier)> {
    if let Some(poll) = exchange.poll() {
        return Some((poll.consumer_kind, poll.consumer, poll.stream, poll.topic));
    }
    let (consumer, stream, topic) = match exchange.binary()?.request.as_ref()? {
        Request::GetConsumerOffset(r) => (&r.consumer, &r.stream, &r.topic),
        Request::StoreConsumerOffset(r) => (&r.consumer, &r.stream, &r.topic),
        Request::DeleteConsumerOffset(r) => (&r.consumer, &r.stream, &r.topic),
        _ => return None,
    };
    Some((
        consumer.kind,
        consumer.id.clone(),
        stream.clone(),
        topic.clone(),
    ))
}

/// An identifier in an expression: the name "7" is not the number 7.
fn literal(identifier: &Identifier) -> String {
    match identifier {
        Identifier::Numeric(number) => number.to_string(),
        Identifier::Named(name) => {
            let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{escaped}\"")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_literal_that_the_filter_language_reads() {
        for name in ["metrics", "7", "a \"b\"", "back\\slash", "\\\"", "<script>"] {
            let name = Identifier::Named(name.to_owned());
            let wanted = Where::new(&format!("topic == {}", literal(&name)));
            assert!(wanted.mistake().is_none(), "{name}: {:?}", wanted.mistake());
        }
    }
}
