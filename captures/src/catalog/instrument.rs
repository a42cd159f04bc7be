//! `PX9xx`: parallax itself.

use super::Description;
use crate::finding::{FindingCode, Severity};

/// HTTP does not let parallax in.
pub const MIRROR_UNAUTHENTICATED: FindingCode = FindingCode(901);

pub(super) const DESCRIPTIONS: &[Description] = &[Description {
    code: MIRROR_UNAUTHENTICATED,
    title: "HTTP does not let parallax in, so polls are not compared",
    severity: Severity::Warning,
    meaning: "parallax logs in over HTTP as the client's user, or as the one that it was told, \
                  and is refused, or its token is. Nothing is known about the polls of that user. \
                  It says nothing about the client's own connection, and is no divergence.",
    recognised_by: "HTTP refuses the login, or answers 401 to a token that it has just given \
                        out.",
    what_to_do: "Give credentials that HTTP takes: --http-user and PARALLAX_HTTP_PASSWORD. A \
                     token may be good on one node of a cluster alone: give the HTTP address of \
                     the node that the client talks to.",
    not_to_be_confused_with: "A token that expired, which is renewed without a word. A client \
                                  whose own login is refused.",
}];
