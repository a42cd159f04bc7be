//! Bytes that no client and no server wrote: nothing panics, and where we read
//! something, they read the same.

use bytes::{BufMut as _, Bytes, BytesMut};
use iggy_binary_protocol::codec::{WireDecode, WireEncode};
use iggy_binary_protocol::requests::{
    consumer_groups as groups, consumer_offsets as offsets, messages, partitions,
    personal_access_tokens as tokens, segments, streams, system, topics, users,
};
use iggy_binary_protocol::responses;
use parallax_codec::messages::parse_user_headers;
use parallax_codec::{COMMANDS, Encode as _, Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::messages::stored_message;
use crate::support::assert_tiles;

/// What a body says once read and written anew; `None` where it cannot be read
/// to its end.
type Canonical = fn(&[u8]) -> Option<Bytes>;

fn theirs<T: WireDecode + WireEncode>(body: &[u8]) -> Option<Bytes> {
    let (value, consumed) = T::decode(body).ok()?;
    (consumed == body.len()).then(|| value.to_bytes())
}

const REQUESTS: &[(u32, Canonical)] = &[
    (code::PING, theirs::<system::PingRequest>),
    (code::GET_STATS, theirs::<system::GetStatsRequest>),
    (
        code::GET_SNAPSHOT_FILE,
        theirs::<system::GetSnapshotRequest>,
    ),
    (
        code::GET_CLUSTER_METADATA,
        theirs::<system::GetClusterMetadataRequest>,
    ),
    (code::GET_ME, theirs::<system::GetMeRequest>),
    (code::GET_CLIENT, theirs::<system::GetClientRequest>),
    (code::GET_CLIENTS, theirs::<system::GetClientsRequest>),
    (code::GET_USER, theirs::<users::GetUserRequest>),
    (code::GET_USERS, theirs::<users::GetUsersRequest>),
    (code::CREATE_USER, theirs::<users::CreateUserRequest>),
    (code::DELETE_USER, theirs::<users::DeleteUserRequest>),
    (code::UPDATE_USER, theirs::<users::UpdateUserRequest>),
    (
        code::UPDATE_PERMISSIONS,
        theirs::<users::UpdatePermissionsRequest>,
    ),
    (
        code::CHANGE_PASSWORD,
        theirs::<users::ChangePasswordRequest>,
    ),
    (code::LOGIN_USER, theirs::<users::LoginUserRequest>),
    (code::LOGOUT_USER, theirs::<users::LogoutUserRequest>),
    (
        code::GET_PERSONAL_ACCESS_TOKENS,
        theirs::<tokens::GetPersonalAccessTokensRequest>,
    ),
    (
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        theirs::<tokens::CreatePersonalAccessTokenRequest>,
    ),
    (
        code::DELETE_PERSONAL_ACCESS_TOKEN,
        theirs::<tokens::DeletePersonalAccessTokenRequest>,
    ),
    (
        code::LOGIN_WITH_PERSONAL_ACCESS_TOKEN,
        theirs::<tokens::LoginWithPersonalAccessTokenRequest>,
    ),
    (code::POLL_MESSAGES, theirs::<messages::PollMessagesRequest>),
    (
        code::FLUSH_UNSAVED_BUFFER,
        theirs::<messages::FlushUnsavedBufferRequest>,
    ),
    (
        code::GET_CONSUMER_OFFSET,
        theirs::<offsets::GetConsumerOffsetRequest>,
    ),
    (
        code::STORE_CONSUMER_OFFSET,
        theirs::<offsets::StoreConsumerOffsetRequest>,
    ),
    (
        code::DELETE_CONSUMER_OFFSET,
        theirs::<offsets::DeleteConsumerOffsetRequest>,
    ),
    (code::GET_STREAM, theirs::<streams::GetStreamRequest>),
    (code::GET_STREAMS, theirs::<streams::GetStreamsRequest>),
    (code::CREATE_STREAM, theirs::<streams::CreateStreamRequest>),
    (code::DELETE_STREAM, theirs::<streams::DeleteStreamRequest>),
    (code::UPDATE_STREAM, theirs::<streams::UpdateStreamRequest>),
    (code::PURGE_STREAM, theirs::<streams::PurgeStreamRequest>),
    (code::GET_TOPIC, theirs::<topics::GetTopicRequest>),
    (code::GET_TOPICS, theirs::<topics::GetTopicsRequest>),
    (code::CREATE_TOPIC, theirs::<topics::CreateTopicRequest>),
    (code::DELETE_TOPIC, theirs::<topics::DeleteTopicRequest>),
    (code::UPDATE_TOPIC, theirs::<topics::UpdateTopicRequest>),
    (code::PURGE_TOPIC, theirs::<topics::PurgeTopicRequest>),
    (
        code::CREATE_PARTITIONS,
        theirs::<partitions::CreatePartitionsRequest>,
    ),
    (
        code::DELETE_PARTITIONS,
        theirs::<partitions::DeletePartitionsRequest>,
    ),
    (
        code::DELETE_SEGMENTS,
        theirs::<segments::DeleteSegmentsRequest>,
    ),
    (
        code::GET_CONSUMER_GROUP,
        theirs::<groups::GetConsumerGroupRequest>,
    ),
    (
        code::GET_CONSUMER_GROUPS,
        theirs::<groups::GetConsumerGroupsRequest>,
    ),
    (
        code::CREATE_CONSUMER_GROUP,
        theirs::<groups::CreateConsumerGroupRequest>,
    ),
    (
        code::DELETE_CONSUMER_GROUP,
        theirs::<groups::DeleteConsumerGroupRequest>,
    ),
    (
        code::JOIN_CONSUMER_GROUP,
        theirs::<groups::JoinConsumerGroupRequest>,
    ),
    (
        code::LEAVE_CONSUMER_GROUP,
        theirs::<groups::LeaveConsumerGroupRequest>,
    ),
];

const REPLIES: &[(u32, Canonical)] = &[
    (code::GET_STATS, theirs::<responses::system::StatsResponse>),
    (
        code::GET_SNAPSHOT_FILE,
        theirs::<responses::system::GetSnapshotResponse>,
    ),
    (
        code::GET_CLUSTER_METADATA,
        theirs::<responses::system::ClusterMetadataResponse>,
    ),
    (code::GET_ME, theirs::<responses::system::GetMeResponse>),
    (
        code::GET_CLIENT,
        theirs::<responses::clients::ClientDetailsResponse>,
    ),
    (
        code::GET_CLIENTS,
        theirs::<responses::clients::GetClientsResponse>,
    ),
    (
        code::GET_USER,
        theirs::<responses::users::UserDetailsResponse>,
    ),
    (
        code::GET_USERS,
        theirs::<responses::users::GetUsersResponse>,
    ),
    (
        code::LOGIN_USER,
        theirs::<responses::users::IdentityResponse>,
    ),
    (
        code::GET_PERSONAL_ACCESS_TOKENS,
        theirs::<responses::personal_access_tokens::GetPersonalAccessTokensResponse>,
    ),
    (
        code::CREATE_PERSONAL_ACCESS_TOKEN,
        theirs::<responses::personal_access_tokens::RawPersonalAccessTokenResponse>,
    ),
    (
        code::GET_CONSUMER_OFFSET,
        theirs::<responses::consumer_offsets::ConsumerOffsetResponse>,
    ),
    (
        code::GET_STREAM,
        theirs::<responses::streams::GetStreamResponse>,
    ),
    (
        code::GET_STREAMS,
        theirs::<responses::streams::GetStreamsResponse>,
    ),
    (
        code::GET_TOPIC,
        theirs::<responses::topics::GetTopicResponse>,
    ),
    (
        code::GET_TOPICS,
        theirs::<responses::topics::GetTopicsResponse>,
    ),
    (
        code::GET_CONSUMER_GROUP,
        theirs::<responses::consumer_groups::ConsumerGroupDetailsResponse>,
    ),
    (
        code::GET_CONSUMER_GROUPS,
        theirs::<responses::consumer_groups::GetConsumerGroupsResponse>,
    ),
];

#[test]
fn every_classic_request_is_compared() {
    let compared = REQUESTS.iter().map(|(code, _)| *code);
    let mut compared: Vec<u32> = compared.chain([code::SEND_MESSAGES]).collect();
    compared.sort_unstable();
    let classic = COMMANDS.iter().filter(|command| command.classic);
    assert_eq!(
        compared,
        classic.map(|command| command.code).collect::<Vec<_>>()
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

fn assert_agree(body: &Bytes, ours: Option<Bytes>, theirs: Option<&Bytes>) {
    if let Some(ours) = ours {
        assert_eq!(Some(&ours), theirs, "we read what they do not");
    } else {
        assert_ne!(theirs, Some(body), "they read what we do not");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn requests_are_read_as_they_read_them(body in body()) {
        for (code, theirs) in REQUESTS {
            let ours = Request::decode(*code, &body).ok().map(|request| request.encode());
            assert_agree(&body, ours, theirs(&body).as_ref());
        }
    }

    #[test]
    fn replies_are_read_as_they_read_them(body in body()) {
        prop_assume!(!body.is_empty());
        for (code, theirs) in REPLIES {
            let ours = Reply::decode(*code, &body).ok().map(|(reply, _)| reply.encode());
            assert_agree(&body, ours, theirs(&body).as_ref());
        }
    }

    #[test]
    fn no_body_of_any_command_is_too_odd_to_be_looked_at(
        body in prop_oneof![body(), vec(any::<u8>(), 0..200).prop_map(Bytes::from)],
        odd_code: u32,
    ) {
        for code in COMMANDS.iter().map(|command| command.code).chain([odd_code]) {
            if let Ok(request) = Request::decode(code, &body) {
                assert_tiles(&request.fields(8), 8..8 + body.len());
            }
            if let Ok((reply, _)) = Reply::decode(code, &body) {
                assert_tiles(&reply.fields(8), 8..8 + body.len());
            }
        }
        let _ = parse_user_headers(&body);
    }
}
