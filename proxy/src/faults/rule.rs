//! A fault, as it is asked for.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use parallax_codec::{Command, ErrorCode, code};

use super::due::Due;
use super::place::Place;

/// A fault: into which requests it is injected, and what it is.
///
/// ```text
/// COMMAND ACTION [SELECTOR]...
///
/// COMMAND   a command's name (poll_messages), or any
/// ACTION    error=CODE    the client is answered with this error; the server is not asked
///           empty         a poll is answered with no message
///           delay=TIME    the reply comes later by 500ms, 2s, 1m
///           cut=BYTES     after so many bytes of the reply both connections are closed
///           drop          the reply is not passed on
/// SELECTOR  every=N       every Nth of them
///           first=N       the first N of them
///           times=N       at most N times
///           chance=P      each with this probability, above 0 and at most 1 ...
///           seed=N        ... drawn anew with another number
///           stream=S topic=T partition=P strategy=first    polls, sends and offsets there
/// ```
/// Requests are counted over all connections of the route, and each selector narrows
/// further: `every=3 times=2` is the third and the sixth.
///
/// ```
/// use parallax_proxy::faults::Fault;
/// let fault: Fault = "poll_messages error=4100 every=3".parse()?;
/// assert_eq!(fault.to_string(), "poll_messages error=invalid_offset every=3");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Of which commands.
    pub commands: Commands,
    /// What is done.
    pub action: Action,
    /// To which of them.
    pub due: Due,
    /// Where.
    pub place: Place,
}

/// Of which commands a fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commands {
    /// Of all.
    Any,
    /// Of this one.
    One(&'static Command),
}

/// What a fault does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Answers with an error; the server is not asked.
    Error(ErrorCode),
    /// Answers a poll with no message.
    Empty,
    /// Holds the reply back.
    Delay(Duration),
    /// Closes both connections after so many bytes of the reply.
    Cut(u64),
    /// Does not pass the reply on.
    Drop,
}

impl Fault {
    /// Whether it may be injected into a request with this code; `None` is a login of the
    /// VSR dialect whose form is not known yet.
    pub(super) fn is_of(&self, asked: Option<u32>) -> bool {
        match (self.commands, asked) {
            (Commands::Any, _) => true,
            (Commands::One(command), Some(asked)) => {
                // SDK 0.11 polls the primary of a partition under a code of its own.
                let poll = command.code == code::POLL_MESSAGES;
                command.code == asked || poll && asked == code::POLL_MESSAGES_ON_PRIMARY
            }
            (Commands::One(command), None) => LOGINS.contains(&command.code),
        }
    }
}

const LOGINS: [u32; 2] = [code::LOGIN_REGISTER, code::LOGIN_REGISTER_WITH_PAT];

impl Commands {
    /// The name, or `any`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::One(command) => command.name,
        }
    }
}

impl Display for Fault {
    /// As it can be asked for.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            commands,
            action,
            due,
            place,
        } = self;
        write!(f, "{} {action}{due}{place}", commands.name())
    }
}

impl Display for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(code) => match code.name() {
                Some(name) => write!(f, "error={name}"),
                None => write!(f, "error={}", code.0),
            },
            Self::Empty => f.write_str("empty"),
            Self::Delay(period) => write!(f, "delay={}ms", period.as_millis()),
            Self::Cut(count) => write!(f, "cut={count}"),
            Self::Drop => f.write_str("drop"),
        }
    }
}
