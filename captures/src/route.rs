//! The name of a way through parallax.

use std::sync::Arc;

use crate::limits::ROUTE_NAME_BYTES;

/// A route's name: ASCII letters, digits, `-`, `_` and `.`, at most
/// [`ROUTE_NAME_BYTES`], so that it needs no quoting in an expression, an address or a
/// label.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RouteName(Arc<str>);

impl RouteName {
    /// The name, if it can be one.
    ///
    /// # Errors
    /// A sentence that says what a name is made of.
    pub fn new(name: &str) -> Result<Self, String> {
        let is_usual =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if name.is_empty() || name.len() > ROUTE_NAME_BYTES || !name.bytes().all(is_usual) {
            return Err(format!(
                "a route's name has 1 to {ROUTE_NAME_BYTES} letters (A to Z, a to z), digits, -, _ and ."
            ));
        }
        Ok(Self(name.into()))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RouteName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_needs_no_quoting() {
        let longest = "a".repeat(ROUTE_NAME_BYTES);
        for name in ["east", "node-1", "a.b_C", longest.as_str()] {
            assert_eq!(RouteName::new(name).unwrap().as_str(), name);
        }
        let longer = format!("{longest}a");
        for name in ["", "two words", "\u{e4}", "a/b", "a\"", longer.as_str()] {
            assert!(RouteName::new(name).is_err(), "{name}");
        }
    }
}
