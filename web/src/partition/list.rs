//! Every partition of which something is kept.

use std::cmp::Reverse;
use std::collections::HashMap;

use parallax_captures::{Journal, PartitionFigures, PartitionPlace};

use crate::problem::Problem;

/// A partition and its figures, by the names that are known of it.
#[derive(Debug)]
pub(crate) struct Row {
    /// Stream, topic and number; no number: what failed without naming one.
    pub(crate) place: PartitionPlace,
    /// Of the exchanges that are kept.
    pub(crate) figures: PartitionFigures,
}

/// What comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    /// What is wrong: findings and what HTTP names, then divergences, then errors.
    #[default]
    Gravity,
    /// Names.
    Name,
    /// Polls.
    Polls,
    /// Messages delivered.
    Messages,
    /// Errors.
    Errors,
    /// Divergences.
    Diverging,
    /// Exchanges with findings.
    Findings,
    /// The latest.
    Last,
}

impl Sort {
    /// Each with its name in an address.
    pub(crate) const ALL: [(Self, &str); 8] = [
        (Self::Gravity, "gravity"),
        (Self::Name, "name"),
        (Self::Polls, "polls"),
        (Self::Messages, "messages"),
        (Self::Errors, "errors"),
        (Self::Diverging, "diverging"),
        (Self::Findings, "findings"),
        (Self::Last, "last"),
    ];

    /// Reads a query.
    ///
    /// # Errors
    /// What it may be.
    pub(crate) fn parse(query: &[(String, String)]) -> Result<Self, Problem> {
        let mut sort = Self::default();
        for (name, value) in query.iter().filter(|(_, value)| !value.is_empty()) {
            let found = Self::ALL.iter().find(|(_, word)| word == value);
            let Some((found, _)) = found.filter(|_| name == "sort") else {
                let words = Self::ALL.map(|(_, word)| word).join(", ");
                let what = format!("Partitions can be sorted: sort is one of {words}.");
                return Err(Problem::bad_query(what));
            };
            sort = *found;
        }
        Ok(sort)
    }

    /// The name in an address.
    pub(crate) fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(sort, _)| *sort == self);
        found.map_or("gravity", |(_, word)| word)
    }
}

/// All of them in this order, and the exchanges of those for which there was no room.
pub(crate) fn listed(journal: &Journal, sort: Sort) -> (Vec<Row>, u64) {
    let names = journal.names();
    let partitions = journal.partitions();
    let mut rows = HashMap::<PartitionPlace, PartitionFigures>::new();
    for ((stream, topic, id), figures) in partitions.each() {
        let (stream, topic) = names.named(&stream, &topic);
        rows.entry((stream, topic, id)).or_default().add(&figures);
    }
    let row = |(place, figures)| Row { place, figures };
    let mut rows: Vec<_> = rows.into_iter().map(row).collect();
    rows.sort_by(|left, right| left.place.cmp(&right.place));
    rows.sort_by_key(|row| {
        let one = &row.figures;
        Reverse(match sort {
            Sort::Gravity => {
                // Before what is only known not to name it.
                let wrong = one.with_findings.max(one.named_by_http);
                (
                    wrong,
                    one.named_by_http.max(one.diverging),
                    one.errors,
                    one.last,
                )
            }
            Sort::Name => (0, 0, 0, 0),
            Sort::Polls => (one.polls, 0, 0, one.last),
            Sort::Messages => (one.messages, 0, 0, one.last),
            Sort::Errors => (one.errors, 0, 0, one.last),
            Sort::Diverging => (one.diverging, 0, 0, one.last),
            Sort::Findings => (one.with_findings, 0, 0, one.last),
            Sort::Last => (one.last, 0, 0, 0),
        })
    });
    (rows, partitions.not_counted())
}
