use super::ClusterNode;
use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer};

/// Lets a second connection act for a session, code 14: a client that polls or
/// commits at the partition's primary keeps the group membership that it has with
/// the coordinator. The reply has no body.
///
/// ```text
/// [client_id u128][session u64][metadata_watermark u64]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `requests/system/attach_consumer_session.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttachConsumerSession {
    /// The client whose session it is.
    pub client_id: u128,
    /// The session.
    pub session: u64,
    /// How far a server must have come before it may answer.
    pub metadata_watermark: u64,
}

impl Decode for AttachConsumerSession {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, client_id) = reader::u128("client id", input)?;
        let (rest, session) = reader::u64("session", rest)?;
        let (rest, metadata_watermark) = reader::u64("metadata watermark", rest)?;
        let value = Self {
            client_id,
            session,
            metadata_watermark,
        };
        Ok((rest, value))
    }
}

impl Encode for AttachConsumerSession {
    fn write(&self, writer: &mut impl Writer) {
        writer.u128("client_id", self.client_id);
        writer.u64("session", self.session);
        writer.u64("metadata_watermark", self.metadata_watermark);
    }
}

/// Where to poll or to store an offset: the reply to 103, which asks with a
/// [poll](super::PollMessages), and to 123, which asks with a
/// [`GetConsumerOffset`](super::GetConsumerOffset). A client may go on to the
/// address in it, past a proxy.
///
/// ```text
/// [what to attach: client_id u128, session u64, metadata_watermark u64][node]
/// ```
/// From `iggy_binary_protocol` 0.11.0, `responses/messages/poll_routing.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PollRouting {
    /// What the client is to attach on its connection to the primary.
    pub consumer_session: AttachConsumerSession,
    /// The primary of the partition.
    pub primary: ClusterNode,
}

impl Decode for PollRouting {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, consumer_session) = AttachConsumerSession::parse(input)?;
        let (rest, primary) = ClusterNode::parse(rest)?;
        let value = Self {
            consumer_session,
            primary,
        };
        Ok((rest, value))
    }
}

impl Encode for PollRouting {
    fn write(&self, writer: &mut impl Writer) {
        writer.group("consumer_session", |w| self.consumer_session.write(w));
        writer.group("primary", |w| self.primary.write(w));
    }
}
