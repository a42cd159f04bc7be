//! The numbers of a client of the VSR dialect, as SDK 0.11.0 counts them
//! (`iggy` 0.11.0, `session.rs` and `vsr.rs`).

use std::hash::{BuildHasher as _, RandomState};

use parallax_codec::vsr::{Operation, RequestHeader};

/// A client, its session and the number of its next write.
#[derive(Debug)]
pub(crate) struct VsrClient {
    client: u128,
    session: u64,
    next: u64,
}

impl VsrClient {
    /// A client that has no session yet.
    pub(crate) fn new() -> Self {
        Self {
            client: random(),
            session: 0,
            next: 1,
        }
    }

    /// The header of its next request.
    pub(crate) fn header(&mut self, code: u32, body: &[u8]) -> RequestHeader {
        let mut header = RequestHeader::new(code, body);
        if header.operation == Operation::REGISTER {
            // Who logs in again begins anew, as another client.
            *self = Self::new();
        } else {
            header.session = self.session;
            header.request = self.next;
            // Reads repeat the number of the write to come.
            self.next += u64::from(header.operation != Operation::NON_REPLICATED);
        }
        header.client = self.client;
        header
    }

    /// Takes the session that the server gave.
    pub(crate) const fn opened(&mut self, session: u64) {
        self.session = session;
    }
}

/// A number that no other client has: the hasher's keys are random.
fn random() -> u128 {
    let half = || RandomState::new().hash_one("parallax");
    (u128::from(half()) << 64) | u128::from(half())
}

#[cfg(test)]
mod tests {
    use parallax_codec::code;

    use super::*;

    #[test]
    fn writes_are_counted_reads_are_not_and_a_login_begins_anew() {
        let mut client = VsrClient::new();
        let login = client.header(code::LOGIN_REGISTER, b"");
        assert_eq!((login.session, login.request), (0, 0));
        client.opened(7);
        let numbers: Vec<_> = [
            code::PING,
            code::CREATE_STREAM,
            code::POLL_MESSAGES,
            code::SEND_MESSAGES,
            code::PING,
        ]
        .map(|code| client.header(code, b""))
        .iter()
        .map(|header| {
            (
                header.session,
                header.request,
                header.client == login.client,
            )
        })
        .collect();
        let expected = [1, 1, 2, 2, 3].map(|number| (7, number, true));
        assert_eq!(numbers, expected);
        let again = client.header(code::LOGIN_REGISTER, b"");
        assert_ne!(again.client, login.client);
        assert_eq!((again.session, again.request), (0, 0));
    }
}
