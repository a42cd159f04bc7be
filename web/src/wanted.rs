//! What of a filter an index can look for.

use parallax_captures::{Column, Comparison, Condition, Exchange, Scalar, Wanted};

use crate::filter::Filter;

impl Wanted for Filter {
    fn accepts(&self, exchange: &Exchange) -> bool {
        Self::accepts(self, exchange)
    }

    fn condition(&self) -> Condition {
        let mut all = Vec::new();
        let mut is = |column, value: Scalar| {
            all.push(Condition::Compare(column, Comparison::Equal, vec![value]));
        };
        if let Some(conn) = self.conn {
            is(Column::Conn, conn.into());
        }
        if let Some(command) = self.command.as_deref() {
            is(Column::Command, command.into());
        }
        if let Some(kind) = self.verdict {
            is(Column::Verdict, kind.name().into());
            is(Column::VerdictMuted, self.muted.into());
        }
        let flags = [
            (self.errors, Column::Failed),
            (self.empty, Column::Empty),
            (self.muted, Column::Muted),
        ];
        for (_, column) in flags.into_iter().filter(|(wanted, _)| *wanted) {
            is(column, true.into());
        }
        if let Some(after) = self.after {
            let newer = Condition::Compare(Column::N, Comparison::Greater, vec![after.into()]);
            all.push(newer);
        }
        if let Some(code) = self.finding {
            all.push(Condition::Finding(code, self.muted));
        }
        if let Some(wanted) = &self.wanted {
            all.push(wanted.condition());
        }
        Condition::All(all)
    }
}
