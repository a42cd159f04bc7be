//! `--where`: of what was read, what somebody wants to see.

use std::collections::{BTreeSet, HashMap, HashSet};

use anyhow::anyhow;
use clap::Args;
use parallax_captures::filter::Expression;
use parallax_captures::limits::{FINDING_EXCHANGES, JOURNAL_CLOSED_CONNECTIONS, MAX_OPEN_STREAMS};
use parallax_captures::{ConnectionId, Exchange, Finding, FindingCode};

use crate::offline::Summary;

#[derive(Debug, Args)]
pub(super) struct WantedArguments {
    #[arg(
        long = "where",
        value_name = "EXPR",
        help = "Print only the exchanges for which this is true, like 'status == 4100 and topic \
                == \"metrics\"', and the findings that name one of them",
        long_help = "Print only the exchanges for which this is true, and the findings that name \
                     one of them; what is not printed does not count for the exit code.\n\n\
                     A condition is a field with == != < <= > >= and a value, in {a, b}, contains \
                     \"text\", matches \"regular expression\", or a field alone: it has a value, and \
                     not false. Conditions are joined by and, or, not and parentheses. Values: words \
                     like first, text in quotes, numbers, durations like 5ms, times like \
                     2026-11-30T07:05:05Z, null.\n\n\
                     parallax explain filters lists the fields. Examples:\n  \
                     --where 'command == poll_messages and status == 4100'\n  \
                     --where 'latency_us > 5ms and not (verdict in {agree, transient})'"
    )]
    expression: Option<String>,
}

impl WantedArguments {
    /// What is wanted: everything where no expression was given.
    ///
    /// # Errors
    /// The expression is not understood; says what is wrong and shows where.
    pub(super) fn wanted(&self) -> anyhow::Result<Wanted> {
        let parsed = self.expression.as_deref().map(str::parse::<Expression>);
        let parsed = parsed.transpose();
        let expression =
            parsed.map_err(|error| anyhow!("--where, {error}\n{}", error.pointed_out()))?;
        Ok(Wanted {
            expression,
            ..Wanted::default()
        })
    }
}

/// What is wanted of one capture, and what was seen of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    expression: Option<Expression>,
    /// Of the exchanges that were accepted the connections, the latest.
    connections: BTreeSet<ConnectionId>,
    /// Likewise the findings that name them.
    codes: HashSet<FindingCode>,
}

impl Wanted {
    /// Whether an exchange is wanted.
    pub(super) fn accepts(&self, exchange: &Exchange) -> bool {
        let expression = self.expression.as_ref();
        expression.is_none_or(|wanted| wanted.accepts(exchange))
    }

    /// The same, and remembers whom it was on and what names it.
    pub(super) fn see(&mut self, exchange: &Exchange) -> bool {
        let accepted = self.accepts(exchange);
        if accepted && self.expression.is_some() {
            self.connections.insert(exchange.conn);
            if self.connections.len() > JOURNAL_CLOSED_CONNECTIONS + MAX_OPEN_STREAMS {
                self.connections.pop_first();
            }
            self.codes.extend(&exchange.findings);
            self.codes.extend(&exchange.muted_findings);
        }
        accepted
    }

    /// Leaves of a summary the findings that name what was accepted, and the connections
    /// that it was on. What could not be decoded or read stays, since nobody knows what it
    /// was.
    pub(super) fn keep(&self, summary: &mut Summary) {
        if self.expression.is_none() {
            return;
        }
        let connections = &self.connections;
        summary
            .connections
            .retain(|one| connections.contains(&one.id));
        // As they are known now: a finding may have come after the exchange was printed.
        let known = summary.named.iter();
        let known: HashMap<u64, bool> = known.map(|one| (one.n, self.accepts(one))).collect();
        let names = |finding: &Finding| self.names(finding, &known);
        summary.findings.retain(names);
        summary.muted_findings.retain(names);
    }

    /// Whether a finding names an exchange that is accepted. Of one that named more than
    /// is known any more it is enough that an accepted exchange has its code.
    fn names(&self, finding: &Finding, known: &HashMap<u64, bool>) -> bool {
        let named = &finding.exchanges;
        let named_more =
            named.len() >= FINDING_EXCHANGES || named.iter().any(|n| !known.contains_key(n));
        named.iter().any(|n| known.get(n) == Some(&true))
            || named_more && self.codes.contains(&finding.code)
    }
}
