//! Which parts of an exchange its page shows: the query of its address.

use crate::problem::Problem;

/// Of everything long, from where it is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) request: FramePart,
    pub(crate) reply: FramePart,
    /// The first message shown.
    pub(crate) messages_from: usize,
}

/// A window of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FramePart {
    /// Its first byte.
    pub(crate) from: usize,
    /// As much as one page may hold.
    pub(crate) all: bool,
}

impl Parts {
    /// Reads a query.
    ///
    /// # Errors
    /// Which parameter is not understood, and what it may be.
    pub(crate) fn parse(query: &[(String, String)]) -> Result<Self, Problem> {
        let mut parts = Self::default();
        for (name, value) in query {
            match (name.as_str(), value.as_str()) {
                ("request_from", value) => parts.request.from = number(name, value)?,
                ("reply_from", value) => parts.reply.from = number(name, value)?,
                ("messages_from", value) => parts.messages_from = number(name, value)?,
                ("all", "request") => parts.request.all = true,
                ("all", "reply") => parts.reply.all = true,
                ("all", _) => {
                    return Err(Problem::bad_query("all must be request or reply."));
                }
                _ => {
                    let what = "An exchange's page takes request_from, reply_from, messages_from \
                                and all.";
                    return Err(Problem::bad_query(what));
                }
            }
        }
        Ok(parts)
    }
}

/// A place in what is shown.
pub(crate) fn number(name: &str, value: &str) -> Result<usize, Problem> {
    let wrong = |_| Problem::bad_query(format!("{name} must be a whole number."));
    value.parse().map_err(wrong)
}
