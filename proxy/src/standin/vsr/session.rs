//! One connection's requests and their answers.

use bytes::Bytes;
use parallax_codec::commands::ClientVersion;
use parallax_codec::vsr::{
    Command, EvictionReason, Frame, LoginForm, Operation, ReplyHeader, RequestHeader,
};
use parallax_codec::{Checksum, Decode as _, Dialect, Reply, Request, code};

use super::PROTOCOL;
use super::positions::Positions;
use super::replies::{Answer, eviction, result_framed};
use crate::standin::model::{Model, Refusal};

/// A connection and the session that was opened on it.
pub(super) struct Session {
    connection: u32,
    open: Option<Open>,
}

#[derive(Clone, Copy)]
struct Open {
    client: u128,
    session: u64,
}

/// What the answers are made from.
pub(super) struct Server<'a> {
    pub(super) model: &'a mut Model,
    pub(super) positions: &'a Positions,
    /// Microseconds since 1970.
    pub(super) now: u64,
}

impl Session {
    /// A connection on which nobody has logged in.
    pub(super) const fn new(connection: u32) -> Self {
        Self {
            connection,
            open: None,
        }
    }

    /// The code of what is asked, and the answer; `None` where a server keeps
    /// silent: for what is no request, or names an operation that there is not.
    pub(super) fn answer(
        &mut self,
        frame: &Frame,
        server: &mut Server<'_>,
    ) -> Option<(u32, Bytes)> {
        if frame.command() != Command::REQUEST {
            return None;
        }
        let request = RequestHeader::of(&frame.header);
        let body = frame.body_bytes();
        let asked = match request.operation {
            Operation::REGISTER => code::LOGIN_REGISTER,
            operation => request.command_code(&body).filter(|_| operation.0 != 0)?,
        };
        if let Checksum::Wrong { .. } = request.verify(&body) {
            let result = Err(Refusal::invalid_format());
            let answer = Answer {
                request: &request,
                result,
            };
            return Some((asked, answer.read(self.connection.into(), 0, 0)));
        }
        let reply = match request.operation {
            Operation::REGISTER => self.log_in(&request, &body, server),
            Operation::LOGOUT => self.log_out(&request, server),
            Operation::NON_REPLICATED => self.question(&request, &body, server),
            _ => self.command(&request, asked, &body, server),
        };
        Some((asked, reply))
    }

    fn log_in(&mut self, request: &RequestHeader, body: &Bytes, server: &mut Server<'_>) -> Bytes {
        let evict = |reason| eviction(request.client, reason);
        let Ok((_, version)) = ClientVersion::parse(body) else {
            return evict(EvictionReason::MALFORMED_LOGIN);
        };
        if version.protocol != PROTOCOL {
            return evict(EvictionReason::INCOMPATIBLE_PROTOCOL);
        }
        let login = match LoginForm::of(body) {
            LoginForm::Password | LoginForm::Undetermined => code::LOGIN_REGISTER,
            LoginForm::Token => code::LOGIN_REGISTER_WITH_PAT,
        };
        let Ok(login) = Request::decode(Dialect::Vsr, login, body) else {
            return evict(EvictionReason::MALFORMED_LOGIN);
        };
        let reply = server.model.answer(self.connection, login, server.now);
        let mut session = match reply {
            Ok(Reply::Session(session)) => session,
            Ok(_) => return evict(EvictionReason::MALFORMED_LOGIN),
            Err(refusal) => {
                return evict(match refusal.code.0 {
                    53 => EvictionReason::INVALID_TOKEN,
                    _ => EvictionReason::INVALID_CREDENTIALS,
                });
            }
        };
        // Who logs in again keeps the session.
        let open = *self.open.get_or_insert_with(|| Open {
            client: request.client,
            session: server.positions.next_metadata(),
        });
        session.session = open.session;
        let opened = (open.client, open.session);
        server.model.session_opened(self.connection, opened);
        let body = result_framed(&Ok(Reply::Session(session)));
        let header = ReplyHeader {
            op: open.session,
            commit: server.positions.metadata(),
            ..ReplyHeader::to(request, 0, body.len())
        };
        header.frame(&body)
    }

    fn log_out(&mut self, request: &RequestHeader, server: &mut Server<'_>) -> Bytes {
        let answer = Answer {
            request,
            result: Ok(Reply::Empty),
        };
        let Some(open) = self.open.take() else {
            let commit = server.positions.metadata();
            return answer.read(self.connection.into(), 0, commit);
        };
        // Nothing stands in the way of a logout.
        let _ = server
            .model
            .answer(self.connection, Request::LogoutUser, server.now);
        answer.read(open.client, open.session, server.positions.next_metadata())
    }

    /// What changes nothing. Without a session only pings are answered.
    fn question(
        &mut self,
        request: &RequestHeader,
        body: &Bytes,
        server: &mut Server<'_>,
    ) -> Bytes {
        let is_legacy_login = matches!(
            request.code,
            code::LOGIN_USER | code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN
        );
        if is_legacy_login {
            return eviction(request.client, EvictionReason::MALFORMED_LOGIN);
        }
        let (client, session) = match self.open {
            Some(open) => (request.client, open.session),
            None if request.code == code::PING => (request.client, 0),
            None => {
                let result = Err(Refusal::unauthenticated());
                let answer = Answer { request, result };
                return answer.read(self.connection.into(), 0, 0);
            }
        };
        let result = match Request::decode(Dialect::Vsr, request.code, body) {
            Ok(asked) => server.model.answer(self.connection, asked, server.now),
            Err(_) => Err(Refusal::invalid_command()),
        };
        let answer = Answer { request, result };
        answer.read(client, session, server.positions.metadata())
    }

    /// What changes something.
    fn command(
        &mut self,
        request: &RequestHeader,
        asked: u32,
        body: &Bytes,
        server: &mut Server<'_>,
    ) -> Bytes {
        if self.open.is_none() {
            return eviction(self.connection.into(), EvictionReason::NO_SESSION);
        }
        let result = match Request::decode(Dialect::Vsr, asked, body) {
            Ok(asked) => server.model.answer(self.connection, asked, server.now),
            Err(_) => Err(Refusal::invalid_command()),
        };
        let is_elsewhere = matches!(&result, Err(refusal) if refusal.code.0 == NOT_ACCEPTED);
        let answer = Answer { request, result };
        let positions = server.positions;
        // What a node does not take up goes into no log.
        if is_elsewhere {
            return answer.read(self.connection.into(), 0, positions.metadata());
        }
        if request.operation.0 >= FIRST_OF_PARTITIONS {
            answer.partition(
                self.connection,
                || positions.next_partitions(),
                positions.metadata(),
                server.now,
            )
        } else {
            answer.metadata(positions.next_metadata(), server.now)
        }
    }
}

/// 58: another node is to be asked.
const NOT_ACCEPTED: u32 = 58;

/// Operations from here on go to a partition (`iggy_binary_protocol` 0.11.0,
/// `consensus/operation.rs`).
const FIRST_OF_PARTITIONS: u8 = 160;
