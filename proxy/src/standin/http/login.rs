//! Logins.

use std::sync::Arc;

use axum::extract::State;
use parallax_codec::commands::LoginUser;
use parallax_codec::primitives::Secret;
use serde::{Deserialize, Serialize};

use super::answers::{Answer, json};
use super::questions::JsonBody;
use crate::standin::model::Refusal;
use crate::standin::server::{Shared, now};

#[derive(Deserialize)]
pub(super) struct Password {
    username: String,
    password: String,
}

#[derive(Deserialize)]
pub(super) struct Token {
    token: String,
}

/// What a login gives: who, and the access token for what follows.
#[derive(Serialize)]
struct Identity {
    user_id: u32,
    access_token: AccessToken,
}

#[derive(Serialize)]
struct AccessToken {
    token: String,
    /// Seconds since 1970.
    expiry: u64,
}

pub(super) async fn with_password(
    State(shared): State<Arc<Shared>>,
    JsonBody(Password { username, password }): JsonBody<Password>,
) -> Answer {
    let login = LoginUser {
        username,
        password: Secret::new(password),
        version: None,
        context: None,
    };
    identity(shared.model().log_in_over_http(&login, now()))
}

pub(super) async fn with_token(
    State(shared): State<Arc<Shared>>,
    JsonBody(Token { token }): JsonBody<Token>,
) -> Answer {
    let token = Secret::new(token);
    identity(shared.model().log_in_over_http_with_token(&token, now()))
}

fn identity(result: Result<(Secret, u64), Refusal>) -> Answer {
    let (token, expiry) = result?;
    Ok(json(&Identity {
        user_id: 0,
        access_token: AccessToken {
            token: token.reveal().to_owned(),
            expiry: expiry / 1_000_000,
        },
    }))
}
