use std::sync::Arc;

use jiff::Timestamp;
use parallax_captures::{Connection, Dialect, Exchange, Layouts, Undecoded};

use super::Skew;
use crate::credentials::{Credentials, TokenMark};

/// What a session tells of its connection.
#[derive(Debug)]
pub enum SessionEvent {
    /// A request and its reply, a request that will have none, or a frame that
    /// nobody asked for.
    Exchange(Arc<Exchange>),
    /// The dialect is known now.
    Recognised(Dialect),
    /// More is known of the body layouts, or a frame contradicts an earlier one.
    Layouts(Layouts),
    /// From some byte on bytes are not decoded: for good, or up to the end of a
    /// frame that is too long to be gathered.
    Undecoded(Undecoded),
    /// Client and server frame differently, as the exchange before this showed.
    Skewed(Skew),
    /// A login succeeded.
    LoggedIn {
        /// The user's name; `None` for a token, which names none.
        user: Option<String>,
        /// Version and context that the client gave.
        version: Option<String>,
        /// The version that the server gave.
        server_version: Option<String>,
        /// To ask HTTP as the same user.
        credentials: Credentials,
    },
    /// A login by token was answered.
    TokenTried {
        /// When it was asked.
        time: Timestamp,
        /// Which token.
        token: TokenMark,
        /// Whether it was taken; otherwise it was refused as no valid token.
        accepted: bool,
    },
    /// A logout succeeded.
    LoggedOut,
}

impl SessionEvent {
    /// Writes down what this says of the connection itself.
    pub fn tell(&self, connection: &mut Connection) {
        match self {
            Self::Skewed(_) | Self::TokenTried { .. } => {}
            Self::Exchange(exchange) => connection.learn_server(exchange),
            Self::Recognised(dialect) => connection.dialect = Some(*dialect),
            Self::Layouts(layouts) => connection.layouts = layouts.clone(),
            // The first reason stands: what follows is often no more than its end.
            Self::Undecoded(undecoded) => {
                connection
                    .undecoded
                    .get_or_insert_with(|| undecoded.clone());
            }
            Self::LoggedIn {
                user,
                version,
                server_version,
                ..
            } => {
                connection.user.clone_from(user);
                connection.client_version.clone_from(version);
                if server_version.is_some() {
                    connection.server_version.clone_from(server_version);
                }
            }
            Self::LoggedOut => connection.user = None,
        }
    }
}
