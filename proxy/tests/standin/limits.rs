//! Every table of the stand-in has an end, and says so when it is reached.

use parallax_codec::commands::{
    CreateConsumerGroup, CreatePersonalAccessToken, PollMessages, StoreConsumerOffset,
};
use parallax_codec::primitives::PollingKind;
use parallax_codec::{Reply, Request};
use parallax_proxy::limits::{
    STANDIN_BYTES_PER_PARTITION, STANDIN_GROUPS_PER_TOPIC, STANDIN_MESSAGES_PER_PARTITION,
    STANDIN_OFFSETS_PER_PARTITION, STANDIN_PARTITIONS_PER_TOPIC, STANDIN_PERSONAL_ACCESS_TOKENS,
    STANDIN_STREAMS, STANDIN_TOPICS_PER_STREAM,
};

use super::requests::{Client, consumer, create_stream, create_topic, named, poll, send, topic};

fn client_with_topic() -> Client {
    let mut client = Client::new();
    client.ask(create_stream("s")).unwrap();
    client.ask(create_topic("t", 1)).unwrap();
    client
}

/// Asks until refused: how often it went well, and the code.
fn until_refused(client: &mut Client, request: impl Fn(usize) -> Request) -> (usize, u32) {
    for done in 0.. {
        if let Err(refusal) = client.ask(request(done)) {
            return (done, refusal.code.0);
        }
    }
    unreachable!("the range has no end")
}

#[test]
fn streams_topics_partitions_groups_and_tokens_end_at_their_limits() {
    let mut client = client_with_topic();
    let streams = until_refused(&mut client, |n| create_stream(format!("stream {n}")));
    assert_eq!(streams, (STANDIN_STREAMS - 1, 1020));
    let topics = until_refused(&mut client, |n| create_topic(format!("topic {n}"), 0));
    assert_eq!(topics, (STANDIN_TOPICS_PER_STREAM - 1, 2021));
    let groups = until_refused(&mut client, |n| {
        Request::CreateConsumerGroup(CreateConsumerGroup {
            stream: named("s"),
            topic: named("t"),
            name: format!("group {n}"),
        })
    });
    assert_eq!(groups, (STANDIN_GROUPS_PER_TOPIC, 5));
    let tokens = until_refused(&mut client, |n| {
        Request::CreatePersonalAccessToken(CreatePersonalAccessToken {
            name: format!("token {n}"),
            expiry: 0,
        })
    });
    assert_eq!(tokens, (STANDIN_PERSONAL_ACCESS_TOKENS, 52));
}

#[test]
fn a_topic_has_so_many_partitions_and_no_more() {
    let most = u32::try_from(STANDIN_PARTITIONS_PER_TOPIC).unwrap();
    let mut client = Client::new();
    client.ask(create_stream("s")).unwrap();
    client.ask(create_topic("full", most)).unwrap();
    let refusal = client.ask(create_topic("fuller", most + 1)).unwrap_err();
    assert_eq!(refusal.code.0, 2015);
}

#[test]
fn a_partition_remembers_so_many_offsets_and_no_more() {
    let mut client = client_with_topic();
    client.ask(send(0, 1)).unwrap();
    let offsets = until_refused(&mut client, |n| {
        Request::StoreConsumerOffset(StoreConsumerOffset {
            ack: None,
            partition_layout: parallax_codec::primitives::PartitionLayout::Flagged,
            consumer: consumer(u32::try_from(n).unwrap()),
            stream: topic().stream,
            topic: topic().topic,
            partition_id: Some(0),
            offset: 0,
        })
    });
    assert_eq!(offsets, (STANDIN_OFFSETS_PER_PARTITION, 3024));
}

#[test]
fn first_begins_at_the_earliest_message_that_is_kept() {
    let mut client = client_with_topic();
    client.ask(send(0, 10)).unwrap();
    client.ask(send(0, STANDIN_MESSAGES_PER_PARTITION)).unwrap();
    assert_eq!(client.model.dropped_messages(), 10);
    let first = Request::PollMessages(poll(consumer(1), PollingKind::First, false));
    let Reply::PolledMessages(polled) = client.ask(first).unwrap() else {
        panic!("not a poll reply");
    };
    assert_eq!(polled.messages[0].header.offset, 10);
}

#[test]
fn bytes_are_limited_too() {
    let mut client = client_with_topic();
    let Request::SendMessages(mut batch) = send(0, 1) else {
        unreachable!("send makes a send");
    };
    let payload = bytes::Bytes::from(vec![0; 1024 * 1024]);
    batch.messages[0].header.payload_length = u32::try_from(payload.len()).unwrap();
    batch.messages[0].payload = payload;
    for _ in 0..STANDIN_BYTES_PER_PARTITION / (1024 * 1024) + 2 {
        client.ask(Request::SendMessages(batch.clone())).unwrap();
    }
    assert_eq!(client.model.dropped_messages(), 3);
    let last = PollMessages {
        count: u32::MAX,
        ..poll(consumer(1), PollingKind::First, false)
    };
    let Reply::PolledMessages(polled) = client.ask(Request::PollMessages(last)).unwrap() else {
        panic!("not a poll reply");
    };
    assert_eq!(
        polled.messages.len(),
        STANDIN_BYTES_PER_PARTITION / (1024 * 1024) - 1
    );
}
