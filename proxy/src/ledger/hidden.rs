//! Exchanges that do not show what the server did, because a fault was injected.

use parallax_captures::Exchange;
use parallax_codec::Request;

use super::Ledger;
use super::fact::How;
use super::learned::{Learned, Scope};
use crate::bounded::KeyOf as _;

impl Ledger {
    /// Forgets what an exchange may have changed that does not show what the server did.
    pub fn hidden(&mut self, exchange: &Exchange) -> Vec<Learned<'static>> {
        let request = exchange
            .binary()
            .and_then(|content| content.request.as_ref());
        let Some(request) = request else {
            return Vec::new();
        };
        let (stream, topic) = match request {
            Request::PollMessages(poll) | Request::PollMessagesOnPrimary(poll) => {
                (&poll.stream, &poll.topic)
            }
            Request::StoreConsumerOffset(store) => (&store.stream, &store.topic),
            Request::DeleteConsumerOffset(delete) => (&delete.stream, &delete.topic),
            Request::SendMessages(send) => (&send.stream, &send.topic),
            request => return self.changed(request, None, exchange),
        };
        let topic = self.names.named_topic(stream, topic).key();
        self.begins_anew(Scope::Topic(topic), How::NotFollowed, exchange)
    }
}
