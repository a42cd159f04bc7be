//! What the end of a connection says, besides its reason.

use crate::relay::{CloseReason, Side};

/// Whether the client never reached the server, which then has answered nothing.
pub(super) const fn is_unserved(reason: &CloseReason, to_client: u64) -> bool {
    match reason {
        CloseReason::UpstreamUnavailable { .. } => true,
        CloseReason::Tls { .. } => to_client == 0,
        _ => false,
    }
}

/// Why it ended, with what it may come from. Servers 0.8.0 and 0.9.0-edge.5 with TLS close on a
/// plain request without a word. `passed` is how many bytes were passed on to the server, and to
/// the client.
pub(super) fn why(reason: &CloseReason, passed: (u64, u64), is_plain: bool) -> String {
    let by_server = matches!(
        reason,
        CloseReason::ServerClosed | CloseReason::Reset { by: Side::Server }
    );
    let is_unanswered = passed.0 > 0 && passed.1 == 0;
    if by_server && is_unanswered && is_plain {
        return format!(
            "{reason} and answered nothing. One that speaks TLS does so where it is spoken to \
             plainly: then start parallax with --upstream-tls"
        );
    }
    reason.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_closes_without_an_answer_may_speak_tls_and_any_other_end_says_nothing_of_it() {
        let reset = |by| CloseReason::Reset { by };
        for (reason, to_server, to_client, is_plain, is_told) in [
            (CloseReason::ServerClosed, 8, 0, true, true),
            (reset(Side::Server), 8, 0, true, true),
            (CloseReason::ServerClosed, 8, 8, true, false),
            (CloseReason::ServerClosed, 0, 0, true, false),
            (CloseReason::ServerClosed, 8, 0, false, false),
            (CloseReason::ClientClosed, 8, 0, true, false),
            (reset(Side::Client), 8, 0, true, false),
        ] {
            let why = why(&reason, (to_server, to_client), is_plain);
            assert_eq!(why.contains("--upstream-tls"), is_told, "{why}");
            assert!(why.starts_with(&reason.to_string()));
        }
    }
}
