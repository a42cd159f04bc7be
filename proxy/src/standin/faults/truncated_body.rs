use parallax_codec::{Encode as _, Opaque, Reply, code};

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal, Via};

/// A poll's reply counts ten messages, and its body ends in the middle of them
/// (cases C9, E5). HTTP has them all.
pub(super) struct TruncatedBody(pub(super) PlacedFault);

impl Behaviour for TruncatedBody {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let is_cut = asked.via != Via::Http && self.0.poll_of(model, &asked).is_some();
        let reply = model.answer_soundly(asked)?;
        match &reply {
            Reply::PolledMessages(polled) if is_cut && polled.count > 1 => {
                let body = reply.encode();
                let body = Opaque(body.slice(..body.len() * 2 / 3));
                let code = code::POLL_MESSAGES;
                Ok(Reply::Other { code, body })
            }
            _ => Ok(reply),
        }
    }
}
