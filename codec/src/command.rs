//! The command table: code, name, dialects, versions.

use crate::dialect::Dialect;

/// A command that some known version of the protocol has.
///
/// Codes and names are those of `iggy_binary_protocol` 0.10.0 (classic) and
/// 0.11.0 (VSR), `codes.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Command {
    /// The number on the wire.
    pub code: u32,
    /// The name in JSON, on the page and in filters.
    pub name: &'static str,
    /// The dialects that have it, and since when.
    pub versions: Versions,
}

/// In each dialect the earliest release in whose table a command was seen; `None`
/// where no known version has it.
///
/// Older releases may have had it: of each dialect one release of the crate has been
/// published with a table to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Versions {
    /// In the classic dialect.
    pub classic: Option<Release>,
    /// In the VSR dialect.
    pub vsr: Option<Release>,
}

/// A release of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Release {
    /// Version of the crate `iggy_binary_protocol`.
    pub protocol: &'static str,
    /// Version of the server that speaks it.
    pub server: &'static str,
}

impl Command {
    /// Whether some known version of the dialect has it.
    pub const fn is_in(&self, dialect: Dialect) -> bool {
        self.since(dialect).is_some()
    }

    /// The earliest release of the dialect that is known to have it.
    pub const fn since(&self, dialect: Dialect) -> Option<Release> {
        match dialect {
            Dialect::Classic => self.versions.classic,
            Dialect::Vsr => self.versions.vsr,
        }
    }

    /// The command with this code, if any known version has it.
    pub fn from_code(code: u32) -> Option<&'static Self> {
        let index = COMMANDS.binary_search_by_key(&code, |command| command.code);
        index.ok().map(|index| &COMMANDS[index])
    }
}

/// Codes by name, for code that speaks of one command.
pub mod code {
    /// `ping`.
    pub const PING: u32 = 1;
    /// `get_stats`.
    pub const GET_STATS: u32 = 10;
    /// `get_snapshot_file`.
    pub const GET_SNAPSHOT_FILE: u32 = 11;
    /// `get_cluster_metadata`.
    pub const GET_CLUSTER_METADATA: u32 = 12;
    /// `describe_options`.
    pub const DESCRIBE_OPTIONS: u32 = 13;
    /// `attach_consumer_session`.
    pub const ATTACH_CONSUMER_SESSION: u32 = 14;
    /// `get_me`.
    pub const GET_ME: u32 = 20;
    /// `get_client`.
    pub const GET_CLIENT: u32 = 21;
    /// `get_clients`.
    pub const GET_CLIENTS: u32 = 22;
    /// `get_user`.
    pub const GET_USER: u32 = 31;
    /// `get_users`.
    pub const GET_USERS: u32 = 32;
    /// `create_user`.
    pub const CREATE_USER: u32 = 33;
    /// `delete_user`.
    pub const DELETE_USER: u32 = 34;
    /// `update_user`.
    pub const UPDATE_USER: u32 = 35;
    /// `update_permissions`.
    pub const UPDATE_PERMISSIONS: u32 = 36;
    /// `change_password`.
    pub const CHANGE_PASSWORD: u32 = 37;
    /// `login_user`.
    pub const LOGIN_USER: u32 = 38;
    /// `logout_user`.
    pub const LOGOUT_USER: u32 = 39;
    /// `login_register`.
    pub const LOGIN_REGISTER: u32 = 40;
    /// `get_personal_access_tokens`.
    pub const GET_PERSONAL_ACCESS_TOKENS: u32 = 41;
    /// `create_personal_access_token`.
    pub const CREATE_PERSONAL_ACCESS_TOKEN: u32 = 42;
    /// `delete_personal_access_token`.
    pub const DELETE_PERSONAL_ACCESS_TOKEN: u32 = 43;
    /// `login_with_personal_access_token`.
    pub const LOGIN_WITH_PERSONAL_ACCESS_TOKEN: u32 = 44;
    /// `login_register_with_pat`.
    pub const LOGIN_REGISTER_WITH_PAT: u32 = 45;
    /// `poll_messages`.
    pub const POLL_MESSAGES: u32 = 100;
    /// `send_messages`.
    pub const SEND_MESSAGES: u32 = 101;
    /// `flush_unsaved_buffer`.
    pub const FLUSH_UNSAVED_BUFFER: u32 = 102;
    /// `get_poll_routing`.
    pub const GET_POLL_ROUTING: u32 = 103;
    /// `poll_messages_on_primary`.
    pub const POLL_MESSAGES_ON_PRIMARY: u32 = 104;
    /// `get_consumer_offset`.
    pub const GET_CONSUMER_OFFSET: u32 = 120;
    /// `store_consumer_offset`.
    pub const STORE_CONSUMER_OFFSET: u32 = 121;
    /// `delete_consumer_offset`.
    pub const DELETE_CONSUMER_OFFSET: u32 = 122;
    /// `get_consumer_offset_routing`.
    pub const GET_CONSUMER_OFFSET_ROUTING: u32 = 123;
    /// `get_stream`.
    pub const GET_STREAM: u32 = 200;
    /// `get_streams`.
    pub const GET_STREAMS: u32 = 201;
    /// `create_stream`.
    pub const CREATE_STREAM: u32 = 202;
    /// `delete_stream`.
    pub const DELETE_STREAM: u32 = 203;
    /// `update_stream`.
    pub const UPDATE_STREAM: u32 = 204;
    /// `purge_stream`.
    pub const PURGE_STREAM: u32 = 205;
    /// `get_topic`.
    pub const GET_TOPIC: u32 = 300;
    /// `get_topics`.
    pub const GET_TOPICS: u32 = 301;
    /// `create_topic`.
    pub const CREATE_TOPIC: u32 = 302;
    /// `delete_topic`.
    pub const DELETE_TOPIC: u32 = 303;
    /// `update_topic`.
    pub const UPDATE_TOPIC: u32 = 304;
    /// `purge_topic`.
    pub const PURGE_TOPIC: u32 = 305;
    /// `create_partitions`.
    pub const CREATE_PARTITIONS: u32 = 402;
    /// `delete_partitions`.
    pub const DELETE_PARTITIONS: u32 = 403;
    /// `delete_segments`.
    pub const DELETE_SEGMENTS: u32 = 503;
    /// `get_consumer_group`.
    pub const GET_CONSUMER_GROUP: u32 = 600;
    /// `get_consumer_groups`.
    pub const GET_CONSUMER_GROUPS: u32 = 601;
    /// `create_consumer_group`.
    pub const CREATE_CONSUMER_GROUP: u32 = 602;
    /// `delete_consumer_group`.
    pub const DELETE_CONSUMER_GROUP: u32 = 603;
    /// `join_consumer_group`.
    pub const JOIN_CONSUMER_GROUP: u32 = 604;
    /// `leave_consumer_group`.
    pub const LEAVE_CONSUMER_GROUP: u32 = 605;
    /// `sync_consumer_group`.
    pub const SYNC_CONSUMER_GROUP: u32 = 606;
}

const CLASSIC: Release = Release {
    protocol: "0.10.0",
    server: "0.8.0",
};

const VSR: Release = Release {
    protocol: "0.11.0",
    server: "0.9.0",
};

const BOTH: Versions = Versions {
    classic: Some(CLASSIC),
    vsr: Some(VSR),
};

const VSR_ALONE: Versions = Versions {
    classic: None,
    vsr: Some(VSR),
};

const fn command(code: u32, name: &'static str, versions: Versions) -> Command {
    Command {
        code,
        name,
        versions,
    }
}

/// Every known command, by its code.
pub const COMMANDS: &[Command] = &[
    command(code::PING, "ping", BOTH),
    command(code::GET_STATS, "get_stats", BOTH),
    command(code::GET_SNAPSHOT_FILE, "get_snapshot_file", BOTH),
    command(code::GET_CLUSTER_METADATA, "get_cluster_metadata", BOTH),
    command(code::DESCRIBE_OPTIONS, "describe_options", VSR_ALONE),
    command(
        code::ATTACH_CONSUMER_SESSION,
        "attach_consumer_session",
        VSR_ALONE,
    ),
    command(code::GET_ME, "get_me", BOTH),
    command(code::GET_CLIENT, "get_client", BOTH),
    command(code::GET_CLIENTS, "get_clients", BOTH),
    command(code::GET_USER, "get_user", BOTH),
    command(code::GET_USERS, "get_users", BOTH),
    command(code::CREATE_USER, "create_user", BOTH),
    command(code::DELETE_USER, "delete_user", BOTH),
    command(code::UPDATE_USER, "update_user", BOTH),
    command(code::UPDATE_PERMISSIONS, "update_permissions", BOTH),
    command(code::CHANGE_PASSWORD, "change_password", BOTH),
    command(code::LOGIN_USER, "login_user", BOTH),
    command(code::LOGOUT_USER, "logout_user", BOTH),
    command(code::LOGIN_REGISTER, "login_register", VSR_ALONE),
    command(
        code::GET_PERSONAL_ACCESS_TOKENS,
        "get_personal_access_tokens",
        BOTH,
    ),
    command(
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        "create_personal_access_token",
        BOTH,
    ),
    command(
        code::DELETE_PERSONAL_ACCESS_TOKEN,
        "delete_personal_access_token",
        BOTH,
    ),
    command(
        code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
        "login_with_personal_access_token",
        BOTH,
    ),
    command(
        code::LOGIN_REGISTER_WITH_PAT,
        "login_register_with_pat",
        VSR_ALONE,
    ),
    command(code::POLL_MESSAGES, "poll_messages", BOTH),
    command(code::SEND_MESSAGES, "send_messages", BOTH),
    command(code::FLUSH_UNSAVED_BUFFER, "flush_unsaved_buffer", BOTH),
    command(code::GET_POLL_ROUTING, "get_poll_routing", VSR_ALONE),
    command(
        code::POLL_MESSAGES_ON_PRIMARY,
        "poll_messages_on_primary",
        VSR_ALONE,
    ),
    command(code::GET_CONSUMER_OFFSET, "get_consumer_offset", BOTH),
    command(code::STORE_CONSUMER_OFFSET, "store_consumer_offset", BOTH),
    command(code::DELETE_CONSUMER_OFFSET, "delete_consumer_offset", BOTH),
    command(
        code::GET_CONSUMER_OFFSET_ROUTING,
        "get_consumer_offset_routing",
        VSR_ALONE,
    ),
    command(code::GET_STREAM, "get_stream", BOTH),
    command(code::GET_STREAMS, "get_streams", BOTH),
    command(code::CREATE_STREAM, "create_stream", BOTH),
    command(code::DELETE_STREAM, "delete_stream", BOTH),
    command(code::UPDATE_STREAM, "update_stream", BOTH),
    command(code::PURGE_STREAM, "purge_stream", BOTH),
    command(code::GET_TOPIC, "get_topic", BOTH),
    command(code::GET_TOPICS, "get_topics", BOTH),
    command(code::CREATE_TOPIC, "create_topic", BOTH),
    command(code::DELETE_TOPIC, "delete_topic", BOTH),
    command(code::UPDATE_TOPIC, "update_topic", BOTH),
    command(code::PURGE_TOPIC, "purge_topic", BOTH),
    command(code::CREATE_PARTITIONS, "create_partitions", BOTH),
    command(code::DELETE_PARTITIONS, "delete_partitions", BOTH),
    command(code::DELETE_SEGMENTS, "delete_segments", BOTH),
    command(code::GET_CONSUMER_GROUP, "get_consumer_group", BOTH),
    command(code::GET_CONSUMER_GROUPS, "get_consumer_groups", BOTH),
    command(code::CREATE_CONSUMER_GROUP, "create_consumer_group", BOTH),
    command(code::DELETE_CONSUMER_GROUP, "delete_consumer_group", BOTH),
    command(code::JOIN_CONSUMER_GROUP, "join_consumer_group", BOTH),
    command(code::LEAVE_CONSUMER_GROUP, "leave_consumer_group", BOTH),
    command(code::SYNC_CONSUMER_GROUP, "sync_consumer_group", VSR_ALONE),
];
