use bytes::{Bytes, BytesMut};
use iggy_binary_protocol::codec::WireEncode as _;
use iggy_binary_protocol::requests::messages::{
    PollMessagesRequest, RawMessage, SendMessagesEncoder,
};
use iggy_binary_protocol::responses::messages::poll_messages::{
    PollMessagesResponse, PollMessagesResponseHeader,
};
use iggy_binary_protocol::{WirePartitioning, WirePollingStrategy};
use iggy_common::{IggyMessage, IggyMessageHeader};
use parallax_codec::commands::{PollMessages, PolledMessages, SendMessages};
use parallax_codec::messages::{Message, MessageHeader, MessageLayout};
use parallax_codec::primitives::{PartitionLayout, Partitioning, PollingKind, PollingStrategy};
use parallax_codec::{Encode as _, Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::consumer_offsets::{consumer, wire_consumer};
use crate::support::{assert_same_request, assert_tiles, identifier, wire_identifier};

/// A message as a producer sends it: what the server gives is 0.
fn sent_message() -> impl Strategy<Value = Message> {
    let bytes = || vec(any::<u8>(), 0..100).prop_map(Bytes::from);
    (any::<u128>(), any::<u64>(), bytes(), bytes()).prop_map(
        |(id, origin_timestamp, payload, user_headers)| Message {
            header: MessageHeader {
                id,
                origin_timestamp,
                payload_length: u32::try_from(payload.len()).unwrap(),
                user_headers_length: u32::try_from(user_headers.len()).unwrap(),
                ..MessageHeader::default()
            },
            payload,
            user_headers,
        },
    )
}

/// A message as the server stores it.
pub(crate) fn stored_message() -> impl Strategy<Value = Message> {
    (sent_message(), any::<(u64, u64, u64)>()).prop_map(|(message, numbers)| Message {
        header: MessageHeader {
            checksum: numbers.0,
            offset: numbers.1,
            timestamp: numbers.2,
            ..message.header
        },
        ..message
    })
}

fn their_message(message: &Message) -> IggyMessage {
    let header = &message.header;
    let user_headers = message.user_headers.clone();
    IggyMessage {
        header: IggyMessageHeader {
            checksum: header.checksum,
            id: header.id,
            offset: header.offset,
            timestamp: header.timestamp,
            origin_timestamp: header.origin_timestamp,
            user_headers_length: header.user_headers_length,
            payload_length: header.payload_length,
            reserved: header.reserved,
        },
        payload: message.payload.clone(),
        user_headers: Some(user_headers).filter(|headers| !headers.is_empty()),
    }
}

/// Nothing tells the layout of no messages.
fn layout_of(messages: &[Message]) -> MessageLayout {
    if messages.is_empty() {
        MessageLayout::Undetermined
    } else {
        MessageLayout::Headers64
    }
}

fn partitioning() -> impl Strategy<Value = Partitioning> {
    prop_oneof![
        Just(Partitioning::Balanced),
        any::<u32>().prop_map(Partitioning::PartitionId),
        vec(any::<u8>(), 1..256).prop_map(Partitioning::MessagesKey),
    ]
}

fn wire_partitioning(partitioning: &Partitioning) -> WirePartitioning {
    match partitioning {
        Partitioning::Balanced => WirePartitioning::Balanced,
        Partitioning::PartitionId(id) => WirePartitioning::PartitionId(*id),
        Partitioning::MessagesKey(key) => WirePartitioning::messages_key(key.clone()).unwrap(),
    }
}

fn strategy() -> impl Strategy<Value = PollingStrategy> {
    (
        proptest::sample::select(&PollingKind::ALL[..]),
        any::<u64>(),
    )
        .prop_map(|(kind, value)| PollingStrategy { kind, value })
}

/// Their strategy, by name; only two of the five take a value.
fn wire_strategy(strategy: PollingStrategy) -> WirePollingStrategy {
    let named = match strategy.kind {
        PollingKind::Offset => WirePollingStrategy::offset(strategy.value),
        PollingKind::Timestamp => WirePollingStrategy::timestamp(strategy.value),
        PollingKind::First => WirePollingStrategy::first(),
        PollingKind::Last => WirePollingStrategy::last(),
        PollingKind::Next => WirePollingStrategy::next(),
    };
    WirePollingStrategy {
        kind: named.kind,
        value: strategy.value,
    }
}

proptest! {
    #[test]
    fn a_poll_is_theirs(
        consumer in consumer(),
        stream in identifier(),
        topic in identifier(),
        partition_id: Option<u32>,
        strategy in strategy(),
        count: u32,
        auto_commit: bool,
    ) {
        let theirs = PollMessagesRequest {
            consumer: wire_consumer(&consumer),
            stream_id: wire_identifier(&stream),
            topic_id: wire_identifier(&topic),
            partition_id,
            strategy: wire_strategy(strategy),
            count,
            auto_commit,
        };
        let ours = Request::PollMessages(PollMessages {
            consumer,
            stream,
            topic,
            partition_id,
            partition_layout: PartitionLayout::Flagged,
            strategy,
            count,
            auto_commit,
        });
        assert_same_request(code::POLL_MESSAGES, &theirs, &ours);
    }

    #[test]
    fn sent_messages_are_theirs(
        stream in identifier(),
        topic in identifier(),
        partitioning in partitioning(),
        messages in vec(sent_message(), 0..6),
    ) {
        let raw: Vec<RawMessage<'_>> = messages
            .iter()
            .map(|message| RawMessage {
                id: message.header.id,
                origin_timestamp: message.header.origin_timestamp,
                headers: Some(&message.user_headers[..]),
                payload: &message.payload,
            })
            .collect();
        let mut bytes = BytesMut::new();
        SendMessagesEncoder::encode(
            &mut bytes,
            &wire_identifier(&stream),
            &wire_identifier(&topic),
            &wire_partitioning(&partitioning),
            &raw,
        );
        let bytes = bytes.freeze();
        let ours = Request::SendMessages(SendMessages {
            stream,
            topic,
            partitioning,
            layout: layout_of(&messages),
            messages,
        });
        prop_assert_eq!(&ours.encode(), &bytes);
        prop_assert_eq!(&Request::decode(crate::DIALECT, code::SEND_MESSAGES, &bytes).unwrap(), &ours);
        assert_tiles(&ours.fields(8), 8..8 + bytes.len());
    }

    #[test]
    fn polled_messages_are_theirs(
        partition_id: u32,
        current_offset: u64,
        messages in vec(stored_message(), 0..6),
    ) {
        let count = u32::try_from(messages.len()).unwrap();
        let header = PollMessagesResponseHeader {
            partition_id,
            current_offset,
            messages_count: count,
        };
        let mut bytes = BytesMut::new();
        header.encode(&mut bytes);
        for message in &messages {
            bytes.extend_from_slice(&their_message(message).to_bytes());
        }
        let bytes = bytes.freeze();
        let ours = Reply::PolledMessages(PolledMessages {
            partition_id,
            current_offset,
            count,
            layout: layout_of(&messages),
            messages: messages.clone(),
            left_over: Bytes::new(),
        });
        prop_assert_eq!(&ours.encode(), &bytes);
        prop_assert_eq!(Reply::decode(crate::DIALECT, code::POLL_MESSAGES, &bytes).unwrap(), (ours.clone(), None));
        assert_tiles(&ours.fields(8), 8..8 + bytes.len());

        let theirs = PollMessagesResponse::decode(&bytes).unwrap();
        prop_assert_eq!(theirs.header, header);
        let views: Vec<_> = theirs.messages.map(Result::unwrap).collect();
        prop_assert_eq!(views.len(), messages.len());
        for (view, message) in views.iter().zip(&messages) {
            prop_assert_eq!(view.checksum(), message.header.checksum);
            prop_assert_eq!(view.id(), message.header.id);
            prop_assert_eq!(view.offset(), message.header.offset);
            prop_assert_eq!(view.timestamp(), message.header.timestamp);
            prop_assert_eq!(view.origin_timestamp(), message.header.origin_timestamp);
            prop_assert_eq!(view.payload(), &message.payload[..]);
            prop_assert_eq!(view.user_headers(), &message.user_headers[..]);
            prop_assert_eq!(view.total_size(), message.encoded_length());
        }
    }

    /// Case E5: what the client got before the cut is still shown, and the field
    /// tree covers every byte of the damaged body too.
    #[test]
    fn a_poll_reply_that_is_cut_short_keeps_its_whole_messages(
        messages in vec(stored_message(), 1..5),
        share in 0.0..1.0_f64,
    ) {
        let count = u32::try_from(messages.len()).unwrap();
        let whole = PolledMessages {
            partition_id: 0,
            current_offset: 9,
            count,
            layout: layout_of(&messages),
            messages: messages.clone(),
            left_over: Bytes::new(),
        }
        .encode();
        let span = whole.len() - 16;
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
        let kept = 16 + (span as f64 * share) as usize;
        let cut = whole.slice(..kept);
        let (reply, fault) = Reply::decode(crate::DIALECT, code::POLL_MESSAGES, &cut).unwrap();
        prop_assert!(fault.is_some());
        prop_assert_eq!(&reply.encode(), &cut);
        assert_tiles(&reply.fields(0), 0..kept);
        let Reply::PolledMessages(reply) = reply else { panic!("not a poll's reply") };
        prop_assert!(reply.messages.len() < messages.len());
        prop_assert_eq!(&reply.messages[..], &messages[..reply.messages.len()]);
    }
}
