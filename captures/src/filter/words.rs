//! The words that a field may have, written without quotes.

use parallax_codec::primitives::{ConsumerKind, PollingKind};
use parallax_codec::{COMMANDS, ErrorCode, vsr};

use super::nearest::nearest;
use crate::catalog;
use crate::connection::Dialect;
use crate::verdict::VerdictKind;

/// A closed list of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// Names of commands, and of what an exchange may be instead.
    Command,
    /// `consumer` and `group`.
    ConsumerKind,
    /// `classic`, `vsr` and `http`.
    Dialect,
    /// Names of error codes.
    Error,
    /// Codes of findings: `PX104`.
    Finding,
    /// From where polls read: `first`, `next` ...
    Strategy,
    /// What comparing came to: `agree`, `diverge` ...
    Verdict,
}

impl Words {
    /// Every word.
    pub fn all(self) -> Vec<String> {
        let names: Vec<&str> = match self {
            Self::Command => commands(),
            Self::ConsumerKind => [ConsumerKind::Consumer, ConsumerKind::Group]
                .map(ConsumerKind::name)
                .into(),
            Self::Dialect => [Dialect::Classic, Dialect::Vsr, Dialect::Http]
                .map(Dialect::name)
                .into(),
            Self::Error => ErrorCode::all().filter_map(ErrorCode::name).collect(),
            Self::Finding => {
                return catalog::all().map(|entry| entry.code.to_string()).collect();
            }
            Self::Strategy => PollingKind::ALL.map(PollingKind::name).into(),
            Self::Verdict => VerdictKind::ALL.map(VerdictKind::name).into(),
        };
        names.into_iter().map(str::to_owned).collect()
    }

    /// The word as it is in JSON, whatever its case here.
    ///
    /// # Errors
    /// A sentence that says what there is instead.
    pub(super) fn find(self, word: &str) -> Result<String, String> {
        let all = self.all();
        if let Some(known) = all.iter().find(|known| known.eq_ignore_ascii_case(word)) {
            return Ok(known.clone());
        }
        if self.has_unknown() && is_unknown(word) {
            return Ok(word.to_owned());
        }
        let what = self.what();
        Err(match nearest(word, all.iter().map(String::as_str)) {
            Some(near) => format!("there is no {what} {word}; did you mean {near}?"),
            None if all.len() <= 8 => {
                format!("there is no {what} {word}; there are {}", all.join(", "))
            }
            None => format!("there is no {what} {word}"),
        })
    }

    /// What one of them is called.
    const fn what(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::ConsumerKind => "kind of consumer",
            Self::Dialect => "dialect",
            Self::Error => "error",
            Self::Finding => "finding",
            Self::Strategy => "strategy",
            Self::Verdict => "verdict",
        }
    }

    /// Whether numbers that nobody knows are called `unknown_123`.
    const fn has_unknown(self) -> bool {
        matches!(self, Self::Command | Self::Error)
    }
}

fn is_unknown(word: &str) -> bool {
    let number = word.strip_prefix("unknown_");
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The binary protocol's, HTTP's, and frames that nobody asked for.
fn commands() -> Vec<&'static str> {
    let mut names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
    names.extend(["http_request", "unmatched_reply"]);
    let frames = (0..=u8::MAX).map(|number| vsr::Command(number).name());
    for name in frames {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
