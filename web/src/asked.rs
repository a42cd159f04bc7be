//! What of the list an address asks for: which exchanges, in which order, from where
//! on, and which columns of them.

use std::sync::Arc;

use parallax_captures::{Condition, Exchange, Journal, Rank, Wanted};

use crate::app::App;
use crate::columns::Columns;
use crate::expression::{Where, encoded};
use crate::filter::Filter;
use crate::order::{self, Order};
use crate::problem::Problem;
use crate::view::is_problem;

/// A list as its address has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) filter: Filter,
    /// Only those that catch the eye: failed, diverging, with findings.
    pub(crate) problems: bool,
    pub(crate) order: Order,
    /// In an order that is not by number: behind this place.
    pub(crate) past: Option<Rank>,
    pub(crate) columns: Columns,
}

/// A page of a list.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) exchanges: Vec<Arc<Exchange>>,
    /// What asks for the page behind it, where there may be one.
    pub(crate) next: Option<Asked>,
}

impl Asked {
    /// Reads a query.
    ///
    /// # Errors
    /// Which parameter is not understood, and what it may be.
    pub(crate) fn parse(query: &[(String, String)]) -> Result<Self, Problem> {
        let mut asked = Self::default();
        let mut rest = Vec::new();
        let mut columns = Columns::least();
        for (name, value) in query {
            match name.as_str() {
                _ if value.is_empty() => {}
                "sort" => asked.order = Order::parse(value)?,
                "past" => asked.past = Some(order::place(value)?),
                "columns" => columns.add(value)?,
                "problems" if value == "1" => asked.problems = true,
                "problems" => return Err(Problem::bad_query("problems must be 1 or absent.")),
                _ => rest.push((name.clone(), value.clone())),
            }
        }
        if columns != Columns::least() {
            asked.columns = columns;
        }
        asked.filter = Filter::parse(&rest)?;
        Ok(asked)
    }

    /// The same, where its expression is understood.
    ///
    /// # Errors
    /// What is wrong with the expression, and where.
    pub(crate) fn understood(mut self) -> Result<Self, Problem> {
        self.filter = self.filter.understood()?;
        Ok(self)
    }

    /// Whether anything but order, place and columns is restricted.
    pub(crate) fn is_restricted(&self) -> bool {
        self.problems || self.filter.is_restricted()
    }

    /// Whether it does not begin at the list's first row.
    pub(crate) fn is_further(&self) -> bool {
        self.past.is_some() || self.filter.before.is_some() || self.filter.after.is_some()
    }

    /// Names and values of everything but the expression.
    pub(crate) fn choices(&self) -> Vec<(&'static str, String)> {
        let mut all = self.filter.choices();
        all.extend(self.problems.then(|| ("problems", "1".to_owned())));
        if self.order != Order::default() {
            all.push(("sort", self.order.name().to_owned()));
        }
        all.extend(self.columns.written().map(|names| ("columns", names)));
        all
    }

    /// The query, from its question mark; empty where nothing is asked for.
    pub(crate) fn query(&self) -> String {
        self.query_with(self.filter.wanted.as_ref().map(Where::text))
    }

    /// The same with this expression in place of its own.
    fn query_with(&self, wanted: Option<&str>) -> String {
        let mut pairs = self.choices();
        pairs.extend(wanted.map(|wanted| ("where", wanted.to_owned())));
        let number = |name, number: Option<u64>| number.map(|n| (name, n.to_string()));
        pairs.extend(number("before", self.filter.before));
        pairs.extend(number("after", self.filter.after));
        pairs.extend(self.past.map(|past| ("past", order::written(past))));
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", encoded(value)))
            .collect();
        match pairs.as_slice() {
            [] => String::new(),
            _ => format!("?{}", pairs.join("&")),
        }
    }

    /// The query of the same exchanges, in the usual order and columns.
    pub(crate) fn restrictions(&self) -> String {
        let mut asked = self.at_first();
        (asked.order, asked.columns) = (Order::default(), Columns::default());
        asked.query()
    }

    /// The same from the list's first row on.
    pub(crate) fn at_first(&self) -> Self {
        let mut asked = self.clone();
        (asked.filter.before, asked.filter.after, asked.past) = (None, None, None);
        asked
    }

    /// The list's address after `change`, from its first row.
    pub(crate) fn href(&self, change: impl FnOnce(&mut Self)) -> String {
        let mut asked = self.at_first();
        change(&mut asked);
        format!("/exchanges{}", asked.query())
    }

    /// The same after a change of the restrictions alone.
    pub(crate) fn filtered(&self, change: impl FnOnce(&mut Filter)) -> String {
        self.href(|asked| change(&mut asked.filter))
    }

    /// The list's address with one more condition; `None` where that is more than an
    /// expression may have.
    pub(crate) fn and(&self, condition: &str) -> Option<String> {
        let wanted = match &self.filter.wanted {
            None => condition.to_owned(),
            Some(wanted) => wanted.and(condition)?,
        };
        let query = self.at_first().query_with(Some(&wanted));
        Some(format!("/exchanges{query}"))
    }

    /// A page of the list, at most `most`. Looks on a thread where nobody's bytes wait.
    ///
    /// # Errors
    /// The search ended before its time.
    pub(crate) async fn page(&self, app: &App, most: usize) -> Result<Page, Problem> {
        self.page_as(app, most, |page, _| page).await
    }

    /// What `make` makes of a page of the list, on the same thread.
    ///
    /// # Errors
    /// The search ended before its time.
    pub(crate) async fn page_as<T: Send + 'static>(
        &self,
        app: &App,
        most: usize,
        make: impl FnOnce(Page, &Self) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let asked = self.clone();
        let look = move |journal: &Journal| make(asked.found(journal, most), &asked);
        app.search(look).await
    }

    pub(crate) fn found(&self, journal: &Journal, most: usize) -> Page {
        let next = |change: &dyn Fn(&mut Self)| {
            let mut next = self.clone();
            change(&mut next);
            next
        };
        if let Some(measure) = self.order.measure() {
            let top = journal.top(measure, self.past, most, self);
            let past = top.more;
            return Page {
                exchanges: top.exchanges,
                next: past.map(|_| next(&|asked| asked.past = past)),
            };
        }
        let (listing, further) = if self.order == Order::Oldest {
            let after = self.filter.after.unwrap_or_default();
            let listing = journal.list_after(after, most, self);
            let more = listing.more;
            let further = more.map(|_| next(&|asked| asked.filter.after = more));
            (listing, further)
        } else {
            let listing = journal.list(self.filter.before, most, self);
            let more = listing.more;
            let further = more.map(|_| next(&|asked| asked.filter.before = more));
            (listing, further)
        };
        Page {
            exchanges: listing.exchanges,
            next: further,
        }
    }
}

impl Wanted for Asked {
    fn accepts(&self, exchange: &Exchange) -> bool {
        (!self.problems || is_problem(exchange))
            && (self.filter.before).is_none_or(|before| exchange.n < before)
            && self.filter.accepts(exchange)
    }

    fn condition(&self) -> Condition {
        let mut all = vec![Wanted::condition(&self.filter)];
        if self.problems {
            all.push(Condition::Unknown);
        }
        if let Some(before) = self.filter.before {
            let column = parallax_captures::Column::N;
            let less = parallax_captures::Comparison::Less;
            all.push(Condition::Compare(column, less, vec![before.into()]));
        }
        Condition::All(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &[(&str, &str)]) -> Result<Asked, Problem> {
        let owned = query.iter();
        let owned: Vec<_> = owned
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Asked::parse(&owned)
    }

    #[test]
    fn a_list_is_its_query() {
        let query = [
            ("errors", "1"),
            ("problems", "1"),
            ("sort", "latency"),
            ("columns", "n,time,status"),
            ("where", "conn == 1"),
            ("past", "1500.12"),
        ];
        let asked = parse(&query).unwrap();
        assert_eq!(
            asked.query(),
            "?errors=1&problems=1&sort=latency&columns=n%2Ctime%2Cstatus&where=conn%20%3D%3D%201\
             &past=1500.12"
        );
        assert!(asked.is_further() && !asked.at_first().is_further());
        // As a form sends it.
        let form = [("columns", "time"), ("columns", "status")];
        assert_eq!(parse(&form).unwrap().columns, asked.columns);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (name, value) in [
            ("sort", "n"),
            ("past", "12"),
            ("past", "a.b"),
            ("columns", "time,secrets"),
            ("problems", "yes"),
            ("unheard", "1"),
        ] {
            assert!(parse(&[(name, value)]).is_err(), "{name}={value}");
        }
    }

    #[test]
    fn a_condition_is_added_to_all_that_was_asked_for_before() {
        let one_or_the_other = parse(&[("where", "conn == 1 or conn == 2")]).unwrap();
        assert_eq!(
            one_or_the_other.and("status == 0").unwrap(),
            format!(
                "/exchanges?where={}",
                encoded("(conn == 1 or conn == 2) and status == 0")
            )
        );
        let asked = parse(&[("where", "conn == 1 and status == 0"), ("before", "9")]).unwrap();
        assert_eq!(
            asked.and("status == 0").unwrap(),
            format!("/exchanges?where={}", encoded("conn == 1 and status == 0"))
        );
        let long = format!("topic == \"{}\"", "x".repeat(4_000));
        let asked = parse(&[("where", &long)]).unwrap();
        assert_eq!(asked.and(&long.replace('x', "y")), None);
    }
}
