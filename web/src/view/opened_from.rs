//! From which list an exchange was opened: the parameter `in` of its address, the query
//! of that list.

use axum::extract::Query;
use axum::http::Uri;

use crate::asked::Asked;
use crate::expression::encoded;

/// The list, as far as it is said and understood.
#[derive(Debug, Clone, Default)]
pub(crate) enum OpenedFrom {
    /// None is said: all exchanges, newest first.
    #[default]
    All,
    List(Box<Asked>),
    NotUnderstood,
}

impl OpenedFrom {
    /// The parameter's name.
    pub(crate) const NAME: &str = "in";

    /// Takes it out of the other parameters.
    pub(crate) fn taken(query: Vec<(String, String)>) -> (Self, Vec<(String, String)>) {
        let (own, rest): (Vec<_>, Vec<_>) =
            query.into_iter().partition(|(name, _)| name == Self::NAME);
        let from = match own.last() {
            None => Self::All,
            Some((_, value)) if value.is_empty() => Self::All,
            Some((_, value)) => Self::read(value).unwrap_or(Self::NotUnderstood),
        };
        (from, rest)
    }

    fn read(query: &str) -> Option<Self> {
        let uri: Uri = format!("/?{query}").parse().ok()?;
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(&uri).ok()?;
        let asked = Asked::parse(&pairs).and_then(Asked::understood).ok()?;
        let asked = asked.at_first();
        Some(if asked == Asked::default() {
            Self::All
        } else {
            Self::List(Box::new(asked))
        })
    }

    /// The list, where it is one of its own.
    pub(crate) fn list(&self) -> Option<&Asked> {
        match self {
            Self::List(asked) => Some(asked),
            Self::All | Self::NotUnderstood => None,
        }
    }

    /// What an exchange's address has behind its number, from the question mark.
    pub(crate) fn suffix(&self) -> String {
        self.list().map_or_else(String::new, suffix)
    }
}

/// The same for an exchange in this list.
pub(crate) fn suffix(list: &Asked) -> String {
    match list.at_first().query().strip_prefix('?') {
        Some(query) => format!("?{}={}", OpenedFrom::NAME, encoded(query)),
        None => String::new(),
    }
}
