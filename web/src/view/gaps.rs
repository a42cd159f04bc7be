//! What was not looked at, where it is between the rows of a list.

use std::collections::BTreeMap;
use std::sync::Arc;

use maud::{Markup, html};
use parallax_captures::{Exchange, Gap, Journal};

use super::format::{byte_size, clock_text};
use crate::asked::Asked;

/// By the number of the exchange that follows.
#[derive(Default)]
pub(crate) struct Gaps(BTreeMap<u64, Vec<Gap>>);

impl Gaps {
    /// Those right before one of these exchanges; where one connection is asked for, its own.
    pub(crate) fn before(exchanges: &[Arc<Exchange>], asked: &Asked, journal: &Journal) -> Self {
        let numbers = exchanges.iter().map(|exchange| exchange.n);
        let (Some(least), Some(most)) = (numbers.clone().min(), numbers.max()) else {
            return Self::default();
        };
        let mut found = BTreeMap::<u64, Vec<Gap>>::new();
        for (id, gap) in journal.gaps(least.saturating_sub(1), most) {
            if asked.filter.conn.is_none_or(|conn| conn == id.0) {
                found.entry(gap.after + 1).or_default().push(gap);
            }
        }
        Self(found)
    }

    /// What is to be said in the row of the exchange with this number.
    pub(super) fn told(&self, n: u64) -> Markup {
        let Some(gaps) = self.0.get(&n) else {
            return html! {};
        };
        let bytes = gaps.iter().map(|gap| gap.bytes).sum();
        let since = gaps.iter().map(|gap| gap.since).min().unwrap_or_default();
        let until = gaps.iter().map(|gap| gap.until).max().unwrap_or_default();
        let when = format!(
            "Between exchange {} and this one, from {} to {}, more passed than could be looked at.",
            n - 1,
            clock_text(since),
            clock_text(until)
        );
        html! {
            " " span.warn.gap title=(when) { "gap before: " (byte_size(bytes)) " not looked at" }
        }
    }
}
