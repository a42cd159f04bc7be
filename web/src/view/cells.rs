//! Values in a row, each of which leads to the list with only it, or without it.

use maud::{Markup, html};
use parallax_captures::Exchange;
use parallax_captures::filter::{at_least, equal_to};

use crate::asked::Asked;

/// `shown`, with a link to the list with `condition` as well, and one beside it to the
/// list of everything else. Without a condition only what is shown.
pub(crate) fn value(shown: &Markup, condition: Option<&str>, asked: &Asked) -> Markup {
    let only = condition.and_then(|condition| Some((condition, asked.and(condition)?)));
    match only {
        Some((condition, only)) => restricted(shown, &only, condition, asked),
        None => shown.clone(),
    }
}

/// The same where the address has another way to say `condition`: `only` is it.
pub(crate) fn restricted(shown: &Markup, only: &str, condition: &str, asked: &Asked) -> Markup {
    html! {
        a.plain.only href=(only) title={ "Only " (condition) } { (shown) }
        (without(condition, asked))
    }
}

/// `shown`, which leads elsewhere, with links beside it: with only it, without it.
pub(crate) fn beside(shown: &Markup, condition: &str, asked: &Asked) -> Markup {
    html! {
        (shown)
        @if let Some(only) = asked.and(condition) {
            span.refine {
                a.only.only-sign href=(only) title={ "Only " (condition) } { "=" }
                (without(condition, asked))
            }
        }
    }
}

fn without(condition: &str, asked: &Asked) -> Markup {
    let negated = if condition.contains(" and ") {
        format!("not ({condition})")
    } else {
        format!("not {condition}")
    };
    html! {
        @if let Some(not) = asked.and(&negated) {
            a.not href=(not) title={ "Without " (condition) } { "\u{2260}" }
        }
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
