//! Which latencies a page shows: the query of its address.

use jiff::Timestamp;
use parallax_captures::{ConnectionId, Dimension, Label, Side};
use parallax_codec::primitives::{Identifier, PollingKind};

use crate::expression::encoded;
use crate::filter;
use crate::limits::LATENCY_CHOSEN;
use crate::problem::Problem;

/// What was asked for. Everything in it stands in the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// By what the series are told apart.
    pub(crate) by: Dimension,
    /// One side only.
    pub(crate) side: Option<Side>,
    /// These commands only.
    pub(crate) commands: Vec<String>,
    /// These labels of the dimension only.
    pub(crate) labels: Vec<Label>,
    /// When; and a second time to compare the first with.
    pub(crate) times: [Times; 2],
    /// Whether drawings are linear in the latency.
    pub(crate) linear: bool,
}

/// From a moment until before another; a missing one is the first or the last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) from: Option<Timestamp>,
    pub(crate) to: Option<Timestamp>,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            by: Dimension::Command,
            side: None,
            commands: Vec::new(),
            labels: Vec::new(),
            times: [Times::default(); 2],
            linear: false,
        }
    }
}

impl Choice {
    /// Reads a query.
    ///
    /// # Errors
    /// Which parameter is not understood, and what it may be.
    pub(crate) fn parse(query: &[(String, String)]) -> Result<Self, Problem> {
        let mut choice = Self::default();
        let given = || query.iter().filter(|(_, value)| !value.is_empty());
        if let Some((_, value)) = given().find(|(name, _)| name == "by") {
            choice.by = dimension(value)?;
        } else {
            // A label says of which dimension it is.
            let named = Dimension::ALL.into_iter().skip(1);
            let mut named = named.filter(|by| given().any(|(name, _)| name == by.name()));
            choice.by = named.next().unwrap_or(choice.by);
        }
        for (name, value) in given() {
            match name.as_str() {
                "by" => {}
                "side" => choice.side = Some(side(value)?),
                "command" => push(&mut choice.commands, filter::command(value)?)?,
                "from" => choice.times[0].from = Some(time(name, value)?),
                "to" => choice.times[0].to = Some(time(name, value)?),
                "from2" => choice.times[1].from = Some(time(name, value)?),
                "to2" => choice.times[1].to = Some(time(name, value)?),
                "scale" => choice.linear = is_linear(value)?,
                _ if choice.by != Dimension::Command && name == choice.by.name() => {
                    push(&mut choice.labels, label(choice.by, value)?)?;
                }
                _ => return Err(unknown_parameter(choice.by)),
            }
        }
        Ok(choice)
    }

    /// The same, where each time begins before it ends.
    ///
    /// # Errors
    /// Which does not.
    pub(crate) fn in_order(self) -> Result<Self, Problem> {
        for Times { from, to } in self.times {
            if let (Some(from), Some(to)) = (from, to)
                && from >= to
            {
                let what = format!("{from} is not before {to}: a time begins before it ends.");
                return Err(Problem::bad_query(what));
            }
        }
        Ok(self)
    }

    /// Names and values, in the order in which they stand in the address.
    pub(crate) fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        if self.by != Dimension::Command {
            pairs.push(("by", self.by.name().to_owned()));
        }
        if let Some(side) = self.side {
            pairs.push(("side", side.name().to_owned()));
        }
        pairs.extend(self.commands.iter().map(|name| ("command", name.clone())));
        let labels = self.labels.iter().map(label_text);
        pairs.extend(labels.map(|label| (self.by.name(), label)));
        for (times, names) in self.times.iter().zip([["from", "to"], ["from2", "to2"]]) {
            for (time, name) in [times.from, times.to].into_iter().zip(names) {
                pairs.extend(time.map(|time| (name, time.to_string())));
            }
        }
        if self.linear {
            pairs.push(("scale", "linear".to_owned()));
        }
        pairs
    }

    /// The query, from its question mark; empty where nothing is restricted.
    pub(crate) fn query(&self) -> String {
        let pairs = self.pairs();
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", encoded(value)))
            .collect();
        match pairs.as_slice() {
            [] => String::new(),
            _ => format!("?{}", pairs.join("&")),
        }
    }

    /// The page's address with this choice, after `change`.
    pub(crate) fn href(&self, change: impl FnOnce(&mut Self)) -> String {
        let mut choice = self.clone();
        change(&mut choice);
        format!("/latency{}", choice.query())
    }

    /// Whether two times are to be compared.
    pub(crate) fn compares(&self) -> bool {
        self.times[1] != Times::default()
    }
}

/// A label as it stands in an address, and in a filter expression: a name in quotes, a
/// number without. Empty by command, where there is none.
pub(crate) fn label_text(label: &Label) -> String {
    match label {
        Label::All => String::new(),
        Label::Strategy(kind) => kind.name().to_owned(),
        Label::Stream(Identifier::Numeric(number)) => number.to_string(),
        Label::Stream(Identifier::Named(name)) => {
            let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{escaped}\"")
        }
        Label::Connection(conn) => conn.0.to_string(),
    }
}

fn label(by: Dimension, value: &str) -> Result<Label, Problem> {
    let wrong = |what: &str| Err(Problem::bad_query(what));
    match by {
        Dimension::Command => wrong("by=command has no label."),
        Dimension::Strategy => {
            let mut known = PollingKind::ALL.into_iter();
            match known.find(|kind| kind.name() == value) {
                Some(kind) => Ok(Label::Strategy(kind)),
                None => wrong("strategy must be offset, timestamp, first, last or next."),
            }
        }
        Dimension::Stream => Ok(Label::Stream(stream(value))),
        Dimension::Connection => match value.parse() {
            Ok(number) => Ok(Label::Connection(ConnectionId(number))),
            Err(_) => wrong("connection must be a connection's number."),
        },
    }
}

/// A number, a name in quotes, or a name that is no number.
fn stream(value: &str) -> Identifier {
    if let Ok(number) = value.parse() {
        return Identifier::Numeric(number);
    }
    let quoted = value.strip_prefix('"');
    match quoted.and_then(|rest| rest.strip_suffix('"')) {
        None => Identifier::Named(value.to_owned()),
        Some(escaped) => {
            let mut name = String::with_capacity(escaped.len());
            let mut characters = escaped.chars();
            while let Some(one) = characters.next() {
                let escapes = one == '\\';
                name.extend(if escapes {
                    characters.next()
                } else {
                    Some(one)
                });
            }
            Identifier::Named(name)
        }
    }
}

fn push<T: PartialEq>(chosen: &mut Vec<T>, one: T) -> Result<(), Problem> {
    if chosen.contains(&one) {
        return Ok(());
    }
    if chosen.len() == LATENCY_CHOSEN {
        let what = format!("At most {LATENCY_CHOSEN} of a kind can be chosen at once.");
        return Err(Problem::bad_query(what));
    }
    chosen.push(one);
    Ok(())
}

fn dimension(value: &str) -> Result<Dimension, Problem> {
    let mut known = Dimension::ALL.into_iter();
    let found = known.find(|by| by.name() == value);
    found.ok_or_else(|| Problem::bad_query("by must be command, strategy, stream or connection."))
}

fn side(value: &str) -> Result<Side, Problem> {
    let mut known = Side::ALL.into_iter();
    let found = known.find(|side| side.name() == value);
    found.ok_or_else(|| Problem::bad_query("side must be tcp or http."))
}

fn time(name: &str, value: &str) -> Result<Timestamp, Problem> {
    value.trim().parse().map_err(|_| {
        Problem::bad_query(format!("{name} must be a time like 2026-11-30T07:05:05Z."))
    })
}

fn is_linear(value: &str) -> Result<bool, Problem> {
    match value {
        "linear" => Ok(true),
        "log" => Ok(false),
        _ => Err(Problem::bad_query("scale must be log or linear.")),
    }
}

fn unknown_parameter(by: Dimension) -> Problem {
    let label = match by {
        Dimension::Command => String::new(),
        by => format!(", {}", by.name()),
    };
    Problem::bad_query(format!(
        "Latencies told apart by {} can be restricted by side, command{label}, from, to, from2 \
         and to2, and drawn with scale=log or linear.",
        by.name()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &[(&str, &str)]) -> Result<Choice, Problem> {
        let owned: Vec<_> = query
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Choice::parse(&owned)
    }

    #[test]
    fn a_choice_is_its_query() {
        let query = [
            ("by", "stream"),
            ("side", "tcp"),
            ("command", "poll_messages"),
            ("command", "send_messages"),
            ("stream", "\"say \\\"a\\\\b\\\"\""),
            ("stream", "7"),
            ("stream", "\"7\""),
            ("from", "2026-11-30T07:05:05Z"),
            ("to2", "2026-11-30T07:05:05.015625Z"),
            ("scale", "linear"),
        ];
        let choice = parse(&query).unwrap();
        let named = |name: &str| Label::Stream(Identifier::Named(name.to_owned()));
        let seven = Label::Stream(Identifier::Numeric(7));
        assert_eq!(choice.labels, [named("say \"a\\b\""), seven, named("7")]);
        let pairs = choice.pairs();
        let pairs: Vec<_> = pairs.iter().map(|(n, v)| (*n, v.as_str())).collect();
        assert_eq!(pairs, query);
        assert!(choice.compares());
    }

    #[test]
    fn a_label_says_of_which_dimension_it_is() {
        let choice = parse(&[("strategy", "next")]).unwrap();
        assert_eq!(choice.by, Dimension::Strategy);
        assert!(parse(&[("by", "stream"), ("strategy", "next")]).is_err());
        assert_eq!(parse(&[("from", "")]).unwrap(), Choice::default());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (name, value) in [
            ("by", "topic"),
            ("side", "udp"),
            ("command", "<script>"),
            ("strategy", "sideways"),
            ("connection", "x"),
            ("from", "yesterday"),
            ("scale", "sqrt"),
            ("sort", "n"),
        ] {
            assert!(parse(&[(name, value)]).is_err(), "{name}={value}");
        }
        let times = [
            ("from", "2026-11-30T07:05:05Z"),
            ("to", "2026-11-30T07:05:05Z"),
        ];
        assert!(parse(&times).unwrap().in_order().is_err());
        let many: Vec<_> = (0..=LATENCY_CHOSEN).map(|n| n.to_string()).collect();
        let many: Vec<_> = many.iter().map(|n| ("connection", n.as_str())).collect();
        assert!(parse(&many).is_err());
        assert!(parse(&many[1..]).is_ok());
    }
}
