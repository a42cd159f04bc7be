//! Bytes that no client and no server wrote: nothing panics, and where we read
//! something, they read the same.

use bytes::{BufMut as _, Bytes, BytesMut};
use iggy_binary_protocol::requests::{
    consumer_groups as groups, consumer_offsets as offsets, messages, partitions,
    personal_access_tokens as tokens, segments, streams, system, topics, users,
};
use iggy_binary_protocol::responses;
use parallax_codec::messages::parse_user_headers;
use parallax_codec::{COMMANDS, Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::messages::stored_message;
use crate::support::{
    assert_agree, assert_tiles, is_of_two_layouts, is_reply_of_two_layouts, our_reply, our_request,
    their_reading,
};

pub(crate) type Canonical = fn(&[u8]) -> Option<Bytes>;

const REQUESTS: &[(u32, Canonical)] = &[
    (code::PING, their_reading::<system::PingRequest>),
    (code::GET_STATS, their_reading::<system::GetStatsRequest>),
    (
        code::GET_SNAPSHOT_FILE,
        their_reading::<system::GetSnapshotRequest>,
    ),
    (
        code::GET_CLUSTER_METADATA,
        their_reading::<system::GetClusterMetadataRequest>,
    ),
    (code::GET_ME, their_reading::<system::GetMeRequest>),
    (code::GET_CLIENT, their_reading::<system::GetClientRequest>),
    (
        code::GET_CLIENTS,
        their_reading::<system::GetClientsRequest>,
    ),
    (code::GET_USER, their_reading::<users::GetUserRequest>),
    (code::GET_USERS, their_reading::<users::GetUsersRequest>),
    (code::CREATE_USER, their_reading::<users::CreateUserRequest>),
    (code::DELETE_USER, their_reading::<users::DeleteUserRequest>),
    (code::UPDATE_USER, their_reading::<users::UpdateUserRequest>),
    (
        code::UPDATE_PERMISSIONS,
        their_reading::<users::UpdatePermissionsRequest>,
    ),
    (
        code::CHANGE_PASSWORD,
        their_reading::<users::ChangePasswordRequest>,
    ),
    (code::LOGIN_USER, their_reading::<users::LoginUserRequest>),
    (code::LOGOUT_USER, their_reading::<users::LogoutUserRequest>),
    (
        code::GET_PERSONAL_ACCESS_TOKENS,
        their_reading::<tokens::GetPersonalAccessTokensRequest>,
    ),
    (
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        their_reading::<tokens::CreatePersonalAccessTokenRequest>,
    ),
    (
        code::DELETE_PERSONAL_ACCESS_TOKEN,
        their_reading::<tokens::DeletePersonalAccessTokenRequest>,
    ),
    (
        code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
        their_reading::<tokens::LoginWithPersonalAccessTokenRequest>,
    ),
    (
        code::POLL_MESSAGES,
        their_reading::<messages::PollMessagesRequest>,
    ),
    (
        code::FLUSH_UNSAVED_BUFFER,
        their_reading::<messages::FlushUnsavedBufferRequest>,
    ),
    (
        code::GET_CONSUMER_OFFSET,
        their_reading::<offsets::GetConsumerOffsetRequest>,
    ),
    (
        code::STORE_CONSUMER_OFFSET,
        their_reading::<offsets::StoreConsumerOffsetRequest>,
    ),
    (
        code::DELETE_CONSUMER_OFFSET,
        their_reading::<offsets::DeleteConsumerOffsetRequest>,
    ),
    (code::GET_STREAM, their_reading::<streams::GetStreamRequest>),
    (
        code::GET_STREAMS,
        their_reading::<streams::GetStreamsRequest>,
    ),
    (
        code::CREATE_STREAM,
        their_reading::<streams::CreateStreamRequest>,
    ),
    (
        code::DELETE_STREAM,
        their_reading::<streams::DeleteStreamRequest>,
    ),
    (
        code::UPDATE_STREAM,
        their_reading::<streams::UpdateStreamRequest>,
    ),
    (
        code::PURGE_STREAM,
        their_reading::<streams::PurgeStreamRequest>,
    ),
    (code::GET_TOPIC, their_reading::<topics::GetTopicRequest>),
    (code::GET_TOPICS, their_reading::<topics::GetTopicsRequest>),
    (
        code::CREATE_TOPIC,
        their_reading::<topics::CreateTopicRequest>,
    ),
    (
        code::DELETE_TOPIC,
        their_reading::<topics::DeleteTopicRequest>,
    ),
    (
        code::UPDATE_TOPIC,
        their_reading::<topics::UpdateTopicRequest>,
    ),
    (
        code::PURGE_TOPIC,
        their_reading::<topics::PurgeTopicRequest>,
    ),
    (
        code::CREATE_PARTITIONS,
        their_reading::<partitions::CreatePartitionsRequest>,
    ),
    (
        code::DELETE_PARTITIONS,
        their_reading::<partitions::DeletePartitionsRequest>,
    ),
    (
        code::DELETE_SEGMENTS,
        their_reading::<segments::DeleteSegmentsRequest>,
    ),
    (
        code::GET_CONSUMER_GROUP,
        their_reading::<groups::GetConsumerGroupRequest>,
    ),
    (
        code::GET_CONSUMER_GROUPS,
        their_reading::<groups::GetConsumerGroupsRequest>,
    ),
    (
        code::CREATE_CONSUMER_GROUP,
        their_reading::<groups::CreateConsumerGroupRequest>,
    ),
    (
        code::DELETE_CONSUMER_GROUP,
        their_reading::<groups::DeleteConsumerGroupRequest>,
    ),
    (
        code::JOIN_CONSUMER_GROUP,
        their_reading::<groups::JoinConsumerGroupRequest>,
    ),
    (
        code::LEAVE_CONSUMER_GROUP,
        their_reading::<groups::LeaveConsumerGroupRequest>,
    ),
];

const REPLIES: &[(u32, Canonical)] = &[
    (
        code::GET_STATS,
        their_reading::<responses::system::StatsResponse>,
    ),
    (
        code::GET_SNAPSHOT_FILE,
        their_reading::<responses::system::GetSnapshotResponse>,
    ),
    (
        code::GET_CLUSTER_METADATA,
        their_reading::<responses::system::ClusterMetadataResponse>,
    ),
    (
        code::GET_ME,
        their_reading::<responses::system::GetMeResponse>,
    ),
    (
        code::GET_CLIENT,
        their_reading::<responses::clients::ClientDetailsResponse>,
    ),
    (
        code::GET_CLIENTS,
        their_reading::<responses::clients::GetClientsResponse>,
    ),
    (
        code::GET_USER,
        their_reading::<responses::users::UserDetailsResponse>,
    ),
    (
        code::GET_USERS,
        their_reading::<responses::users::GetUsersResponse>,
    ),
    (
        code::LOGIN_USER,
        their_reading::<responses::users::IdentityResponse>,
    ),
    (
        code::GET_PERSONAL_ACCESS_TOKENS,
        their_reading::<responses::personal_access_tokens::GetPersonalAccessTokensResponse>,
    ),
    (
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        their_reading::<responses::personal_access_tokens::RawPersonalAccessTokenResponse>,
    ),
    (
        code::GET_CONSUMER_OFFSET,
        their_reading::<responses::consumer_offsets::ConsumerOffsetResponse>,
    ),
    (
        code::GET_STREAM,
        their_reading::<responses::streams::GetStreamResponse>,
    ),
    (
        code::GET_STREAMS,
        their_reading::<responses::streams::GetStreamsResponse>,
    ),
    (
        code::GET_TOPIC,
        their_reading::<responses::topics::GetTopicResponse>,
    ),
    (
        code::GET_TOPICS,
        their_reading::<responses::topics::GetTopicsResponse>,
    ),
    (
        code::GET_CONSUMER_GROUP,
        their_reading::<responses::consumer_groups::ConsumerGroupDetailsResponse>,
    ),
    (
        code::GET_CONSUMER_GROUPS,
        their_reading::<responses::consumer_groups::GetConsumerGroupsResponse>,
    ),
];

#[test]
fn every_request_is_compared() {
    let compared = REQUESTS.iter().chain(crate::MORE_REQUESTS);
    let compared = compared.map(|(code, _)| *code);
    let mut compared: Vec<u32> = compared.chain([code::SEND_MESSAGES]).collect();
    compared.sort_unstable();
    let known = COMMANDS
        .iter()
        .filter(|command| command.is_in(crate::DIALECT));
    assert_eq!(
        compared,
        known.map(|command| command.code).collect::<Vec<_>>()
    );
}

/// Pieces of bodies, so that random ones get further than their first byte.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(vec![1, 4, 7, 0, 0, 0]),
        Just(vec![2, 3, b'a', b'b', b'c']),
        Just(vec![3, b'a', b'b', b'c']),
        (0_u32..3).prop_map(|number| number.to_le_bytes().to_vec()),
        any::<u64>().prop_map(|number| number.to_le_bytes().to_vec()),
        (0_u8..4).prop_map(|number| vec![number]),
        vec(any::<u8>(), 0..12),
        stored_message().prop_map(|message| {
            let mut bytes = BytesMut::new();
            bytes.put_bytes(0, 48);
            bytes.put_u32_le(message.header.user_headers_length);
            bytes.put_u32_le(message.header.payload_length);
            bytes.put_u64_le(0);
            bytes.extend_from_slice(&message.payload);
            bytes.extend_from_slice(&message.user_headers);
            bytes.to_vec()
        }),
    ]
}

fn body() -> impl Strategy<Value = Bytes> {
    vec(piece(), 0..14).prop_map(|pieces| pieces.concat().into())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn requests_are_read_as_they_read_them(body in body()) {
        let all = REQUESTS.iter().chain(crate::MORE_REQUESTS);
        for (code, theirs) in all.filter(|(code, _)| !is_of_two_layouts(*code, &body)) {
            let ours = our_request(*code, &body);
            assert_agree(&body, ours, theirs(&body).as_ref());
        }
    }

    #[test]
    fn replies_are_read_as_they_read_them(body in body()) {
        prop_assume!(!body.is_empty());
        let all = REPLIES.iter().chain(crate::MORE_REPLIES);
        for (code, theirs) in all.filter(|(code, _)| !is_reply_of_two_layouts(*code, &body)) {
            let ours = our_reply(*code, &body);
            assert_agree(&body, ours, theirs(&body).as_ref());
        }
    }

    #[test]
    fn no_body_of_any_command_is_too_odd_to_be_looked_at(
        body in prop_oneof![body(), vec(any::<u8>(), 0..200).prop_map(Bytes::from)],
        odd_code: u32,
    ) {
        for code in COMMANDS.iter().map(|command| command.code).chain([odd_code]) {
            if let Ok(request) = Request::decode(crate::DIALECT, code, &body) {
                assert_tiles(&request.fields(8), 8..8 + body.len());
            }
            if let Ok((reply, _)) = Reply::decode(crate::DIALECT, code, &body) {
                assert_tiles(&reply.fields(8), 8..8 + body.len());
            }
        }
        let _ = parse_user_headers(&body);
    }
}
