//! The bars that a relay has to pass, and whether it did.

use std::fmt::{self, Display, Formatter};

use parallax_tests::load::Kind;

use super::figures::{P50, P99, PROCESSOR, RATE, Table};

/// One bar and the figure.
#[derive(Debug)]
pub(crate) struct Bar {
    what: &'static str,
    figure: Option<f64>,
    limit: f64,
    /// Whether the figure has to be above the limit, not below.
    at_least: bool,
}

/// All of them, of one load.
pub(crate) fn of(table: &Table) -> Vec<Bar> {
    let most = |what, figure, limit| Bar {
        what,
        figure,
        limit,
        at_least: false,
    };
    let throughput = Bar {
        what: "throughput, decoding to HAProxy's",
        figure: table.ratio(Kind::Decoding, Kind::Haproxy, RATE),
        limit: 1.0,
        at_least: true,
    };
    if table.is_bulk() {
        return vec![throughput];
    }
    let added = |of| Some(table.added(Kind::Decoding, of)? / table.added(Kind::Haproxy, of)?);
    vec![
        throughput,
        most("added p50, decoding to HAProxy's", added(P50), 1.25),
        most("added p99, decoding to HAProxy's", added(P99), 1.25),
        most(
            "client's p99, mirror on to off",
            table.ratio(Kind::Mirror, Kind::Decoding, P99),
            1.05,
        ),
        most(
            "client's p99, recording on to off",
            table.ratio(Kind::Recording, Kind::Mirror, P99),
            1.15,
        ),
        most(
            "p50, decoding to --bypass",
            table.ratio(Kind::Decoding, Kind::Bypass, P50),
            1.10,
        ),
        most(
            "CPU a poll, decoding to --bypass",
            table.ratio(Kind::Decoding, Kind::Bypass, PROCESSOR),
            1.10,
        ),
    ]
}

impl Display for Bar {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(figure) = self.figure else {
            return write!(f, "-    {}: not measured", self.what);
        };
        let met = if self.at_least {
            figure >= self.limit
        } else {
            figure <= self.limit
        };
        let sign = if self.at_least { ">=" } else { "<=" };
        let verdict = if met { "met " } else { "MISS" };
        write!(
            f,
            "{verdict} {}: {figure:.2} ({sign} {:.2})",
            self.what, self.limit
        )
    }
}
