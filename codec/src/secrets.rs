//! Which bodies may hold a password or token.
//!
//! A body that was decoded says where its secrets are
//! ([`secret_ranges`](crate::secret_ranges)). One that could not be is to be
//! masked whole if it may carry any.

use crate::command::{Command, code};

/// Whether a request with this code may carry a password or token. One that is
/// not known may.
pub fn request_may_carry_secrets(code: u32) -> bool {
    matches!(
        code,
        code::CREATE_USER
            | code::CHANGE_PASSWORD
            | code::LOGIN_USER
            | code::LOGIN_REGISTER
            | code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN
            | code::LOGIN_REGISTER_WITH_PAT
    ) || Command::from_code(code).is_none()
}

/// Whether a reply to a request with this code may carry a token or, in a
/// snapshot of the server's configuration, a key. One that is not known may.
pub fn reply_may_carry_secrets(code: u32) -> bool {
    matches!(
        code,
        code::CREATE_PERSONAL_ACCESS_TOKEN | code::GET_SNAPSHOT_FILE
    ) || Command::from_code(code).is_none()
}
