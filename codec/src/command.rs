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

/// In each dialect the first release of the server that has a command; `None` where no
/// known version has it.
///
/// Told by the tables of codes in the tags `server-*`, from 0.0.53, the oldest there is,
/// to 0.9.0-edge.5: what stands there already may be older. 0.9.0 itself is told by
/// `iggy_binary_protocol` 0.11.0. Of the two VSR servers 0.8.1-edge.1 and 0.8.2-edge.1,
/// which stood beside a classic one, the first has nothing but what is replicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Versions {
    /// In the classic dialect.
    pub classic: Option<Release>,
    /// In the VSR dialect.
    pub vsr: Option<Release>,
}

/// A release of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Release {
    /// Version of the server.
    pub server: &'static str,
    /// Version of the crate `iggy_binary_protocol` that it was built with; `None` before
    /// there was one.
    pub protocol: Option<&'static str>,
}

impl Command {
    /// Whether some known version of the dialect has it.
    pub const fn is_in(&self, dialect: Dialect) -> bool {
        self.since(dialect).is_some()
    }

    /// The first release of the dialect's servers that is known to have it.
    pub const fn since(&self, dialect: Dialect) -> Option<Release> {
        match dialect {
            Dialect::Classic => self.versions.classic,
            Dialect::Vsr => self.versions.vsr,
        }
    }

    /// The command with this code, if any known version has it.
    pub fn from_code(code: u32) -> Option<&'static Self> {
        let index = BY_CODE.get(usize::try_from(code).ok()?)?;
        COMMANDS.get(usize::from(*index))
    }
}

/// Where in [`COMMANDS`] each code is, up to the greatest: beyond its end where no command
/// has the code.
static BY_CODE: [u8; COMMANDS[COMMANDS.len() - 1].code as usize + 1] = {
    let mut by_code = [u8::MAX; COMMANDS[COMMANDS.len() - 1].code as usize + 1];
    let mut index = 0;
    while index < COMMANDS.len() {
        assert!(
            index < u8::MAX as usize,
            "one number says that there is none"
        );
        #[expect(clippy::cast_possible_truncation, reason = "as was just made sure")]
        let number = index as u8;
        by_code[COMMANDS[index].code as usize] = number;
        index += 1;
    }
    by_code
};

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

const fn release(server: &'static str, protocol: Option<&'static str>) -> Release {
    Release { server, protocol }
}

const V0_0_53: Release = release("0.0.53", None);
const V0_1_6: Release = release("0.1.6", None);
const V0_1_7: Release = release("0.1.7", None);
const V0_4_22: Release = release("0.4.22", None);
const V0_4_61: Release = release("0.4.61", None);
const V0_4_110: Release = release("0.4.110", None);
const V0_4_300: Release = release("0.4.300", None);
const V0_6_0: Release = release("0.6.0", Some("0.8.0"));
const V0_8_1: Release = release("0.8.1-edge.1", Some("0.10.1-edge.1"));
const V0_8_2: Release = release("0.8.2-edge.1", Some("0.10.2-edge.1"));
const V0_9_0_EDGE_4: Release = release("0.9.0-edge.4", Some("0.11.0-edge.3"));
const V0_9_0: Release = release("0.9.0", Some("0.11.0"));

const fn both(classic: Release, vsr: Release) -> Versions {
    Versions {
        classic: Some(classic),
        vsr: Some(vsr),
    }
}

const fn vsr(since: Release) -> Versions {
    Versions {
        classic: None,
        vsr: Some(since),
    }
}

const fn command(code: u32, name: &'static str, versions: Versions) -> Command {
    Command {
        code,
        name,
        versions,
    }
}

/// Every known command, by its code.
pub const COMMANDS: &[Command] = &[
    command(code::PING, "ping", both(V0_0_53, V0_8_2)),
    command(code::GET_STATS, "get_stats", both(V0_0_53, V0_8_2)),
    command(
        code::GET_SNAPSHOT_FILE,
        "get_snapshot_file",
        both(V0_4_61, V0_8_2),
    ),
    command(
        code::GET_CLUSTER_METADATA,
        "get_cluster_metadata",
        both(V0_6_0, V0_8_2),
    ),
    command(
        code::DESCRIBE_OPTIONS,
        "describe_options",
        vsr(V0_9_0_EDGE_4),
    ),
    command(
        code::ATTACH_CONSUMER_SESSION,
        "attach_consumer_session",
        vsr(V0_9_0),
    ),
    command(code::GET_ME, "get_me", both(V0_0_53, V0_8_2)),
    command(code::GET_CLIENT, "get_client", both(V0_0_53, V0_8_2)),
    command(code::GET_CLIENTS, "get_clients", both(V0_0_53, V0_8_2)),
    command(code::GET_USER, "get_user", both(V0_0_53, V0_8_2)),
    command(code::GET_USERS, "get_users", both(V0_0_53, V0_8_2)),
    command(code::CREATE_USER, "create_user", both(V0_0_53, V0_8_1)),
    command(code::DELETE_USER, "delete_user", both(V0_0_53, V0_8_1)),
    command(code::UPDATE_USER, "update_user", both(V0_0_53, V0_8_1)),
    command(
        code::UPDATE_PERMISSIONS,
        "update_permissions",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::CHANGE_PASSWORD,
        "change_password",
        both(V0_0_53, V0_8_1),
    ),
    command(code::LOGIN_USER, "login_user", both(V0_0_53, V0_8_2)),
    command(code::LOGOUT_USER, "logout_user", both(V0_0_53, V0_8_2)),
    command(code::LOGIN_REGISTER, "login_register", vsr(V0_8_1)),
    command(
        code::GET_PERSONAL_ACCESS_TOKENS,
        "get_personal_access_tokens",
        both(V0_0_53, V0_8_2),
    ),
    command(
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        "create_personal_access_token",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::DELETE_PERSONAL_ACCESS_TOKEN,
        "delete_personal_access_token",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
        "login_with_personal_access_token",
        both(V0_0_53, V0_8_2),
    ),
    command(
        code::LOGIN_REGISTER_WITH_PAT,
        "login_register_with_pat",
        vsr(V0_8_1),
    ),
    command(code::POLL_MESSAGES, "poll_messages", both(V0_0_53, V0_8_2)),
    command(code::SEND_MESSAGES, "send_messages", both(V0_0_53, V0_8_1)),
    command(
        code::FLUSH_UNSAVED_BUFFER,
        "flush_unsaved_buffer",
        both(V0_4_22, V0_8_2),
    ),
    command(code::GET_POLL_ROUTING, "get_poll_routing", vsr(V0_9_0)),
    command(
        code::POLL_MESSAGES_ON_PRIMARY,
        "poll_messages_on_primary",
        vsr(V0_9_0),
    ),
    command(
        code::GET_CONSUMER_OFFSET,
        "get_consumer_offset",
        both(V0_0_53, V0_8_2),
    ),
    command(
        code::STORE_CONSUMER_OFFSET,
        "store_consumer_offset",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::DELETE_CONSUMER_OFFSET,
        "delete_consumer_offset",
        both(V0_4_110, V0_8_1),
    ),
    command(
        code::GET_CONSUMER_OFFSET_ROUTING,
        "get_consumer_offset_routing",
        vsr(V0_9_0),
    ),
    command(code::GET_STREAM, "get_stream", both(V0_0_53, V0_8_2)),
    command(code::GET_STREAMS, "get_streams", both(V0_0_53, V0_8_2)),
    command(code::CREATE_STREAM, "create_stream", both(V0_0_53, V0_8_1)),
    command(code::DELETE_STREAM, "delete_stream", both(V0_0_53, V0_8_1)),
    command(code::UPDATE_STREAM, "update_stream", both(V0_0_53, V0_8_1)),
    command(code::PURGE_STREAM, "purge_stream", both(V0_1_7, V0_8_1)),
    command(code::GET_TOPIC, "get_topic", both(V0_0_53, V0_8_2)),
    command(code::GET_TOPICS, "get_topics", both(V0_0_53, V0_8_2)),
    command(code::CREATE_TOPIC, "create_topic", both(V0_0_53, V0_8_1)),
    command(code::DELETE_TOPIC, "delete_topic", both(V0_0_53, V0_8_1)),
    command(code::UPDATE_TOPIC, "update_topic", both(V0_0_53, V0_8_1)),
    command(code::PURGE_TOPIC, "purge_topic", both(V0_1_6, V0_8_1)),
    command(
        code::CREATE_PARTITIONS,
        "create_partitions",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::DELETE_PARTITIONS,
        "delete_partitions",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::DELETE_SEGMENTS,
        "delete_segments",
        both(V0_4_300, V0_8_1),
    ),
    command(
        code::GET_CONSUMER_GROUP,
        "get_consumer_group",
        both(V0_0_53, V0_8_2),
    ),
    command(
        code::GET_CONSUMER_GROUPS,
        "get_consumer_groups",
        both(V0_0_53, V0_8_2),
    ),
    command(
        code::CREATE_CONSUMER_GROUP,
        "create_consumer_group",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::DELETE_CONSUMER_GROUP,
        "delete_consumer_group",
        both(V0_0_53, V0_8_1),
    ),
    command(
        code::JOIN_CONSUMER_GROUP,
        "join_consumer_group",
        both(V0_0_53, V0_8_2),
    ),
    command(
        code::LEAVE_CONSUMER_GROUP,
        "leave_consumer_group",
        both(V0_0_53, V0_8_2),
    ),
    command(
        code::SYNC_CONSUMER_GROUP,
        "sync_consumer_group",
        vsr(V0_8_2),
    ),
];
