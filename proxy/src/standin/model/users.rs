//! Logins: the root user, personal access tokens, HTTP's access tokens.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use parallax_codec::commands::{
    CreatePersonalAccessToken, LoginUser, PersonalAccessToken, RawPersonalAccessToken,
};
use parallax_codec::primitives::Secret;

use super::entropy::Entropy;
use super::refusal::Refusal;
use crate::limits::{STANDIN_ACCESS_TOKENS, STANDIN_PERSONAL_ACCESS_TOKENS};

/// The root user's number on server 0.8.0; the stand-in has no other user.
pub(super) const ROOT: u32 = 0;

/// How long an access token is good, in microseconds: an hour, as on server 0.8.0.
const ACCESS_TOKEN_LIFE_US: u64 = 3_600_000_000;

/// From `iggy_common` 0.10.0, `defaults.rs`.
const USERNAME_LENGTH: RangeInclusive<usize> = 3..=50;
const PASSWORD_LENGTH: RangeInclusive<usize> = 3..=100;

/// Who may log in, and with what.
pub(super) struct Users {
    username: String,
    password: Secret,
    tokens: Vec<Token>,
    access_tokens: VecDeque<(Secret, u64)>,
}

struct Token {
    name: String,
    secret: Secret,
    /// In microseconds since 1970.
    expires_at: Option<u64>,
}

impl Users {
    /// The root user alone.
    pub(super) fn new(username: String, password: Secret) -> Self {
        Self {
            username,
            password,
            tokens: Vec::new(),
            access_tokens: VecDeque::new(),
        }
    }

    /// By name and password.
    pub(super) fn log_in(&self, login: &LoginUser) -> Result<u32, Refusal> {
        if login.username == self.username && login.password == self.password {
            Ok(ROOT)
        } else {
            Err(Refusal::invalid_credentials())
        }
    }

    /// By personal access token.
    pub(super) fn log_in_with_token(&self, secret: &Secret, now: u64) -> Result<u32, Refusal> {
        let mut tokens = self.tokens.iter();
        let Some(token) = tokens.find(|token| token.secret == *secret) else {
            return Err(Refusal::resource_not_found("***"));
        };
        if token.expires_at.is_some_and(|expiry| expiry <= now) {
            return Err(Refusal::token_expired(&token.name, ROOT));
        }
        Ok(ROOT)
    }

    /// Makes a personal access token, and tells it this once.
    pub(super) fn create_token(
        &mut self,
        request: CreatePersonalAccessToken,
        entropy: &mut Entropy,
        now: u64,
    ) -> Result<RawPersonalAccessToken, Refusal> {
        if self.tokens.len() >= STANDIN_PERSONAL_ACCESS_TOKENS {
            return Err(Refusal::too_many_tokens(
                ROOT,
                STANDIN_PERSONAL_ACCESS_TOKENS,
            ));
        }
        if self.tokens.iter().any(|token| token.name == request.name) {
            return Err(Refusal::token_exists(&request.name, ROOT));
        }
        let secret = new_secret(entropy);
        let expires = !matches!(request.expiry, 0 | u64::MAX);
        self.tokens.push(Token {
            name: request.name,
            secret: secret.clone(),
            expires_at: expires.then(|| now.saturating_add(request.expiry)),
        });
        Ok(RawPersonalAccessToken { token: secret })
    }

    pub(super) fn delete_token(&mut self, name: &str) -> Result<(), Refusal> {
        let place = self.tokens.iter().position(|token| token.name == name);
        let place = place.ok_or_else(|| Refusal::resource_not_found(name))?;
        self.tokens.remove(place);
        Ok(())
    }

    /// The tokens by name, in the order of their names.
    pub(super) fn tokens(&self) -> Vec<PersonalAccessToken> {
        let tokens = self.tokens.iter().map(|token| PersonalAccessToken {
            name: token.name.clone(),
            expiry_at: token.expires_at.unwrap_or(0),
        });
        let mut tokens: Vec<_> = tokens.collect();
        tokens.sort_by(|one, other| one.name.cmp(&other.name));
        tokens
    }

    /// Makes an access token for HTTP, good until the time returned, in
    /// microseconds since 1970. At the limit the oldest one is forgotten.
    pub(super) fn issue_access_token(&mut self, entropy: &mut Entropy, now: u64) -> (Secret, u64) {
        let token = (
            new_secret(entropy),
            now.saturating_add(ACCESS_TOKEN_LIFE_US),
        );
        if self.access_tokens.len() >= STANDIN_ACCESS_TOKENS {
            self.access_tokens.pop_front();
        }
        self.access_tokens.push_back(token.clone());
        token
    }

    /// Whether HTTP may be asked with this token.
    pub(super) fn is_access_token_good(&self, token: &str, now: u64) -> bool {
        let mut tokens = self.access_tokens.iter();
        tokens.any(|(secret, expiry)| secret.reveal() == token && now < *expiry)
    }
}

/// TCP refuses what cannot be a name or a password before it looks for the user;
/// HTTP looks for the user.
pub(super) fn check_lengths(login: &LoginUser) -> Result<(), Refusal> {
    if !USERNAME_LENGTH.contains(&login.username.len()) {
        return Err(Refusal::invalid_username());
    }
    if !PASSWORD_LENGTH.contains(&login.password.reveal().len()) {
        return Err(Refusal::invalid_password());
    }
    Ok(())
}

fn new_secret(entropy: &mut Entropy) -> Secret {
    Secret::new(format!(
        "{:032x}{:032x}",
        entropy.next_u128(),
        entropy.next_u128()
    ))
}

#[cfg(test)]
mod tests {
    use super::{ACCESS_TOKEN_LIFE_US, Users};
    use crate::limits::STANDIN_ACCESS_TOKENS;
    use crate::standin::model::entropy::Entropy;
    use parallax_codec::primitives::Secret;

    #[test]
    fn an_access_token_is_good_for_an_hour_or_until_there_are_too_many() {
        let mut users = Users::new("iggy".to_owned(), Secret::new("iggy"));
        let mut entropy = Entropy::new();
        let tokens = (0..=STANDIN_ACCESS_TOKENS).map(|_| users.issue_access_token(&mut entropy, 1));
        let tokens: Vec<_> = tokens.map(|(token, _)| token).collect();
        let is_good = |n: usize, now| users.is_access_token_good(tokens[n].reveal(), now);
        assert!(!is_good(0, 1), "the oldest is forgotten");
        assert!(is_good(1, ACCESS_TOKEN_LIFE_US));
        assert!(!is_good(1, ACCESS_TOKEN_LIFE_US + 1));
    }
}
