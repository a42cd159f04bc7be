//! Whom the mirror asks as: tokens in memory, one for each user.

use std::time::Duration;

use parallax_captures::http_poll::parse_refusal;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::client::Reply;
use super::pace::Backoff;
use crate::credentials::Credentials;
use crate::limits::MIRROR_USERS;

/// An access token. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("token")
    }
}

/// The users that were asked as lately.
#[derive(Debug)]
pub(super) struct Users {
    users: Vec<User>,
    backoff: (Duration, Duration),
}

#[derive(Debug)]
pub(super) struct User {
    credentials: Credentials,
    pub(super) token: Option<Token>,
    /// Why HTTP did not let this user in, the last time.
    pub(super) refusal: Option<String>,
    pub(super) backoff: Backoff,
}

impl Users {
    pub(super) fn new(backoff: (Duration, Duration)) -> Self {
        Self {
            users: Vec::new(),
            backoff,
        }
    }

    /// The user with these credentials, the latest used last. The one that was
    /// not used for longest is forgotten, and logs in again when needed.
    pub(super) fn user(&mut self, credentials: &Credentials) -> &mut User {
        let known = self
            .users
            .iter()
            .position(|user| user.credentials == *credentials);
        let user = match known {
            Some(index) => self.users.remove(index),
            None => User {
                credentials: credentials.clone(),
                token: None,
                refusal: None,
                backoff: Backoff::new(self.backoff),
            },
        };
        if self.users.len() >= MIRROR_USERS {
            self.users.remove(0);
        }
        self.users.push(user);
        let last = self.users.len() - 1;
        &mut self.users[last]
    }
}

impl User {
    /// HTTP does not let the user in. Gives how long it is until the next attempt.
    pub(super) fn refused(&mut self, now: Instant, why: &str) -> Duration {
        self.refusal = Some(why.to_owned());
        self.failed(now, why)
    }

    /// The user cannot be asked as, until the back-off is over: how long that is.
    pub(super) fn failed(&mut self, now: Instant, why: &str) -> Duration {
        self.token = None;
        self.backoff.failed(now, why, None)
    }
}

/// Path and body of a login.
pub(super) fn login(credentials: &Credentials) -> (&'static str, Value) {
    match credentials {
        Credentials::Password { username, password } => (
            "/users/login",
            json!({ "username": username, "password": password }),
        ),
        Credentials::Token(token) => ("/personal-access-tokens/login", json!({ "token": token })),
    }
}

/// The token in the answer to a login.
///
/// # Errors
/// Why there is none; never a part of the body, which may hold one.
pub(super) fn token(credentials: &Credentials, reply: &Reply) -> Result<Token, String> {
    #[derive(Deserialize)]
    struct Identity {
        access_token: AccessToken,
    }
    #[derive(Deserialize)]
    struct AccessToken {
        token: String,
    }
    if reply.status == 200 {
        let identity = serde_json::from_slice::<Identity>(&reply.body);
        return identity.map(|identity| Token(identity.access_token.token)).map_err(|_| {
            "HTTP answered the login with something that holds no token. Is this the HTTP address \
             of the same server?"
                .to_owned()
        });
    }
    // Without the text: a server may repeat in it what it was sent.
    let code = parse_refusal(reply.status, &reply.body).ok();
    let name = code.and_then(|refusal| refusal.code);
    let name = name.map_or_else(String::new, |code| format!(", {code}"));
    let status = reply.status;
    Err(format!(
        "HTTP refuses the login with the {credentials:?}: HTTP {status}{name}. Give credentials that \
         HTTP takes (--http-user)"
    ))
}
