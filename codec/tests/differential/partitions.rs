use iggy_binary_protocol::requests::messages::FlushUnsavedBufferRequest;
use iggy_binary_protocol::requests::partitions::{
    CreatePartitionsRequest, DeletePartitionsRequest,
};
use iggy_binary_protocol::requests::segments::DeleteSegmentsRequest;
use parallax_codec::commands::{ChangePartitions, DeleteSegments, FlushUnsavedBuffer};
use parallax_codec::{Request, code};
use proptest::prelude::*;

use crate::support::{assert_same_request, identifier, wire_identifier};

proptest! {
    #[test]
    fn requests_about_partitions_are_theirs(
        stream in identifier(),
        topic in identifier(),
        partitions_count: u32,
        partition_id: u32,
        segments_count: u32,
        fsync: bool,
    ) {
        let stream_id = wire_identifier(&stream);
        let topic_id = wire_identifier(&topic);
        let change = ChangePartitions {
            stream: stream.clone(),
            topic: topic.clone(),
            partitions_count,
        };
        assert_same_request(
            code::CREATE_PARTITIONS,
            &CreatePartitionsRequest {
                stream_id: stream_id.clone(),
                topic_id: topic_id.clone(),
                partitions_count,
            },
            &Request::CreatePartitions(change.clone()),
        );
        assert_same_request(
            code::DELETE_PARTITIONS,
            &DeletePartitionsRequest {
                stream_id: stream_id.clone(),
                topic_id: topic_id.clone(),
                partitions_count,
            },
            &Request::DeletePartitions(change),
        );
        assert_same_request(
            code::DELETE_SEGMENTS,
            &DeleteSegmentsRequest {
                stream_id: stream_id.clone(),
                topic_id: topic_id.clone(),
                partition_id,
                segments_count,
            },
            &Request::DeleteSegments(DeleteSegments {
                stream: stream.clone(),
                topic: topic.clone(),
                partition_id,
                segments_count,
            }),
        );
        assert_same_request(
            code::FLUSH_UNSAVED_BUFFER,
            &FlushUnsavedBufferRequest { stream_id, topic_id, partition_id, fsync },
            &Request::FlushUnsavedBuffer(FlushUnsavedBuffer { stream, topic, partition_id, fsync }),
        );
    }
}
