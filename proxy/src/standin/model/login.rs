//! Logging in and out.

use parallax_codec::commands::{
    Identity, LoginRegister, LoginRegisterWithPat, LoginUser, LoginWithPersonalAccessToken, Session,
};
use parallax_codec::primitives::Secret;
use parallax_codec::{Dialect, Reply, Request};

use super::Model;
use super::refusal::Refusal;
use super::users::check_lengths;
use crate::standin::vsr::{PROTOCOL, SERVER_VERSION};

impl Model {
    /// Logs a connection in. The reply of the VSR logins has session 0: the
    /// numbers of sessions are places in the servers' log, and that is not here.
    pub(super) fn log_in(
        &mut self,
        client: u32,
        login: Request,
        now: u64,
    ) -> Result<Reply, Refusal> {
        match login {
            Request::LoginUser(login) => {
                check_lengths(&login)?;
                let user_id = self.users.log_in(&login)?;
                Ok(self.identify(client, user_id))
            }
            Request::LoginWithPersonalAccessToken(LoginWithPersonalAccessToken { token }) => {
                let user_id = self.users.log_in_with_token(&token, now)?;
                Ok(self.identify(client, user_id))
            }
            Request::LoginRegister(LoginRegister {
                username, password, ..
            }) => {
                let user_id = self.users.log_in(&LoginUser {
                    username,
                    password,
                    version: None,
                    context: None,
                })?;
                Ok(self.register(client, user_id))
            }
            Request::LoginRegisterWithPat(LoginRegisterWithPat { token, .. }) => {
                let user = self.users.log_in_with_token(&token, now);
                // The server does not say what is wrong with a token.
                let user_id = user.map_err(|_| Refusal::invalid_token())?;
                Ok(self.register(client, user_id))
            }
            _ => Err(Refusal::invalid_command()),
        }
    }

    /// Logs a connection out. On server 0.9.0-edge.5 it leaves its groups, too.
    pub(super) fn log_out(&mut self, client: u32) {
        if self.dialect == Dialect::Vsr {
            self.leave_all_groups(client);
        }
        self.clients.set_user(client, None);
    }

    fn identify(&mut self, client: u32, user_id: u32) -> Reply {
        self.clients.set_user(client, Some(user_id));
        Reply::Identity(Identity { user_id })
    }

    fn register(&mut self, client: u32, user_id: u32) -> Reply {
        self.clients.set_user(client, Some(user_id));
        Reply::Session(Session {
            user_id,
            session: 0,
            server_protocol_version: PROTOCOL,
            server_version: SERVER_VERSION.to_owned(),
        })
    }

    /// Logs in over HTTP: an access token, and until when it is good, in
    /// microseconds since 1970.
    pub(crate) fn log_in_over_http(
        &mut self,
        login: &LoginUser,
        now: u64,
    ) -> Result<(Secret, u64), Refusal> {
        self.users.log_in(login)?;
        Ok(self.users.issue_access_token(&mut self.entropy, now))
    }

    /// The same by personal access token.
    pub(crate) fn log_in_over_http_with_token(
        &mut self,
        token: &Secret,
        now: u64,
    ) -> Result<(Secret, u64), Refusal> {
        let user = self.users.log_in_with_token(token, now);
        match self.dialect {
            Dialect::Classic => user?,
            Dialect::Vsr => user.map_err(|_| Refusal::invalid_token())?,
        };
        Ok(self.users.issue_access_token(&mut self.entropy, now))
    }

    /// Whether HTTP may be asked with this access token.
    pub(crate) fn is_access_token_good(&self, token: &str, now: u64) -> bool {
        self.users.is_access_token_good(token, now)
    }
}
