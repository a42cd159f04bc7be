//! What a client logged in with: kept in memory, to ask HTTP as the same user.

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

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Password { username, .. } => write!(f, "password of {username}"),
            Self::Token(_) => f.write_str("personal access token"),
        }
    }
}
