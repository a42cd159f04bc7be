//! Shapes of users, logins and tokens.

use super::part::{Part, Parts, flag, given, group, kind, name, secret, text, to_end, u32, u64};
use super::primitives::{OPTIONAL_PERMISSIONS, OPTIONS, PERMISSIONS, SIZED_OPTIONS, identifier};
use crate::commands::users::status_name;

const USER: Part = identifier("user");
const USERNAME: Part = name("username_length", "username");
const PASSWORD: Part = secret("password_length", "password", 0);
const STATUS: Part = kind("status", status_name);

pub(super) const USER_REF: Parts = &[USER];

pub(super) const CREATE_CLASSIC: Parts = &CREATE;

pub(super) const CREATE_VSR: Parts = &{
    let [a, b, c, d, e] = CREATE;
    [a, b, c, d, e, OPTIONS]
};

const CREATE: [Part; 5] = {
    let [given, permissions] = OPTIONAL_PERMISSIONS;
    [USERNAME, PASSWORD, STATUS, given, permissions]
};

pub(super) const UPDATE_CLASSIC: Parts = &UPDATE;

pub(super) const UPDATE_VSR: Parts = &{
    let [a, b, c, d, e] = UPDATE;
    [a, b, c, d, e, OPTIONS]
};

const UPDATE: [Part; 5] = [
    USER,
    given("username_given"),
    Part::IfFlag {
        flag: "username_given",
        parts: &[USERNAME],
    },
    given("status_given"),
    Part::IfFlag {
        flag: "status_given",
        parts: &[STATUS],
    },
];

pub(super) const UPDATE_PERMISSIONS: Parts = &{
    let [given, permissions] = OPTIONAL_PERMISSIONS;
    [USER, given, permissions]
};

pub(super) const CHANGE_PASSWORD: Parts = &[
    USER,
    secret("current_password_length", "current_password", 0),
    secret("new_password_length", "new_password", 0),
];

const REPLY: [Part; 4] = [u32("id"), u64("created_at"), STATUS, USERNAME];

pub(super) const USERS_CLASSIC: Parts = &[to_end("users", &[group("user", &REPLY)])];

pub(super) const USERS_VSR: Parts = &[to_end("users", &[group("user", USER_VSR)])];

const USER_VSR: Parts = &{
    let [a, b, c, d] = REPLY;
    [a, b, c, d, SIZED_OPTIONS]
};

pub(super) const DETAILS_CLASSIC: Parts = &{
    let [a, b, c, d] = REPLY;
    [a, b, c, d, GRANTED]
};

pub(super) const DETAILS_VSR: Parts = &{
    let [a, b, c, d] = REPLY;
    [a, b, c, d, SIZED_OPTIONS, GRANTED]
};

/// Four zeros stand for no permissions.
const GRANTED: Part = Part::IfZero {
    zero: &[u32("permissions_given")],
    other: &[flag("permissions_given"), PERMISSIONS],
};

pub(super) const LOGIN: Parts = &[
    USERNAME,
    PASSWORD,
    text("version_length", "version"),
    text("context_length", "context"),
];

pub(super) const TOKEN: Parts = &[secret("token_length", "token", 1)];

pub(super) const IDENTITY: Parts = &[u32("user_id")];

const CLIENT_VERSION: [Part; 3] = [
    u32("protocol_version"),
    name("sdk_name_length", "sdk_name"),
    name("sdk_version_length", "sdk_version"),
];

pub(super) const LOGIN_REGISTER: Parts = &{
    let [a, b, c] = CLIENT_VERSION;
    [
        a,
        b,
        c,
        USERNAME,
        PASSWORD,
        text("context_length", "context"),
    ]
};

pub(super) const LOGIN_REGISTER_WITH_PAT: Parts = &{
    let [a, b, c] = CLIENT_VERSION;
    let token = secret("token_length", "token", 0);
    [a, b, c, token, text("context_length", "context")]
};

pub(super) const SESSION: Parts = &[
    u32("user_id"),
    u64("session"),
    u32("server_protocol_version"),
    name("server_version_length", "server_version"),
];

const TOKEN_NAME: Part = name("name_length", "name");

pub(super) const CREATE_TOKEN: Parts = &[TOKEN_NAME, u64("expiry")];
pub(super) const DELETE_TOKEN: Parts = &[TOKEN_NAME];
pub(super) const TOKENS: Parts = &[to_end(
    "tokens",
    &[group("token", &[TOKEN_NAME, u64("expiry_at")])],
)];
