//! What tells one request from another.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use parallax_codec::Request;
use serde_json::Value;

use super::rules::{Applying, Rules};
use super::view;
use crate::exchange::{Content, Exchange};

/// What a request asks, as two numbers that two requests share where they ask the
/// same. Neither dialect nor SDK is in them, nor what rules ignore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The command and everything in it.
    pub(super) exact: u64,
    /// The command and what it is about: stream, topic, consumer ...
    pub(super) about: u64,
    /// Whether SDKs send it of themselves at any time, so that its place says nothing.
    pub(super) is_the_sdks_own: bool,
}

/// What SDKs send without being asked: to see whether the server is there, and who
/// leads.
const SDKS_OWN: [&str; 2] = ["get_cluster_metadata", "ping"];

/// Fields that name what a command is about. The partition is not among them: who
/// names none is answered from one of the server's choice, and one SDK names what
/// another leaves to the server.
const ABOUT: [&str; 10] = [
    "consumer",
    "consumer_kind",
    "group",
    "method",
    "name",
    "stream",
    "target",
    "topic",
    "user",
    "username",
];

impl RequestKey {
    /// The key of an exchange's request.
    pub fn of(exchange: &Exchange, rules: &Rules) -> Self {
        let command = command(exchange);
        let mut asked = view::request(exchange);
        if let Some(user) = user_of_login(exchange) {
            asked = user;
        }
        let commands = [command.clone(), exchange.command()];
        if let (Content::Http(_), Some(_)) = (&exchange.content, exchange.poll()) {
            // A poll is what it asks, whatever the order of its parameters.
            asked["target"] = Value::Null;
        }
        strip("request", &mut asked, &rules.of(&commands));
        let about: Vec<_> = ABOUT.iter().map(|name| asked.get(name)).collect();
        Self {
            exact: hashed(&command, &asked),
            about: hashed(&command, &about),
            is_the_sdks_own: SDKS_OWN.contains(&&*command),
        }
    }

    /// A number that two requests share where they ask the same.
    pub const fn exact(self) -> u64 {
        self.exact
    }

    /// A number that two requests share where they are of one command and about the
    /// same stream, topic, consumer ...
    pub const fn about(self) -> u64 {
        self.about
    }
}

/// The command, under one name for what the dialects call differently.
fn command(exchange: &Exchange) -> Cow<'static, str> {
    let name = exchange.command();
    match &*name {
        "login_user" | "login_register" => "login".into(),
        "login_with_personal_access_token" | "login_register_with_pat" => "login_by_token".into(),
        "poll_messages_on_primary" => "poll_messages".into(),
        _ => name,
    }
}

/// Of a login, who it is; what it says of the SDK may differ.
fn user_of_login(exchange: &Exchange) -> Option<Value> {
    let Content::Binary(content) = &exchange.content else {
        return None;
    };
    let user = |name: &str| Some(serde_json::json!({ "username": name }));
    match &content.request {
        Some(Request::LoginUser(login)) => user(&login.username),
        Some(Request::LoginRegister(login)) => user(&login.username),
        Some(Request::LoginWithPersonalAccessToken(_) | Request::LoginRegisterWithPat(_)) => {
            Some(Value::Null)
        }
        _ => None,
    }
}

/// Takes out what rules ignore.
fn strip(path: &str, value: &mut Value, rules: &Applying<'_>) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, value| {
                let path = format!("{path}.{name}");
                let is_compared = rules.ignoring(&path).is_none();
                if is_compared {
                    strip(&path, value, rules);
                }
                is_compared
            });
        }
        Value::Array(items) => {
            for (index, value) in items.iter_mut().enumerate() {
                strip(&format!("{path}[{index}]"), value, rules);
            }
        }
        _ => {}
    }
}

fn hashed(command: &str, asked: &impl serde::Serialize) -> u64 {
    let mut hasher = DefaultHasher::new();
    command.hash(&mut hasher);
    // A tree of JSON can always be written, its names in order.
    serde_json::to_string(asked)
        .unwrap_or_default()
        .hash(&mut hasher);
    hasher.finish()
}
