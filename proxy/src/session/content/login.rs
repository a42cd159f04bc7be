//! What a login asks for.

use parallax_codec::Request;
use parallax_codec::commands::ClientVersion;

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

pub(super) fn login_of(request: &Request) -> Option<Login> {
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
