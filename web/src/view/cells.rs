//! Values in a row, each of which leads to the list with only it, or without it.

use maud::{Markup, html};
use parallax_captures::Exchange;
use parallax_captures::filter::{at_least, equal_to};

use crate::asked::Asked;

/// `shown`, with a link to the list with `condition` as well, and one beside it to the
/// list of everything else. Without a condition only what is shown.
pub(crate) fn value(shown: &Markup, condition: Option<&str>, asked: &Asked) -> Markup {
    let links = condition.and_then(|condition| {
        let only = asked.and(condition)?;
        Some((only, without(condition, asked)?, condition))
    });
    let Some((only, not, condition)) = links else {
        return shown.clone();
    };
    html! {
        a.plain.only href=(only) title={ "Only " (condition) } { (shown) }
        a.not href=(not) title={ "Without " (condition) } { "\u{2260}" }
    }
}

/// `shown`, which leads elsewhere, with links beside it: with only it, without it.
pub(crate) fn beside(shown: &Markup, condition: Option<&str>, asked: &Asked) -> Markup {
    let links = condition.and_then(|condition| {
        let only = asked.and(condition)?;
        Some((only, without(condition, asked)?, condition))
    });
    html! {
        (shown)
        @if let Some((only, not, condition)) = links {
            span.beside {
                a.only.sign href=(only) title={ "Only " (condition) } { "=" }
                a.not href=(not) title={ "Without " (condition) } { "\u{2260}" }
            }
        }
    }
}

fn without(condition: &str, asked: &Asked) -> Option<String> {
    if condition.contains(" and ") {
        asked.and(&format!("not ({condition})"))
    } else {
        asked.and(&format!("not {condition}"))
    }
}

/// What an exchange has in these fields, as one condition; the fields that it does not
/// have are left out.
pub(crate) fn fields(exchange: &Exchange, names: &[&str]) -> Option<String> {
    let all: Vec<_> = names
        .iter()
        .filter_map(|name| equal_to(exchange, name).into_iter().next())
        .collect();
    (!all.is_empty()).then(|| all.join(" and "))
}

/// At least as much as an exchange has in this field.
pub(crate) fn from(exchange: &Exchange, name: &str) -> Option<String> {
    at_least(exchange, name).pop()
}
