use iggy_binary_protocol::WireConsumer;
use iggy_binary_protocol::primitives::ack_level::AckLevel;
use iggy_binary_protocol::requests::consumer_offsets::{
    DeleteConsumerOffsetRequest, GetConsumerOffsetRequest, StoreConsumerOffsetRequest,
};
use iggy_binary_protocol::responses::consumer_offsets::ConsumerOffsetResponse;
use parallax_codec::commands::{
    ConsumerOffset, DeleteConsumerOffset, GetConsumerOffset, StoreConsumerOffset,
};
use parallax_codec::primitives::{Ack, Consumer, ConsumerKind, PartitionLayout};
use parallax_codec::{Reply, Request, code};
use proptest::prelude::*;

use crate::support::{assert_same_reply, assert_same_request, identifier, wire_identifier};

pub(crate) fn consumer() -> impl Strategy<Value = Consumer> {
    let kinds = &[ConsumerKind::Consumer, ConsumerKind::Group][..];
    (proptest::sample::select(kinds), identifier()).prop_map(|(kind, id)| Consumer { kind, id })
}

pub(crate) fn wire_consumer(consumer: &Consumer) -> WireConsumer {
    let id = wire_identifier(&consumer.id);
    match consumer.kind {
        ConsumerKind::Consumer => WireConsumer::consumer(id),
        ConsumerKind::Group => WireConsumer::consumer_group(id),
    }
}

proptest! {
    #[test]
    fn requests_about_offsets_are_theirs(
        consumer in consumer(),
        stream in identifier(),
        topic in identifier(),
        partition_id: Option<u32>,
        offset: u64,
        quorum: bool,
    ) {
        let (ack, wire_ack) = if quorum {
            (Ack::Quorum, AckLevel::Quorum)
        } else {
            (Ack::None, AckLevel::NoAck)
        };
        let theirs = GetConsumerOffsetRequest {
            consumer: wire_consumer(&consumer),
            stream_id: wire_identifier(&stream),
            topic_id: wire_identifier(&topic),
            partition_id,
        };
        let get = GetConsumerOffset {
            consumer: consumer.clone(),
            stream: stream.clone(),
            topic: topic.clone(),
            partition_id,
            partition_layout: PartitionLayout::Flagged,
        };
        let ours = Request::GetConsumerOffset(get.clone());
        assert_same_request(code::GET_CONSUMER_OFFSET, &theirs, &ours);
        let ours = Request::GetConsumerOffsetRouting(get);
        assert_same_request(code::GET_CONSUMER_OFFSET_ROUTING, &theirs, &ours);
        let theirs = DeleteConsumerOffsetRequest {
            consumer: wire_consumer(&consumer),
            stream_id: wire_identifier(&stream),
            topic_id: wire_identifier(&topic),
            partition_id,
            ack: wire_ack,
        };
        let ours = Request::DeleteConsumerOffset(DeleteConsumerOffset {
            consumer: consumer.clone(),
            stream: stream.clone(),
            topic: topic.clone(),
            partition_id,
            partition_layout: PartitionLayout::Flagged,
            ack: Some(ack),
        });
        assert_same_request(code::DELETE_CONSUMER_OFFSET, &theirs, &ours);
        let theirs = StoreConsumerOffsetRequest {
            consumer: wire_consumer(&consumer),
            stream_id: wire_identifier(&stream),
            topic_id: wire_identifier(&topic),
            partition_id,
            offset,
            ack: wire_ack,
        };
        let ours = Request::StoreConsumerOffset(StoreConsumerOffset {
            consumer,
            stream,
            topic,
            partition_id,
            partition_layout: PartitionLayout::Flagged,
            offset,
            ack: Some(ack),
        });
        assert_same_request(code::STORE_CONSUMER_OFFSET, &theirs, &ours);
    }

    #[test]
    fn a_stored_offset_is_theirs(partition_id: u32, current_offset: u64, stored_offset: u64) {
        let theirs = ConsumerOffsetResponse { partition_id, current_offset, stored_offset };
        let ours = ConsumerOffset { partition_id, current_offset, stored_offset };
        assert_same_reply(&[code::GET_CONSUMER_OFFSET], &theirs, &Reply::ConsumerOffset(ours));
    }
}
