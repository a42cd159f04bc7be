use iggy_binary_protocol::requests::consumer_groups::SyncConsumerGroupRequest;
use iggy_binary_protocol::requests::system::AttachConsumerSessionRequest;
use iggy_binary_protocol::responses::consumer_groups::SyncConsumerGroupResponse;
use iggy_binary_protocol::responses::messages::{
    PollRoutingResponse, SendMessagesConfirmationResponse, SendMessagesResponse,
};
use iggy_binary_protocol::responses::system::ClusterNodeResponse;
use parallax_codec::commands::{
    Assignment, AttachConsumerSession, ClusterNode, Confirmation, Confirmations, GroupRef,
    PollRouting,
};
use parallax_codec::{Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{assert_same_reply, assert_same_request, identifier, wire_identifier};

proptest! {
    #[test]
    fn a_session_to_attach_and_where_to_poll_are_theirs(
        numbers in any::<(u128, u64, u64)>(),
        ports in any::<(u16, u16, u16, u16, u8, u8)>(),
        name in "[a-z]{0,300}",
        ip in "[0-9.]{0,15}",
    ) {
        let (client_id, session, metadata_watermark) = numbers;
        let theirs = AttachConsumerSessionRequest { client_id, session, metadata_watermark };
        let consumer_session = AttachConsumerSession { client_id, session, metadata_watermark };
        assert_same_request(
            code::ATTACH_CONSUMER_SESSION,
            &theirs,
            &Request::AttachConsumerSession(consumer_session),
        );
        let theirs = PollRoutingResponse {
            consumer_session: theirs,
            primary: ClusterNodeResponse {
                name: name.clone(),
                ip: ip.clone(),
                tcp_port: ports.0,
                quic_port: ports.1,
                http_port: ports.2,
                websocket_port: ports.3,
                role: ports.4,
                status: ports.5,
            },
        };
        let ours = Reply::PollRouting(PollRouting {
            consumer_session,
            primary: ClusterNode {
                name,
                ip,
                tcp_port: ports.0,
                quic_port: ports.1,
                http_port: ports.2,
                websocket_port: ports.3,
                role: ports.4,
                status: ports.5,
            },
        });
        let codes = [code::GET_POLL_ROUTING, code::GET_CONSUMER_OFFSET_ROUTING];
        assert_same_reply(&codes, &theirs, &ours);
    }

    #[test]
    fn an_assignment_is_theirs(
        stream in identifier(),
        topic in identifier(),
        group in identifier(),
        generation: u64,
        partitions in vec(any::<u32>(), 0..6),
    ) {
        assert_same_request(
            code::SYNC_CONSUMER_GROUP,
            &SyncConsumerGroupRequest {
                stream_id: wire_identifier(&stream),
                topic_id: wire_identifier(&topic),
                group_id: wire_identifier(&group),
            },
            &Request::SyncConsumerGroup(GroupRef { stream, topic, group }),
        );
        let theirs = SyncConsumerGroupResponse { generation, partitions: partitions.clone() };
        let ours = Reply::Assignment(Assignment { generation, partitions });
        assert_same_reply(&[code::SYNC_CONSUMER_GROUP], &theirs, &ours);
    }

    #[test]
    fn confirmations_are_theirs(numbers in vec(any::<(u32, u32, u32, u64)>(), 0..5)) {
        let theirs = SendMessagesResponse {
            confirmations: numbers
                .iter()
                .map(|numbers| SendMessagesConfirmationResponse {
                    stream_id: numbers.0,
                    topic_id: numbers.1,
                    partition_id: numbers.2,
                    base_offset: numbers.3,
                })
                .collect(),
        };
        let ours = Confirmations {
            confirmations: numbers
                .iter()
                .map(|numbers| Confirmation {
                    stream_id: numbers.0,
                    topic_id: numbers.1,
                    partition_id: numbers.2,
                    base_offset: numbers.3,
                })
                .collect(),
        };
        assert_same_reply(&[code::SEND_MESSAGES], &theirs, &Reply::Confirmations(ours));
    }
}
