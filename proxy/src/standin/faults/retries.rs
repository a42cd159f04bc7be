use parallax_codec::{Reply, Request};

use super::Behaviour;
use crate::standin::model::{Asked, Model, Refusal};

/// How often a send is put off.
const REFUSED: u32 = 14;

/// A send is put off fourteen times, with 57, before it is carried out (case E9).
#[derive(Default)]
pub(super) struct Retries {
    refused: u32,
}

impl Behaviour for Retries {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let is_send = matches!(asked.request, Request::SendMessages(_));
        if is_send && self.refused < REFUSED {
            self.refused += 1;
            return Err(Refusal::transient_not_committed());
        }
        model.answer_soundly(asked)
    }
}
