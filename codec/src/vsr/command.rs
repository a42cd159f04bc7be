use crate::framing::Direction;

/// What a frame is.
///
/// From `iggy_binary_protocol` 0.11.0, `consensus/command.rs`. All but five are
/// between the servers of a cluster; a number that is not listed is kept as it
/// is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Command(pub u8);

impl Command {
    /// A client that asks whether the server is there.
    pub const PING_CLIENT: Self = Self(3);
    /// The answer to it.
    pub const PONG_CLIENT: Self = Self(4);
    /// A client's request.
    pub const REQUEST: Self = Self(5);
    /// The answer to a request.
    pub const REPLY: Self = Self(8);
    /// The server ends the session; not the answer to anything.
    pub const EVICTION: Self = Self(13);

    /// Names of commands 0 to 29.
    const NAMES: [&'static str; 30] = [
        "reserved",
        "ping",
        "pong",
        "ping_client",
        "pong_client",
        "request",
        "prepare",
        "prepare_ok",
        "reply",
        "commit",
        "start_view_change",
        "do_view_change",
        "start_view",
        "eviction",
        "replica_hello",
        "replica_challenge",
        "replica_finish",
        "request_start_view",
        "request_prepares",
        "repair_prepare",
        "repair_done",
        "range_evicted",
        "request_state_transfer",
        "state_transfer_target",
        "request_state_chunk",
        "state_chunk",
        "forward_register",
        "forward_register_result",
        "forward_logout",
        "forward_logout_result",
    ];

    /// The command's name, or `unknown`.
    pub fn name(self) -> &'static str {
        let known = Self::NAMES.get(usize::from(self.0)).copied();
        known.unwrap_or("unknown")
    }

    /// Which way it goes between a client and a server; `None` where it is
    /// between servers or not known.
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::PING_CLIENT | Self::REQUEST => Some(Direction::ToServer),
            Self::PONG_CLIENT | Self::REPLY | Self::EVICTION => Some(Direction::ToClient),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.0, self.name())
    }
}
