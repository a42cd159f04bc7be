//! The list's columns, and which of them are shown.

use crate::problem::Problem;

/// A column of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Number,
    Time,
    Connection,
    Dialect,
    Command,
    Place,
    Consumer,
    Asked,
    Status,
    Latency,
    Size,
    Verdict,
    Findings,
    Notes,
}

impl Column {
    /// Every column, in the order in which they stand.
    pub(crate) const ALL: [Self; 14] = [
        Self::Number,
        Self::Time,
        Self::Connection,
        Self::Dialect,
        Self::Command,
        Self::Place,
        Self::Consumer,
        Self::Asked,
        Self::Status,
        Self::Latency,
        Self::Size,
        Self::Verdict,
        Self::Findings,
        Self::Notes,
    ];

    /// The name in an address (`columns`).
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Number => "n",
            Self::Time => "time",
            Self::Connection => "conn",
            Self::Dialect => "dialect",
            Self::Command => "command",
            Self::Place => "place",
            Self::Consumer => "consumer",
            Self::Asked => "asked",
            Self::Status => "status",
            Self::Latency => "latency",
            Self::Size => "size",
            Self::Verdict => "verdict",
            Self::Findings => "findings",
            Self::Notes => "notes",
        }
    }

    pub(crate) const fn heading(self) -> &'static str {
        match self {
            Self::Number => "No.",
            Self::Time => "Time",
            Self::Connection => "Conn.",
            Self::Dialect => "Dialect",
            Self::Command => "Command",
            Self::Place => "Topic / partition",
            Self::Consumer => "Consumer",
            Self::Asked => "Asked",
            Self::Status => "Status",
            Self::Latency => "Latency",
            Self::Size => "Bytes",
            Self::Verdict => "Against HTTP",
            Self::Findings => "Findings",
            Self::Notes => "Notes",
        }
    }

    /// Whether it is shown unless others are asked for.
    const fn is_usual(self) -> bool {
        !matches!(self, Self::Dialect | Self::Consumer | Self::Size)
    }
}

/// Which columns are shown; the number always is, for a row is opened by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns([bool; Column::ALL.len()]);

impl Default for Columns {
    fn default() -> Self {
        Self(Column::ALL.map(Column::is_usual))
    }
}

impl Columns {
    /// Only the number, to which others come.
    pub(crate) fn least() -> Self {
        Self(Column::ALL.map(|column| column == Column::Number))
    }

    /// Adds the columns of a list of names: `time,status`.
    ///
    /// # Errors
    /// Which names there are.
    pub(crate) fn add(&mut self, names: &str) -> Result<(), Problem> {
        for name in names.split(',') {
            let at = Column::ALL.iter().position(|column| column.name() == name);
            let Some(at) = at else {
                let names = Column::ALL.map(Column::name).join(", ");
                let what = format!("columns must be some of {names}, with commas between.");
                return Err(Problem::bad_query(what));
            };
            self.0[at] = true;
        }
        Ok(())
    }

    pub(crate) fn has(self, column: Column) -> bool {
        self.shown().any(|shown| shown == column)
    }

    pub(crate) fn shown(self) -> impl Iterator<Item = Column> {
        let all = Column::ALL.into_iter().zip(self.0);
        all.filter_map(|(column, shown)| shown.then_some(column))
    }

    /// As they stand in an address; `None` where they are the usual ones.
    pub(crate) fn written(self) -> Option<String> {
        let names: Vec<_> = self.shown().map(Column::name).collect();
        (self != Self::default()).then(|| names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_what_stands_in_the_address() {
        let mut columns = Columns::least();
        columns.add("status,time").unwrap();
        columns.add("size").unwrap();
        assert_eq!(columns.written().as_deref(), Some("n,time,status,size"));
        assert!(columns.add("status,nonsense").is_err());
        assert_eq!(Columns::default().written(), None);
    }
}
