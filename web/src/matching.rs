//! How many exchanges a list has: told at once where that is kept as a figure, else by
//! looking through the latest.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use parallax_captures::Journal;
use serde_json::{Value, json};

use crate::app::App;
use crate::asked::{Asked, Page};
use crate::figures::figures;
use crate::filter::Filter;
use crate::limits::{COUNT_LOOKED, DOWNLOAD_BATCH};
use crate::order::Order;
use crate::problem::Problem;
use crate::view::count;

/// `/matching`: the words for a list, as its heading has them.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<Json<Value>, Problem> {
    let asked = Asked::parse(&query)?.understood()?;
    let words = match known(&app.journal, &asked) {
        Some(words) => words,
        None => {
            app.search(move |journal| looked(journal, &asked, COUNT_LOOKED))
                .await?
        }
    };
    Ok(Json(json!({ "words": words })))
}

/// Where a figure is kept of it.
pub(crate) fn known(journal: &Journal, asked: &Asked) -> Option<String> {
    let counts = journal.counts();
    let kept = counts.exchanges;
    if !asked.is_restricted() {
        return Some(format!("{} kept", count(kept)));
    }
    let filter = asked.at_first().filter;
    let alone = |change: &dyn Fn(&mut Filter)| {
        let mut other = Filter::default();
        change(&mut other);
        other == filter
    };
    let figure = figures(&counts)
        .into_iter()
        .find(|one| one.filter == filter);
    let number = match (figure, filter.conn, filter.finding) {
        _ if asked.problems => None,
        (Some(figure), _, _) => Some(figure.count),
        (None, Some(conn), _) if alone(&|other| other.conn = Some(conn)) => {
            Some(counts.on_connection(parallax_captures::ConnectionId(conn)))
        }
        (None, _, Some(code)) if alone(&|other| other.finding = Some(code)) => {
            Some(counts.showing(code))
        }
        _ => None,
    };
    number.map(|number| of(number, kept))
}

/// Where all of it is on its first page.
pub(crate) fn whole(journal: &Journal, asked: &Asked, page: &Page) -> Option<String> {
    let is_whole = page.next.is_none() && !asked.is_further() && asked.order.measure().is_none();
    let kept = journal.counts().exchanges;
    is_whole.then(|| of(page.exchanges.len() as u64, kept))
}

fn of(number: u64, kept: u64) -> String {
    format!("{} of {} match", count(number), count(kept))
}

/// Looks at the latest, at most `most`.
fn looked(journal: &Journal, asked: &Asked, most: u64) -> String {
    let kept = journal.counts().exchanges;
    let mut asked = asked.at_first();
    asked.order = Order::Newest;
    let end = journal.totals().exchanges + 1;
    let after = end.saturating_sub(most + 1);
    (asked.filter.before, asked.filter.after) = (Some(end), Some(after));
    let mut number = 0;
    loop {
        let page = asked.found(journal, DOWNLOAD_BATCH);
        number += page.exchanges.len() as u64;
        let further = page
            .next
            .filter(|next| next.filter.before > Some(after + 1));
        match further {
            Some(next) => asked = next,
            None => break,
        }
    }
    if kept <= most {
        of(number, kept)
    } else {
        format!("{} of the latest {} match", count(number), count(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::download::tests::exchange;

    fn asked(query: &[(&str, &str)]) -> Asked {
        let pairs = query.iter();
        let pairs: Vec<_> = pairs
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Asked::parse(&pairs).unwrap()
    }

    #[test]
    fn a_count_is_a_figure_or_of_the_latest_that_were_looked_at() {
        let journal = Journal::new();
        for _ in 0..1_200 {
            journal.record(exchange());
        }
        let known = |query: &[(&str, &str)]| known(&journal, &asked(query));
        assert_eq!(known(&[]).unwrap(), "1,200 kept");
        assert_eq!(known(&[("errors", "1")]).unwrap(), "1,200 of 1,200 match");
        assert_eq!(known(&[("conn", "1")]).unwrap(), "1,200 of 1,200 match");
        assert_eq!(known(&[("finding", "PX101"), ("conn", "1")]), None);
        assert_eq!(known(&[("errors", "1"), ("problems", "1")]), None);
        let some = [("where", "n <= 700 and n > 100"), ("sort", "latency")];
        assert_eq!(known(&some), None);
        let looked = |most| looked(&journal, &asked(&some), most);
        assert_eq!(looked(COUNT_LOOKED), "600 of 1,200 match");
        assert_eq!(looked(1_200), "600 of 1,200 match");
        assert_eq!(looked(800), "300 of the latest 800 match");
    }

    #[test]
    fn a_page_that_is_all_of_a_list_says_how_many_that_is() {
        let journal = Journal::new();
        for _ in 0..12 {
            journal.record(exchange());
        }
        let few = asked(&[("where", "n > 9")]);
        let page = few.found(&journal, 10);
        assert_eq!(whole(&journal, &few, &page).unwrap(), "3 of 12 match");
        let many = asked(&[("where", "n > 1")]);
        assert_eq!(whole(&journal, &many, &many.found(&journal, 10)), None);
    }
}
