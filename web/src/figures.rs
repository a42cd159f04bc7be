//! The figures that stand for rows: each with the list behind it, which has as
//! many.

use parallax_captures::{Counts, VerdictKind};

use crate::filter::Filter;

/// How many exchanges a list has.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) what: What,
    pub(crate) count: u64,
    pub(crate) filter: Filter,
}

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Exchanges,
    Errors,
    Verdict(VerdictKind),
    NothingToCompare,
    Muted,
}

impl What {
    /// The name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Exchanges => "exchanges",
            Self::Errors => "errors",
            Self::Verdict(kind) => kind.name(),
            Self::NothingToCompare => "nothing_to_compare",
            Self::Muted => "muted",
        }
    }
}

/// Every figure, of the exchanges that are kept.
pub(crate) fn figures(counts: &Counts) -> Vec<Figure> {
    let figure = |what, count, filter| Figure {
        what,
        count,
        filter,
    };
    let errors = Filter {
        errors: true,
        ..Filter::default()
    };
    let mut figures = vec![
        figure(What::Exchanges, counts.exchanges, Filter::default()),
        figure(What::Errors, counts.failed, errors),
    ];
    for kind in VerdictKind::ALL {
        let filter = Filter {
            verdict: Some(kind),
            ..Filter::default()
        };
        if kind == VerdictKind::NotComparable {
            let empty = Filter {
                empty: true,
                ..filter.clone()
            };
            let nothing = counts.nothing_to_compare;
            figures.push(figure(
                What::Verdict(kind),
                counts.with_verdict(kind),
                filter,
            ));
            figures.push(figure(What::NothingToCompare, nothing, empty));
        } else {
            figures.push(figure(
                What::Verdict(kind),
                counts.with_verdict(kind),
                filter,
            ));
        }
    }
    let muted = Filter {
        muted: true,
        ..Filter::default()
    };
    figures.push(figure(What::Muted, counts.muted, muted));
    figures
}
