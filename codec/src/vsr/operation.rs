use crate::command::code;

/// What a request asks of the servers' replicated state.
///
/// From `iggy_binary_protocol` 0.11.0, `consensus/operation.rs`. A number that
/// is not listed is kept as it is.
///
/// A command that changes nothing travels as [`Operation::NON_REPLICATED`] and
/// its code stands elsewhere in the header. A reply may name another operation
/// than its request did: a server answers `create_topic` as
/// `create_topic_with_assignments`, `create_partitions` likewise, and
/// `delete_segments` as `truncate_partition` (recordings `setup`, `admin`,
/// `segments` of server 0.9.0-edge.5).
///
/// Servers before 0.9.0-edge.5 have a second form of storing and of deleting an
/// offset, 164 and 165: the one that ends with an [`Ack`](crate::primitives::Ack).
/// Since then there is but one form, and it has the ack (tags server-0.8.1-edge.1 to
/// server-0.9.0-edge.5, `consensus/operation.rs`).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operation(pub u8);

impl Operation {
    /// Opens a session: both login-register commands.
    pub const REGISTER: Self = Self(1);
    /// A command that is not replicated; its code is in the header.
    pub const NON_REPLICATED: Self = Self(2);
    /// Ends a session.
    pub const LOGOUT: Self = Self(3);

    /// The operation as which a command travels.
    pub fn of_code(command: u32) -> Self {
        match command {
            code::LOGIN_REGISTER | code::LOGIN_REGISTER_WITH_PAT => Self::REGISTER,
            code::LOGOUT_USER => Self::LOGOUT,
            _ => TABLE
                .iter()
                .find(|entry| entry.code == Some(command) && !entry.is_internal())
                .map_or(Self::NON_REPLICATED, |entry| Self(entry.number)),
        }
    }

    /// The operation's name, or `unknown`.
    pub fn name(self) -> &'static str {
        self.entry().map_or("unknown", |entry| entry.name)
    }

    /// The command that travels as this operation, or that a server carries out
    /// as it. `None` where the operation alone does not tell:
    /// [`Operation::NON_REPLICATED`], [`Operation::REGISTER`], those that servers
    /// make themselves, and unknown ones.
    pub fn code(self) -> Option<u32> {
        self.entry().and_then(|entry| entry.code)
    }

    /// Whether a reply's body begins with a [result
    /// section](super::ResultSection). That of [`Operation::REGISTER`] does so
    /// unless it is empty.
    pub fn is_result_framed(self) -> bool {
        self == Self::REGISTER
            || matches!(self.0, 64..=68 | 128..=137 | 139..=149 | 161 | 162 | 164 | 165)
    }

    fn entry(self) -> Option<&'static Entry> {
        TABLE.iter().find(|entry| entry.number == self.0)
    }
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.0, self.name())
    }
}

struct Entry {
    number: u8,
    name: &'static str,
    code: Option<u32>,
}

impl Entry {
    /// Whether only servers use it among themselves.
    const fn is_internal(&self) -> bool {
        matches!(self.number, 64..=127)
    }
}

const fn entry(number: u8, name: &'static str, code: Option<u32>) -> Entry {
    Entry { number, name, code }
}

const TABLE: &[Entry] = &[
    entry(0, "reserved", None),
    entry(1, "register", None),
    entry(2, "non_replicated", None),
    entry(3, "logout", Some(code::LOGOUT_USER)),
    entry(
        64,
        "create_topic_with_assignments",
        Some(code::CREATE_TOPIC),
    ),
    entry(
        65,
        "create_partitions_with_assignments",
        Some(code::CREATE_PARTITIONS),
    ),
    entry(66, "remove_consumer_group_member", None),
    entry(67, "complete_consumer_group_revocation", None),
    entry(68, "truncate_partition", Some(code::DELETE_SEGMENTS)),
    entry(128, "create_stream", Some(code::CREATE_STREAM)),
    entry(129, "update_stream", Some(code::UPDATE_STREAM)),
    entry(130, "delete_stream", Some(code::DELETE_STREAM)),
    entry(131, "purge_stream", Some(code::PURGE_STREAM)),
    entry(132, "create_topic", Some(code::CREATE_TOPIC)),
    entry(133, "update_topic", Some(code::UPDATE_TOPIC)),
    entry(134, "delete_topic", Some(code::DELETE_TOPIC)),
    entry(135, "purge_topic", Some(code::PURGE_TOPIC)),
    entry(136, "create_partitions", Some(code::CREATE_PARTITIONS)),
    entry(137, "delete_partitions", Some(code::DELETE_PARTITIONS)),
    entry(138, "delete_segments", Some(code::DELETE_SEGMENTS)),
    entry(
        139,
        "create_consumer_group",
        Some(code::CREATE_CONSUMER_GROUP),
    ),
    entry(
        140,
        "delete_consumer_group",
        Some(code::DELETE_CONSUMER_GROUP),
    ),
    entry(141, "create_user", Some(code::CREATE_USER)),
    entry(142, "update_user", Some(code::UPDATE_USER)),
    entry(143, "delete_user", Some(code::DELETE_USER)),
    entry(144, "change_password", Some(code::CHANGE_PASSWORD)),
    entry(145, "update_permissions", Some(code::UPDATE_PERMISSIONS)),
    entry(
        146,
        "create_personal_access_token",
        Some(code::CREATE_PERSONAL_ACCESS_TOKEN),
    ),
    entry(
        147,
        "delete_personal_access_token",
        Some(code::DELETE_PERSONAL_ACCESS_TOKEN),
    ),
    entry(148, "join_consumer_group", Some(code::JOIN_CONSUMER_GROUP)),
    entry(
        149,
        "leave_consumer_group",
        Some(code::LEAVE_CONSUMER_GROUP),
    ),
    entry(160, "send_messages", Some(code::SEND_MESSAGES)),
    entry(
        161,
        "store_consumer_offset",
        Some(code::STORE_CONSUMER_OFFSET),
    ),
    entry(
        162,
        "delete_consumer_offset",
        Some(code::DELETE_CONSUMER_OFFSET),
    ),
    entry(
        164,
        "store_consumer_offset_2",
        Some(code::STORE_CONSUMER_OFFSET),
    ),
    entry(
        165,
        "delete_consumer_offset_2",
        Some(code::DELETE_CONSUMER_OFFSET),
    ),
];
