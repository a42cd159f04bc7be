//! What parallax did to an exchange in its path, because it was asked to.

/// What was done to an exchange. The frames of an exchange are what the client sent and
/// what the client got; this says where the server got or sent something else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alteration {
    /// The fault that was injected, as a person is to read it.
    pub injected: Option<String>,
    /// What was rewritten so that the client stays with parallax.
    pub rewritten: Option<String>,
    /// Whether what the client got, if anything, is not the server's answer as it was.
    pub answered_otherwise: bool,
    /// The server's own answer, where it gave one and the client got another or none.
    pub server_answer: Option<ServerAnswer>,
}

/// An answer of the server's that the client did not get as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerAnswer {
    /// The status in its header; `None` where it has none.
    pub status: Option<u32>,
    /// Bytes of its body.
    pub body_length: u64,
}

impl Alteration {
    /// Whether a fault was injected so that the exchange does not show what the server
    /// did: nothing in it is to be held against the server.
    pub const fn hides_the_server(&self) -> bool {
        self.injected.is_some() && self.answered_otherwise
    }

    /// Adds what else was injected or rewritten.
    pub fn note(text: &mut Option<String>, what: &str) {
        match text {
            None => *text = Some(what.to_owned()),
            Some(text) if text.split("; ").any(|one| one == what) => {}
            Some(text) => {
                text.push_str("; ");
                text.push_str(what);
            }
        }
    }

    /// Bytes of its texts.
    pub(crate) fn held_bytes(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        size_of::<Self>() + length(&self.injected) + length(&self.rewritten)
    }
}
