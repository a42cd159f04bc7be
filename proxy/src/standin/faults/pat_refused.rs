use parallax_codec::{Reply, Request};

use super::Behaviour;
use crate::standin::model::{Asked, Model, Refusal, Via};

/// A personal access token is known to some of the server's threads alone: HTTP
/// takes it, and so does one TCP connection of three (case C5).
#[derive(Default)]
pub(super) struct PatRefused {
    logins: u32,
}

impl Behaviour for PatRefused {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let is_login = matches!(
            asked.request,
            Request::LoginWithPersonalAccessToken(_) | Request::LoginRegisterWithPat(_)
        );
        if is_login && asked.via != Via::Http {
            self.logins += 1;
            if self.logins % 3 != 1 {
                return Err(Refusal::invalid_token());
            }
        }
        model.answer_soundly(asked)
    }
}
