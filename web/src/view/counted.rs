use maud::{Markup, html};

use crate::filter::Filter;

/// A number of exchanges, in words, that leads to these: the list behind it has as
/// many rows.
pub(crate) fn rows_behind(filter: &Filter, count: u64, words: &str) -> Markup {
    let href = filter.href(|_| {});
    html! { a href=(href) data-count=(count) { (words) } }
}
