//! Which exchanges a page lists: the query of its address.

use parallax_captures::filter::FilterError;
use parallax_captures::{Exchange, FindingCode, VerdictKind, catalog};

use crate::expression::{Where, encoded};
use crate::problem::Problem;

/// What was asked to be listed. Everything in it stands in the address, so that
/// every list can be linked to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Only older ones than the exchange with this number.
    pub(crate) before: Option<u64>,
    /// Only newer ones.
    pub(crate) after: Option<u64>,
    /// Only this connection's.
    pub(crate) conn: Option<u64>,
    /// Only this command's, by its name.
    pub(crate) command: Option<String>,
    /// Only those that failed.
    pub(crate) errors: bool,
    /// Only those with this verdict, not muted.
    pub(crate) verdict: Option<VerdictKind>,
    /// Only polls that were answered with no message.
    pub(crate) empty: bool,
    /// Only those that this finding names, not muted.
    pub(crate) finding: Option<FindingCode>,
    /// Only those of which something is muted; with a verdict or finding those of
    /// which that is.
    pub(crate) muted: bool,
    /// Only those that this expression accepts. It may be one that nobody understands:
    /// then nothing is listed.
    pub(crate) wanted: Option<Where>,
}

impl Filter {
    /// Reads a query.
    ///
    /// # Errors
    /// Which parameter is not understood, and what it may be. An expression is kept
    /// even so, so that it can be shown again: [`Filter::understood`] tells.
    pub(crate) fn parse(query: &[(String, String)]) -> Result<Self, Problem> {
        let mut filter = Self::default();
        for (name, value) in query.iter().filter(|(_, value)| !value.is_empty()) {
            match name.as_str() {
                "before" => filter.before = Some(number(name, value)?),
                "after" => filter.after = Some(number(name, value)?),
                "conn" => filter.conn = Some(number(name, value)?),
                "command" => filter.command = Some(command(value)?),
                "errors" => filter.errors = switch(name, value)?,
                "empty" => filter.empty = switch(name, value)?,
                "muted" => filter.muted = switch(name, value)?,
                "verdict" => filter.verdict = Some(verdict(value)?),
                "finding" => {
                    filter.finding = Some(finding(value).map_err(Problem::into_bad_query)?);
                }
                "where" if value.trim().is_empty() => {}
                "where" => filter.wanted = Some(Where::new(value)),
                _ => return Err(Problem::unknown_parameter(name, &PARAMETERS)),
            }
        }
        Ok(filter)
    }

    /// Why its expression is not understood.
    pub(crate) fn mistake(&self) -> Option<&FilterError> {
        self.wanted.as_ref().and_then(Where::mistake)
    }

    /// The same, where its expression is understood.
    ///
    /// # Errors
    /// What is wrong with the expression, and where.
    pub(crate) fn understood(self) -> Result<Self, Problem> {
        match self.mistake() {
            Some(mistake) => Err(Problem::in_expression("where", mistake)),
            None => Ok(self),
        }
    }

    /// Whether an exchange is to be listed. `before` is the journal's to apply.
    pub(crate) fn accepts(&self, exchange: &Exchange) -> bool {
        self.after.is_none_or(|after| exchange.n > after)
            && self.conn.is_none_or(|conn| exchange.conn.0 == conn)
            && (!self.errors || exchange.failed())
            && (!self.empty || exchange.is_empty_poll())
            && (!self.muted || exchange.is_muted())
            && self
                .verdict
                .is_none_or(|kind| self.verdict_of(exchange) == Some(kind))
            && self
                .finding
                .is_none_or(|code| exchange.named_by(self.muted).contains(&code))
            && (self.command.as_deref()).is_none_or(|command| exchange.command() == command)
            && (self.wanted.as_ref()).is_none_or(|wanted| wanted.accepts(exchange))
    }

    fn verdict_of(&self, exchange: &Exchange) -> Option<VerdictKind> {
        let verdict = exchange.verdict.as_ref()?;
        (verdict.muted.is_some() == self.muted).then_some(verdict.kind)
    }

    /// Whether anything but the place in the list is restricted.
    pub(crate) fn is_restricted(&self) -> bool {
        let place = Self {
            before: self.before,
            after: self.after,
            ..Self::default()
        };
        *self != place
    }

    /// The query, from its question mark; empty where nothing is restricted.
    pub(crate) fn query(&self) -> String {
        let wanted = self.wanted.as_ref().map(|wanted| wanted.text().to_owned());
        let before = self.before.map(|before| before.to_string());
        let more = [("where", wanted), ("before", before)];
        let more = more
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        let pairs = self.choices().into_iter().chain(more);
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("{name}={}", encoded(&value)))
            .collect();
        match pairs.as_slice() {
            [] => String::new(),
            _ => format!("?{}", pairs.join("&")),
        }
    }

    /// Names and values of what is chosen by links: everything but the expression and
    /// the place in the list.
    pub(crate) fn choices(&self) -> Vec<(&'static str, String)> {
        let set = |is_set: bool| is_set.then(|| "1".to_owned());
        let all = [
            ("conn", self.conn.map(|conn| conn.to_string())),
            ("command", self.command.clone()),
            ("errors", set(self.errors)),
            ("verdict", self.verdict.map(|kind| kind.name().to_owned())),
            ("empty", set(self.empty)),
            ("finding", self.finding.map(|code| code.to_string())),
            ("muted", set(self.muted)),
        ];
        let given = all.into_iter();
        given
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }

    /// The list's address with this filter, after `change`, from its newest.
    pub(crate) fn href(&self, change: impl FnOnce(&mut Self)) -> String {
        let mut filter = self.clone();
        filter.before = None;
        filter.after = None;
        change(&mut filter);
        format!("/exchanges{}", filter.query())
    }
}

fn switch(name: &str, value: &str) -> Result<bool, Problem> {
    match value {
        "1" => Ok(true),
        _ => Err(Problem::bad_query(format!("{name} must be 1 or absent."))),
    }
}

/// The largest number that a program in JavaScript can ask for.
const LARGEST: u64 = (1 << 53) - 1;

fn number(name: &str, value: &str) -> Result<u64, Problem> {
    let number = value.parse().ok().filter(|number| *number <= LARGEST);
    let what = format!("{name} must be a whole number of at most {LARGEST}.");
    number.ok_or_else(|| Problem::bad_query(what))
}

/// A command's name as it may stand in an address.
pub(crate) fn command(value: &str) -> Result<String, Problem> {
    let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if value.len() <= 64 && value.chars().all(word) {
        Ok(value.to_owned())
    } else {
        let what = "command must be a command's name, like poll_messages.";
        Err(Problem::bad_query(what))
    }
}

fn verdict(value: &str) -> Result<VerdictKind, Problem> {
    let known = VerdictKind::ALL
        .into_iter()
        .find(|kind| kind.name() == value);
    known.ok_or_else(|| {
        let names = VerdictKind::ALL.map(VerdictKind::name).join(", ");
        Problem::bad_query(format!("verdict must be one of {names}."))
    })
}

/// The finding that is called `value`, like `PX102`.
pub(crate) fn finding(value: &str) -> Result<FindingCode, Problem> {
    let mut codes = catalog::all().map(|entry| entry.code);
    codes.find(|code| code.to_string() == value).ok_or_else(|| {
        let known: Vec<_> = catalog::all().map(|e| e.code.to_string()).collect();
        let known = known.join(", ");
        Problem::not_found(format!("There is no such finding. There are {known}."))
    })
}

/// What a list of exchanges can be restricted by, and begun from.
const PARAMETERS: [&str; 10] = [
    "where", "conn", "command", "errors", "verdict", "empty", "finding", "muted", "before", "after",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &[(&str, &str)]) -> Result<Filter, Problem> {
        let owned: Vec<_> = query
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Filter::parse(&owned)
    }

    #[test]
    fn a_filter_is_its_query() {
        let query = [
            ("conn", "3"),
            ("command", "poll_messages"),
            ("errors", "1"),
            ("verdict", "diverge"),
            ("empty", "1"),
            ("finding", "PX102"),
            ("muted", "1"),
            ("where", "topic == \"a&b\""),
            ("before", "90"),
        ];
        let filter = parse(&query).unwrap();
        assert_eq!(
            filter.query(),
            "?conn=3&command=poll_messages&errors=1&verdict=diverge&empty=1&finding=PX102&muted=1\
             &where=topic%20%3D%3D%20%22a%26b%22&before=90"
        );
        assert!(!parse(&[("before", "90")]).unwrap().is_restricted());
    }

    #[test]
    fn an_expression_that_is_not_understood_is_kept_and_lists_nothing() {
        let filter = parse(&[("where", "status = 1"), ("errors", "1")]).unwrap();
        let wanted = filter.wanted.as_ref().unwrap();
        assert_eq!(wanted.text(), "status = 1");
        assert_eq!(wanted.mistake().unwrap().position(), 7);
        assert!(filter.understood().is_err());
        assert_eq!(parse(&[("where", " ")]).unwrap(), Filter::default());
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        for (name, value) in [
            ("conn", "x"),
            ("command", "<script>"),
            ("errors", "yes"),
            ("empty", "0"),
            ("muted", "true"),
            ("verdict", "maybe"),
            ("finding", "PX000"),
            ("sort", "n"),
        ] {
            assert!(parse(&[(name, value)]).is_err(), "{name}={value}");
        }
    }
}
