use parallax_captures::RouteName;
use serde_json::{Value, json};

/// What one look came to.
#[derive(Debug)]
pub(super) struct Check {
    /// Of which route it is, where routes have names.
    pub(super) route: Option<RouteName>,
    /// What was looked at, in one word.
    pub(super) what: &'static str,
    pub(super) state: State,
    /// What was seen.
    pub(super) seen: String,
    /// What to do.
    pub(super) advice: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Ok,
    /// parallax runs, and something will be missing.
    Warning,
    /// Clients will not get through, or parallax will not start.
    Failed,
    /// It could not be told.
    NotKnown,
}

impl Check {
    pub(super) fn ok(what: &'static str, seen: impl Into<String>) -> Self {
        Self::new(what, State::Ok, seen, None)
    }

    pub(super) fn warning(
        what: &'static str,
        seen: impl Into<String>,
        advice: &'static str,
    ) -> Self {
        Self::new(what, State::Warning, seen, Some(advice))
    }

    pub(super) fn failed(
        what: &'static str,
        seen: impl Into<String>,
        advice: &'static str,
    ) -> Self {
        Self::new(what, State::Failed, seen, Some(advice))
    }

    pub(super) fn not_known(
        what: &'static str,
        seen: impl Into<String>,
        advice: Option<&'static str>,
    ) -> Self {
        Self::new(what, State::NotKnown, seen, advice)
    }

    fn new(
        what: &'static str,
        state: State,
        seen: impl Into<String>,
        advice: Option<&'static str>,
    ) -> Self {
        Self {
            route: None,
            what,
            state,
            seen: seen.into(),
            advice,
        }
    }

    /// One line, for people.
    pub(super) fn line(&self) -> String {
        let state = match self.state {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Failed => "FAILED",
            State::NotKnown => "not known",
        };
        let route = self.route.as_ref();
        let route = route.map_or_else(String::new, |route| format!("{route} "));
        let advice = self.advice.map_or_else(String::new, |advice| {
            let is_sentence = self.seen.ends_with(['.', '?']);
            format!("{} {advice}", if is_sentence { "" } else { "." })
        });
        let seen: String = self
            .seen
            .chars()
            .map(|letter| {
                if letter.is_control() {
                    '\u{fffd}'
                } else {
                    letter
                }
            })
            .collect();
        format!("{state:<9}  {route}{:<11}  {seen}{advice}", self.what)
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "route": self.route.as_ref().map(RouteName::as_str),
            "check": self.what,
            "state": match self.state {
                State::Ok => "ok",
                State::Warning => "warning",
                State::Failed => "failed",
                State::NotKnown => "not_known",
            },
            "seen": self.seen,
            "advice": self.advice,
        })
    }
}
