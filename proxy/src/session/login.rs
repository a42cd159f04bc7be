//! What a login asks for.

use parallax_captures::decoding::{AnyFrame, command_of};
use parallax_codec::commands::ClientVersion;
use parallax_codec::{Body, Request, request_may_carry_secrets};

use crate::credentials::Credentials;

/// A login, whether or not it succeeds.
#[derive(Debug, Clone)]
pub(crate) struct Login {
    /// The user; a token names none.
    pub(crate) user: Option<String>,
    /// What the client says of itself.
    pub(crate) version: Option<String>,
    /// To ask HTTP as the same user.
    pub(crate) credentials: Credentials,
}

/// The login that a request asks for, read from what came: what is kept is
/// masked.
pub(super) fn login_of(request: &AnyFrame) -> Option<Login> {
    let (dialect, code) = command_of(request);
    match request.body() {
        Body::Whole(body) if request_may_carry_secrets(code) => {
            let request = Request::decode(dialect, code, body).ok()?;
            asked_for(&request)
        }
        _ => None,
    }
}

fn asked_for(request: &Request) -> Option<Login> {
    match request {
        Request::LoginUser(login) => Some(Login {
            user: Some(login.username.clone()),
            version: joined(&[login.version.as_deref(), login.context.as_deref()]),
            credentials: Credentials::Password {
                username: login.username.clone(),
                password: login.password.reveal().to_owned(),
            },
        }),
        Request::LoginWithPersonalAccessToken(login) => Some(Login {
            user: None,
            version: None,
            credentials: Credentials::Token(login.token.reveal().to_owned()),
        }),
        Request::LoginRegister(login) => Some(Login {
            user: Some(login.username.clone()),
            version: joined(&[Some(&sdk(&login.version)), login.context.as_deref()]),
            credentials: Credentials::Password {
                username: login.username.clone(),
                password: login.password.reveal().to_owned(),
            },
        }),
        Request::LoginRegisterWithPat(login) => Some(Login {
            user: None,
            version: joined(&[Some(&sdk(&login.version)), login.context.as_deref()]),
            credentials: Credentials::Token(login.token.reveal().to_owned()),
        }),
        _ => None,
    }
}

/// What a VSR client says of its version.
pub(crate) fn sdk(version: &ClientVersion) -> String {
    let ClientVersion {
        protocol,
        sdk_name,
        sdk_version,
    } = version;
    format!("{sdk_name} {sdk_version}, protocol {protocol}")
}

fn joined(parts: &[Option<&str>]) -> Option<String> {
    let parts: Vec<_> = parts.iter().copied().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
