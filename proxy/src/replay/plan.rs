//! Which requests of a capture are sent again, and as what.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use parallax_captures::{BinaryContent, ConnectionId, Content, Dialect, Exchange};
use parallax_codec::commands::{
    LoginRegister, LoginRegisterWithPat, LoginUser, LoginWithPersonalAccessToken,
};
use parallax_codec::primitives::Secret;
use parallax_codec::{Effect, Encode as _, Request, classic, vsr};

/// Who logs in, in place of those whose passwords and tokens are masked.
#[derive(Debug, Clone, Default)]
pub struct Logins {
    /// The user, where it is not to be the captured one.
    pub user: Option<String>,
    /// The password.
    pub password: Option<Secret>,
    /// The personal access token.
    pub token: Option<Secret>,
}

/// A request that is to be sent.
#[derive(Debug, Clone)]
pub struct Step {
    /// What was captured.
    pub captured: Arc<Exchange>,
    /// The command's code.
    pub code: u32,
    /// The body, secrets and all: never shown.
    body: Secretive,
    /// How long after the first request of the capture it was asked.
    pub after: Duration,
}

/// Bytes that may hold a password.
#[derive(Clone)]
struct Secretive(Bytes);

impl std::fmt::Debug for Secretive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

/// Why a captured request is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotSent {
    /// It changes something: this; and that was not allowed.
    Writes(&'static str),
    /// It is not known what it is, or it is not there whole.
    Undecoded,
    /// It holds a password that is masked in the capture, and that no other can stand
    /// for.
    Masked,
    /// It is a login, and no password was given.
    NoPassword,
    /// It is a login by token, and no token was given.
    NoToken,
    /// It is HTTP.
    Http,
}

impl std::fmt::Display for NotSent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Writes(what) => write!(f, "{what}; --allow-writes sends it"),
            Self::Undecoded => f.write_str("it could not be decoded"),
            Self::Masked => f.write_str("the password in it is masked in the capture"),
            Self::NoPassword => f.write_str(
                "its password is masked in the capture; PARALLAX_REPLAY_PASSWORD gives one",
            ),
            Self::NoToken => {
                f.write_str("its token is masked in the capture; PARALLAX_REPLAY_TOKEN gives one")
            }
            Self::Http => f.write_str("it is HTTP, which is not played to a server"),
        }
    }
}

/// What is sent, and what is not.
#[derive(Debug, Default)]
pub struct Plan {
    /// Requests to send, in the order in which they were asked.
    pub steps: Vec<Step>,
    /// Requests that are not sent, and why.
    pub not_sent: Vec<(Arc<Exchange>, NotSent)>,
}

impl Plan {
    /// What becomes of these exchanges, which are in the order in which they were
    /// asked.
    pub fn of(exchanges: &[Arc<Exchange>], logins: &Logins, allow_writes: bool) -> Self {
        let mut plan = Self::default();
        let mut begun = None;
        for exchange in exchanges {
            let content = match &exchange.content {
                Content::Binary(content) => content,
                Content::Http(_) => {
                    plan.not_sent.push((Arc::clone(exchange), NotSent::Http));
                    continue;
                }
                // Nobody asked for it.
                Content::Unsolicited(_) => continue,
            };
            let first = *begun.get_or_insert(exchange.times.request_first);
            match body(exchange, content, logins, allow_writes) {
                Ok(body) => plan.steps.push(Step {
                    captured: Arc::clone(exchange),
                    code: content.code,
                    body: Secretive(body),
                    after: between(first, exchange.times.request_first),
                }),
                Err(why) => plan.not_sent.push((Arc::clone(exchange), why)),
            }
        }
        plan
    }

    /// Connections that the requests to send were captured on.
    pub fn connections(&self) -> usize {
        let mut connections: Vec<ConnectionId> =
            self.steps.iter().map(|step| step.captured.conn).collect();
        connections.sort_unstable();
        connections.dedup();
        connections.len()
    }
}

impl Step {
    /// The body to send.
    pub(super) const fn body(&self) -> &Bytes {
        &self.body.0
    }
}

fn between(first: Timestamp, then: Timestamp) -> Duration {
    then.duration_since(first)
        .try_into()
        .unwrap_or(Duration::ZERO)
}

/// The body to send.
fn body(
    exchange: &Exchange,
    content: &BinaryContent,
    logins: &Logins,
    allow_writes: bool,
) -> Result<Bytes, NotSent> {
    let Some(request) = &content.request else {
        return Err(NotSent::Undecoded);
    };
    if matches!(request, Request::Other { .. }) {
        return Err(NotSent::Undecoded);
    }
    if let (Effect::Writes(what), false) = (request.effect(), allow_writes) {
        return Err(NotSent::Writes(what));
    }
    let header = match exchange.dialect {
        Dialect::Vsr => vsr::HEADER_SIZE,
        Dialect::Classic | Dialect::Http => classic::FRAME_HEADER_SIZE,
    };
    let captured = content
        .request_frame
        .slice(header.min(content.request_frame.len())..);
    // A login that was refused is to be refused again: its mask is no password.
    let was_refused = exchange.is_refused();
    let login = match request {
        Request::LoginUser(_)
        | Request::LoginRegister(_)
        | Request::LoginWithPersonalAccessToken(_)
        | Request::LoginRegisterWithPat(_)
            if was_refused =>
        {
            return Ok(captured);
        }
        Request::LoginUser(login) => Request::LoginUser(LoginUser {
            username: logins.user_or(&login.username),
            password: logins.password()?,
            ..login.clone()
        }),
        Request::LoginRegister(login) => Request::LoginRegister(LoginRegister {
            username: logins.user_or(&login.username),
            password: logins.password()?,
            ..login.clone()
        }),
        Request::LoginWithPersonalAccessToken(_) => {
            let token = logins.token()?;
            Request::LoginWithPersonalAccessToken(LoginWithPersonalAccessToken { token })
        }
        Request::LoginRegisterWithPat(login) => {
            Request::LoginRegisterWithPat(LoginRegisterWithPat {
                token: logins.token()?,
                ..login.clone()
            })
        }
        Request::CreateUser(_) | Request::ChangePassword(_) => return Err(NotSent::Masked),
        _ => return Ok(captured),
    };
    Ok(login.encode())
}

impl Logins {
    fn user_or(&self, captured: &str) -> String {
        self.user.clone().unwrap_or_else(|| captured.to_owned())
    }

    fn password(&self) -> Result<Secret, NotSent> {
        self.password.clone().ok_or(NotSent::NoPassword)
    }

    fn token(&self) -> Result<Secret, NotSent> {
        self.token.clone().ok_or(NotSent::NoToken)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::offline::read_capture;

    fn recorded(name: &str) -> Vec<Arc<Exchange>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join("../captures/recorded").join(name);
        read_capture(&path).unwrap().exchanges
    }

    fn logins() -> Logins {
        Logins {
            password: Some(Secret::new("iggy")),
            ..Logins::default()
        }
    }

    fn not_sent(plan: &Plan) -> Vec<(String, NotSent)> {
        let told =
            |(exchange, why): &(Arc<Exchange>, NotSent)| (exchange.command().into_owned(), *why);
        plan.not_sent.iter().map(told).collect()
    }

    #[test]
    fn what_writes_is_sent_where_that_is_allowed_alone() {
        for folder in ["server-0.8.0_sdk-0.10.0", "server-0.9-edge_sdk-0.11-edge"] {
            let exchanges = recorded(&format!("{folder}/polls.pcap"));
            let plan = Plan::of(&exchanges, &logins(), false);
            let commands: Vec<_> = not_sent(&plan).into_iter().map(|(name, _)| name).collect();
            assert_eq!(commands.len(), 14, "{commands:?}");
            let writes = [
                "poll_messages",
                "store_consumer_offset",
                "delete_consumer_offset",
            ];
            assert!(commands.iter().all(|name| writes.contains(&name.as_str())));
            let plan = Plan::of(&exchanges, &logins(), true);
            assert!(plan.not_sent.is_empty());
            assert_eq!(plan.steps.len(), exchanges.len());
            assert_eq!(plan.connections(), 1);
        }
    }

    #[test]
    fn a_login_takes_the_given_password_and_one_that_was_refused_is_refused_again() {
        let exchanges = recorded("server-0.9-edge_sdk-0.11-edge/admin.pcap");
        let given = Logins {
            user: Some("root".to_owned()),
            password: Some(Secret::new("canary")),
            token: None,
        };
        let plan = Plan::of(&exchanges, &given, true);
        let logins: Vec<_> = plan.steps.iter().filter(|step| step.code == 40).collect();
        let (good, bad) = (&logins[0], logins.last().unwrap());
        assert_eq!(good.captured.status(), Some(0));
        let has = |step: &Step, text: &[u8]| {
            let mut parts = step.body().windows(text.len());
            parts.any(|part| part == text)
        };
        assert!(has(good, b"\x04root\x06canary"));
        assert!(bad.captured.is_refused());
        assert!(has(bad, b"\x04iggy\x05*****") && !has(bad, b"canary"));
        assert!(!format!("{plan:?}").contains("canary"));
        let without = Plan::of(&exchanges, &Logins::default(), true);
        for (command, why) in [
            ("login_register", NotSent::NoPassword),
            ("login_register_with_pat", NotSent::NoToken),
            ("create_user", NotSent::Masked),
            ("change_password", NotSent::Masked),
        ] {
            assert!(
                not_sent(&without).contains(&(command.to_owned(), why)),
                "{command}"
            );
        }
    }

    #[test]
    fn http_is_not_sent() {
        let exchanges = recorded("http_server-0.8.0/http.pcap");
        let plan = Plan::of(&exchanges, &logins(), true);
        assert!(plan.steps.is_empty());
        assert_eq!(plan.not_sent.len(), exchanges.len());
        assert!(plan.not_sent.iter().all(|(_, why)| *why == NotSent::Http));
    }
}
