//! Who may see the page.

mod attempts;
mod secret;
mod shown;

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::extract::Request;
use axum::http::HeaderValue;

use attempts::Attempts;
use secret::Secret;

use crate::limits::SIGN_IN_WINDOW;

pub(crate) use attempts::Attempt;
pub(crate) use shown::token as token_in;

/// Who may see the page: who was told the token that was made at the start, or who knows
/// the password.
#[derive(Debug)]
pub struct Access {
    kind: Kind,
    secret: Secret,
    /// What a browser keeps after signing in: not what was told.
    session: Secret,
    hosts: Vec<String>,
    attempts: Mutex<Attempts>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Token,
    Password,
}

impl Kind {
    /// The name in JSON, and what it is called.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Password => "password",
        }
    }
}

/// Why nobody can be let in.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The system has no source of random numbers.
    #[error("the system gives no random numbers to make a token of: {0}")]
    NoRandom(#[from] getrandom::Error),
    /// A password that everybody knows.
    #[error("the page's password is empty; give one, or none at all for a random token")]
    EmptyPassword,
}

impl Access {
    /// With a random token, made now.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn with_token() -> Result<Self, AccessError> {
        let token = Secret::random()?;
        Self::new(Kind::Token, token, Vec::new())
    }

    /// With a password. The page may be served to other machines then, which reach it by
    /// its address, or by one of `hosts`: names with or without a port.
    ///
    /// # Errors
    /// The password is empty; the system has no random numbers.
    pub fn with_password(password: String, hosts: Vec<String>) -> Result<Self, AccessError> {
        if password.is_empty() {
            return Err(AccessError::EmptyPassword);
        }
        Self::new(Kind::Password, Secret::new(password), hosts)
    }

    fn new(kind: Kind, secret: Secret, hosts: Vec<String>) -> Result<Self, AccessError> {
        Ok(Self {
            kind,
            secret,
            session: Secret::random()?,
            hosts,
            attempts: Mutex::default(),
        })
    }

    /// The page's address, as the user is to open it: with the token, where there is one.
    pub fn address(&self, page: SocketAddr) -> String {
        match self.kind {
            Kind::Token => format!("http://{page}/?token={}", self.secret.reveal()),
            Kind::Password => format!("http://{page}/"),
        }
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    /// Names besides its own under which the page is reached.
    pub(crate) fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// Whether the page may be served to other machines.
    pub(crate) fn is_for_others(&self) -> bool {
        self.kind == Kind::Password
    }

    /// Whether a browser has signed in.
    pub(crate) fn has_session(&self, request: &Request, port: u16) -> bool {
        let name = cookie(port);
        let mut shown = shown::cookies(request.headers(), &name);
        shown.any(|value| self.session.is(value))
    }

    /// What the `Authorization` of a request comes to; `None` where it has none.
    pub(crate) fn authorized(&self, request: &Request) -> Option<Attempt> {
        let shown = shown::authorization(request.headers())?;
        Some(self.attempt(&shown))
    }

    /// Whether this is the token or password. A random token cannot be guessed, so that is
    /// never refused unheard.
    pub(crate) fn attempt(&self, said: &[u8]) -> Attempt {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let is_right = || self.secret.is(said);
        if self.kind == Kind::Password {
            let heard = attempts.hear(Instant::now(), is_right);
            if heard == Attempt::Wrong && attempts.is_full() {
                tracing::warn!(
                    "wrong passwords for the page, {} so far: no more are heard for {} seconds",
                    attempts.wrong,
                    SIGN_IN_WINDOW.as_secs()
                );
            }
            return heard;
        }
        if is_right() {
            return Attempt::Right;
        }
        attempts.wrong += 1;
        Attempt::Wrong
    }

    /// How many attempts were wrong, and how many were refused unheard.
    pub(crate) fn failed(&self) -> (u64, u64) {
        let attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        (attempts.wrong, attempts.refused)
    }

    /// What a browser that has signed in is to keep: no script reads it, no other site's
    /// page makes the browser send it. Cookies are shared by all ports of a host, so its
    /// name has the port.
    pub(crate) fn session_cookie(&self, port: u16) -> Option<HeaderValue> {
        let (name, session) = (cookie(port), self.session.reveal());
        let cookie = format!("{name}={session}; Path=/; HttpOnly; SameSite=Strict");
        let mut value = HeaderValue::from_str(&cookie).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

fn cookie(port: u16) -> String {
    format!("parallax-{port}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_secret_is_shown_but_in_the_address() {
        let password = Access::with_password("canary".to_owned(), Vec::new()).unwrap();
        assert!(!format!("{password:?}").contains("canary"));
        let page = "127.0.0.1:8191".parse().unwrap();
        assert_eq!(password.address(page), "http://127.0.0.1:8191/");
        let token = Access::with_token().unwrap();
        let address = token.address(page);
        let told = address
            .strip_prefix("http://127.0.0.1:8191/?token=")
            .unwrap();
        assert_eq!(token.attempt(told.as_bytes()), Attempt::Right);
        assert!(!format!("{token:?}").contains(told));
        let cookie = token.session_cookie(8191).unwrap();
        assert!(!cookie.to_str().unwrap().contains(told));
        assert!(!format!("{cookie:?}").contains("parallax"));
    }

    #[test]
    fn an_empty_password_is_none() {
        assert!(Access::with_password(String::new(), Vec::new()).is_err());
    }
}
