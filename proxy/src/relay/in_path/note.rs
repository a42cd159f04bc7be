//! What the tap is told of frames that did not simply pass.

/// Of one request, told before the bytes that it is about. `at` is where the request's
/// first byte stands in what the client sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// Something was decided about it.
    Decided {
        /// Which request.
        at: u64,
        /// What was decided.
        marks: Vec<Mark>,
        /// Whether the client does not get the server's answer as it is: parallax answers
        /// itself, or cuts the answer.
        answered_otherwise: bool,
    },
    /// The server's answer to it did not reach the client as it was.
    Withheld {
        /// Which request.
        at: u64,
        /// What was done with it.
        marks: Vec<Mark>,
        /// The status in the answer's header; `None` where it has none.
        status: Option<u32>,
        /// Bytes of the answer's body.
        body_length: u64,
        /// Whether the client gets nothing in its place.
        dropped: bool,
    },
}

impl Note {
    /// Which request it is about.
    pub const fn at(&self) -> u64 {
        match self {
            Self::Decided { at, .. } | Self::Withheld { at, .. } => *at,
        }
    }
}

/// What was done to an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Why.
    pub kind: MarkKind,
    /// What, as a person is to read it.
    pub what: String,
}

/// Why something was done to an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// A fault was injected.
    Injected,
    /// Something was rewritten so that the client stays with parallax.
    Rewritten,
}
