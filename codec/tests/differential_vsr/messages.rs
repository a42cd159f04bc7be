use bytes::{BufMut as _, Bytes, BytesMut};
use iggy_binary_protocol::batch::{
    BATCH_HEADER_SIZE, BatchHeader as TheirHeader, decode_batch_slice,
};
use iggy_binary_protocol::requests::messages::{
    PollMessagesRequest, RawMessage, SendMessagesEncoder,
};
use iggy_binary_protocol::responses::messages::poll_messages::PollMessagesResponse;
use iggy_binary_protocol::{WirePartitioning, WirePollingStrategy};
use parallax_codec::commands::{PollMessages, PolledMessages, SendMessages};
use parallax_codec::messages::{
    Batch, BatchHeader, HeaderLayout, Message, MessageHeader, MessageLayout, MessageViews,
};
use parallax_codec::primitives::{PartitionLayout, Partitioning, PollingKind, PollingStrategy};
use parallax_codec::{Checksum, Dialect, Encode as _, Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::offsets::{consumer, wire_consumer};
use crate::support::{assert_same_request, assert_tiles, identifier, wire_identifier};

/// A message as a producer makes it, within 71 minutes of the others.
fn message() -> impl Strategy<Value = Message> {
    let bytes = |from| vec(any::<u8>(), from..60).prop_map(Bytes::from);
    (any::<u128>(), any::<u32>(), bytes(1), bytes(0)).prop_map(
        |(id, time, payload, user_headers)| Message {
            header: MessageHeader {
                id,
                origin_timestamp: 1_700_000_000_000_000 + u64::from(time),
                payload_length: u32::try_from(payload.len()).unwrap(),
                user_headers_length: u32::try_from(user_headers.len()).unwrap(),
                ..MessageHeader::default()
            },
            payload,
            user_headers,
        },
    )
}

/// A message as the classic dialect lays it out.
pub(crate) fn stored_message() -> impl Strategy<Value = Message> {
    message()
}

fn raw(message: &Message) -> RawMessage<'_> {
    RawMessage {
        id: message.header.id,
        origin_timestamp: message.header.origin_timestamp,
        headers: Some(&message.user_headers[..]),
        payload: &message.payload,
    }
}

/// Their send request of these messages.
fn sent(stream: &parallax_codec::primitives::Identifier, messages: &[Message]) -> Bytes {
    let raw: Vec<_> = messages.iter().map(raw).collect();
    let mut bytes = BytesMut::new();
    let id = wire_identifier(stream);
    SendMessagesEncoder::encode(&mut bytes, &id, &id, &WirePartitioning::Balanced, &raw).unwrap();
    bytes.freeze()
}

/// A record as a server serves it, cut to the messages from `skipped` on.
fn record(messages: &[Message], base_offset: u64, skipped: usize) -> Bytes {
    let stream = parallax_codec::primitives::Identifier::Numeric(1);
    let bytes = sent(&stream, messages);
    let metadata = 4 + usize::try_from(u32::from_le_bytes(bytes[..4].try_into().unwrap())).unwrap();
    let batch = bytes.slice(metadata..);
    let skip: usize = messages[..skipped]
        .iter()
        .map(|m| 48 + m.payload.len() + m.user_headers.len())
        .sum();
    let blob = &batch[BATCH_HEADER_SIZE + skip..];
    let mut header = TheirHeader::decode(&batch).unwrap();
    header.partition_id = 3;
    header.base_offset = base_offset;
    header.base_timestamp = 77;
    header.batch_length = (BATCH_HEADER_SIZE + blob.len()) as u64;
    header.message_count = u32::try_from(messages.len() - skipped).unwrap();
    header.batch_checksum = header.checksum_for_blob(blob);
    let mut record = vec![0; BATCH_HEADER_SIZE];
    header.encode_into(&mut record);
    record.extend_from_slice(blob);
    record.into()
}

fn reply(count: usize, records: &[Bytes]) -> Bytes {
    let mut body = BytesMut::new();
    body.put_u32_le(3);
    body.put_u64_le(1000);
    body.put_u32_le(u32::try_from(count).unwrap());
    for record in records {
        body.put_slice(record);
    }
    body.freeze()
}

proptest! {
    #[test]
    fn a_poll_is_theirs_under_each_of_its_codes(
        consumer in consumer(),
        stream in identifier(),
        topic in identifier(),
        partition_id: Option<u32>,
        kind in proptest::sample::select(&PollingKind::ALL[..]),
        value: u64,
        count: u32,
        auto_commit: bool,
    ) {
        let theirs = PollMessagesRequest {
            consumer: wire_consumer(&consumer),
            stream_id: wire_identifier(&stream),
            topic_id: wire_identifier(&topic),
            partition_id,
            strategy: WirePollingStrategy { kind: kind.number(), value },
            count,
            auto_commit,
        };
        let ours = PollMessages {
            consumer,
            stream,
            topic,
            partition_id,
            partition_layout: PartitionLayout::Flagged,
            strategy: PollingStrategy { kind, value },
            count,
            auto_commit,
        };
        assert_same_request(code::POLL_MESSAGES, &theirs, &Request::PollMessages(ours.clone()));
        assert_same_request(
            code::GET_POLL_ROUTING,
            &theirs,
            &Request::GetPollRouting(ours.clone()),
        );
        assert_same_request(
            code::POLL_MESSAGES_ON_PRIMARY,
            &theirs,
            &Request::PollMessagesOnPrimary(ours),
        );
    }

    #[test]
    fn sent_messages_are_theirs_checksums_included(
        stream in identifier(),
        messages in vec(message(), 1..6),
    ) {
        let bytes = sent(&stream, &messages);
        let mut messages = messages;
        let batch = Batch::of_producer(&mut messages);
        let ours = SendMessages {
            stream: stream.clone(),
            topic: stream,
            partitioning: Partitioning::Balanced,
            layout: MessageLayout::Batches(vec![batch]),
            messages,
        };
        let request = Request::SendMessages(ours.clone());
        prop_assert_eq!(&request.encode(), &bytes);
        prop_assert_eq!(&Request::decode(Dialect::Vsr, code::SEND_MESSAGES, &bytes).unwrap(), &request);
        assert_tiles(&request.fields(256), 256..256 + bytes.len());
        prop_assert!(ours.layout.verify(&ours.messages).iter().all(|sum| *sum == Checksum::Right));
        prop_assert_eq!(ours.layout.verify_batches(&ours.messages), [Checksum::Right]);
    }

    /// Case D5: a record may be cut to what was asked for, and its base offset is
    /// then that of no message.
    #[test]
    fn polled_records_are_theirs(
        first in vec(message(), 1..5),
        second in vec(message(), 1..5),
        base in 0..1_000_000_u64,
        skip in any::<prop::sample::Index>(),
    ) {
        let skipped = skip.index(first.len());
        let records = [
            record(&first, base, skipped),
            record(&second, base + first.len() as u64, 0),
        ];
        let count = first.len() - skipped + second.len();
        let body = reply(count, &records);
        let (reply, fault) = Reply::decode(Dialect::Vsr, code::POLL_MESSAGES, &body).unwrap();
        prop_assert_eq!(fault, None);
        prop_assert_eq!(&reply.encode(), &body);
        assert_tiles(&reply.fields(256), 256..256 + body.len());
        let Reply::PolledMessages(ours) = reply else { panic!("not a poll's reply") };
        let theirs: Vec<_> =
            PollMessagesResponse::decode(&body).unwrap().messages.map(Result::unwrap).collect();
        prop_assert_eq!(ours.messages.len(), theirs.len());
        let mut views = MessageViews::new(HeaderLayout::Batches, &body[16..]);
        for (ours, theirs) in ours.messages.iter().zip(&theirs) {
            prop_assert_eq!(ours.header.checksum, theirs.checksum);
            prop_assert_eq!(ours.header.id, theirs.id);
            prop_assert_eq!(ours.header.offset, theirs.offset);
            prop_assert_eq!(ours.header.timestamp, theirs.timestamp);
            prop_assert_eq!(ours.header.origin_timestamp, theirs.origin_timestamp);
            prop_assert_eq!(&ours.payload[..], theirs.payload);
            prop_assert_eq!(&ours.user_headers[..], theirs.user_headers);
            let view = views.next().unwrap();
            prop_assert_eq!(view.header, ours.header);
            prop_assert_eq!(view.payload, theirs.payload);
        }
        prop_assert_eq!(views.next(), None);
        prop_assert_eq!(views.failure(), None);
        let sums = ours.layout.verify_batches(&ours.messages);
        prop_assert_eq!(sums, [Checksum::Right; 2]);
        let MessageLayout::Batches(batches) = &ours.layout else { panic!("no records") };
        let mut rest = &ours.messages[..];
        for batch in batches {
            let (frames, others) = rest.split_at(batch.frames);
            rest = others;
            let bases = BatchHeader {
                batch_length: 0,
                batch_checksum: 0,
                message_count: 0,
                ..batch.header
            };
            prop_assert_eq!(&Batch::of_server(bases, frames), batch);
        }
        for record in &records {
            prop_assert!(decode_batch_slice(record).is_ok());
        }
    }

    /// Case E5: what was read before the cut is shown, no byte is lost, and the
    /// cut is not taken for another layout.
    #[test]
    fn a_cut_poll_reply_keeps_what_could_be_read(
        messages in vec(message(), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let whole = reply(messages.len(), &[record(&messages, 7, 0)]);
        let kept = 16 + cut.index(whole.len() - 16);
        let body = whole.slice(..kept);
        let (reply, fault) = Reply::decode(Dialect::Vsr, code::POLL_MESSAGES, &body).unwrap();
        prop_assert!(fault.is_some());
        prop_assert_eq!(&reply.encode(), &body);
        assert_tiles(&reply.fields(0), 0..kept);
        let Reply::PolledMessages(reply) = reply else { panic!("not a poll's reply") };
        prop_assert!(reply.messages.len() < messages.len());
        for (offset, message) in (7..).zip(&reply.messages) {
            prop_assert_eq!(message.header.offset, offset);
        }
    }

    #[test]
    fn a_changed_byte_shows_in_a_checksum_or_in_the_layout_as_it_does_with_them(
        messages in vec(message(), 1..4),
        place in any::<prop::sample::Index>(),
        change in 1..=u8::MAX,
    ) {
        let mut bytes = record(&messages, 7, 0).to_vec();
        let place = place.index(bytes.len());
        bytes[place] ^= change;
        let record = Bytes::from(bytes);
        prop_assert!(decode_batch_slice(&record).is_err());
        let body = reply(messages.len(), &[record]);
        let (reply, fault) = PolledMessages::decode_leniently(Dialect::Vsr, &body).unwrap();
        let sums = [
            reply.layout.verify(&reply.messages),
            reply.layout.verify_batches(&reply.messages),
        ]
        .concat();
        let is_right = sums.iter().all(|sum| *sum == Checksum::Right);
        prop_assert!(fault.is_some() || !is_right, "byte {}", place);
    }
}

/// A record cut at the right byte of its header, or of the frame behind it, reads as
/// messages of the older layouts: as many as it counts, without payload.
#[test]
fn a_cut_record_is_not_taken_for_older_messages() {
    for count in 1..=6 {
        let message = Message {
            header: MessageHeader::default(),
            payload: Bytes::from_static(b"payload"),
            user_headers: Bytes::new(),
        };
        let messages = vec![message; count];
        let whole = reply(count, &[record(&messages, 7, 0)]);
        for kept in 17..whole.len() {
            let body = whole.slice(..kept);
            let (reply, fault) = PolledMessages::decode_leniently(Dialect::Vsr, &body).unwrap();
            assert!(fault.is_some(), "{count} messages, {kept} bytes kept");
            assert!(reply.messages.len() < count);
        }
    }
}
