use parallax_codec::Reply;

use super::{Behaviour, PlacedFault};
use crate::standin::model::{Asked, Model, Refusal, Via, nothing_polled};

/// The partition cannot be read. TCP says "nothing there", partition 0, no error;
/// HTTP says what is the matter (case C2).
pub(super) struct MaskedError(pub(super) PlacedFault);

impl Behaviour for MaskedError {
    fn answer(&mut self, model: &mut Model, asked: Asked) -> Result<Reply, Refusal> {
        let is_here = self.0.poll_of(model, &asked).is_some();
        match asked.via {
            _ if !is_here => model.answer_soundly(asked),
            Via::Tcp(_) => Ok(Reply::PolledMessages(nothing_polled(model.dialect(), 0, 0))),
            Via::Http => Err(Refusal::partition_read_timeout()),
        }
    }
}
