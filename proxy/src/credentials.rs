//! What a client logged in with: kept in memory, to ask HTTP as the same user.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

/// A login seen on the wire, or given by the user. Never printed: its `Debug`
/// shows the user name at most.
#[derive(Clone, PartialEq, Eq)]
pub enum Credentials {
    /// A user name and password.
    Password {
        /// The user.
        username: String,
        /// The password.
        password: String,
    },
    /// A personal access token.
    Token(String),
}

/// Tells one token from another, and nothing else of it: a hash with a key that is
/// made anew for each run and never leaves memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenMark(u64);

impl TokenMark {
    /// The mark of a token.
    pub fn of(token: &str) -> Self {
        static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        Self(KEY.hash_one(token))
    }
}

impl std::fmt::Debug for TokenMark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenMark(***)")
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Password { username, .. } => write!(f, "password of {username}"),
            Self::Token(_) => f.write_str("personal access token"),
        }
    }
}
