//! The command table: code, name, dialects.

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
    /// Whether the classic dialect has it.
    pub classic: bool,
    /// Whether the VSR dialect has it.
    pub vsr: bool,
}

impl Command {
    /// Whether some known version of the dialect has it.
    pub const fn is_in(&self, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Classic => self.classic,
            Dialect::Vsr => self.vsr,
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

const fn command(code: u32, name: &'static str, classic: bool, vsr: bool) -> Command {
    Command {
        code,
        name,
        classic,
        vsr,
    }
}

/// Every known command, by its code.
pub const COMMANDS: &[Command] = &[
    command(code::PING, "ping", true, true),
    command(code::GET_STATS, "get_stats", true, true),
    command(code::GET_SNAPSHOT_FILE, "get_snapshot_file", true, true),
    command(
        code::GET_CLUSTER_METADATA,
        "get_cluster_metadata",
        true,
        true,
    ),
    command(code::DESCRIBE_OPTIONS, "describe_options", false, true),
    command(
        code::ATTACH_CONSUMER_SESSION,
        "attach_consumer_session",
        false,
        true,
    ),
    command(code::GET_ME, "get_me", true, true),
    command(code::GET_CLIENT, "get_client", true, true),
    command(code::GET_CLIENTS, "get_clients", true, true),
    command(code::GET_USER, "get_user", true, true),
    command(code::GET_USERS, "get_users", true, true),
    command(code::CREATE_USER, "create_user", true, true),
    command(code::DELETE_USER, "delete_user", true, true),
    command(code::UPDATE_USER, "update_user", true, true),
    command(code::UPDATE_PERMISSIONS, "update_permissions", true, true),
    command(code::CHANGE_PASSWORD, "change_password", true, true),
    command(code::LOGIN_USER, "login_user", true, true),
    command(code::LOGOUT_USER, "logout_user", true, true),
    command(code::LOGIN_REGISTER, "login_register", false, true),
    command(
        code::GET_PERSONAL_ACCESS_TOKENS,
        "get_personal_access_tokens",
        true,
        true,
    ),
    command(
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        "create_personal_access_token",
        true,
        true,
    ),
    command(
        code::DELETE_PERSONAL_ACCESS_TOKEN,
        "delete_personal_access_token",
        true,
        true,
    ),
    command(
        code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
        "login_with_personal_access_token",
        true,
        true,
    ),
    command(
        code::LOGIN_REGISTER_WITH_PAT,
        "login_register_with_pat",
        false,
        true,
    ),
    command(code::POLL_MESSAGES, "poll_messages", true, true),
    command(code::SEND_MESSAGES, "send_messages", true, true),
    command(
        code::FLUSH_UNSAVED_BUFFER,
        "flush_unsaved_buffer",
        true,
        true,
    ),
    command(code::GET_POLL_ROUTING, "get_poll_routing", false, true),
    command(
        code::POLL_MESSAGES_ON_PRIMARY,
        "poll_messages_on_primary",
        false,
        true,
    ),
    command(code::GET_CONSUMER_OFFSET, "get_consumer_offset", true, true),
    command(
        code::STORE_CONSUMER_OFFSET,
        "store_consumer_offset",
        true,
        true,
    ),
    command(
        code::DELETE_CONSUMER_OFFSET,
        "delete_consumer_offset",
        true,
        true,
    ),
    command(
        code::GET_CONSUMER_OFFSET_ROUTING,
        "get_consumer_offset_routing",
        false,
        true,
    ),
    command(code::GET_STREAM, "get_stream", true, true),
    command(code::GET_STREAMS, "get_streams", true, true),
    command(code::CREATE_STREAM, "create_stream", true, true),
    command(code::DELETE_STREAM, "delete_stream", true, true),
    command(code::UPDATE_STREAM, "update_stream", true, true),
    command(code::PURGE_STREAM, "purge_stream", true, true),
    command(code::GET_TOPIC, "get_topic", true, true),
    command(code::GET_TOPICS, "get_topics", true, true),
    command(code::CREATE_TOPIC, "create_topic", true, true),
    command(code::DELETE_TOPIC, "delete_topic", true, true),
    command(code::UPDATE_TOPIC, "update_topic", true, true),
    command(code::PURGE_TOPIC, "purge_topic", true, true),
    command(code::CREATE_PARTITIONS, "create_partitions", true, true),
    command(code::DELETE_PARTITIONS, "delete_partitions", true, true),
    command(code::DELETE_SEGMENTS, "delete_segments", true, true),
    command(code::GET_CONSUMER_GROUP, "get_consumer_group", true, true),
    command(code::GET_CONSUMER_GROUPS, "get_consumer_groups", true, true),
    command(
        code::CREATE_CONSUMER_GROUP,
        "create_consumer_group",
        true,
        true,
    ),
    command(
        code::DELETE_CONSUMER_GROUP,
        "delete_consumer_group",
        true,
        true,
    ),
    command(code::JOIN_CONSUMER_GROUP, "join_consumer_group", true, true),
    command(
        code::LEAVE_CONSUMER_GROUP,
        "leave_consumer_group",
        true,
        true,
    ),
    command(
        code::SYNC_CONSUMER_GROUP,
        "sync_consumer_group",
        false,
        true,
    ),
];
