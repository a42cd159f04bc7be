// What both SDKs do; included by the module of each, which imports its prelude and has
// `DIALECT`, `create_topic` and `lose_the_leader`.

use std::net::SocketAddr;
use std::ops::Range;
use std::str::FromStr as _;
use std::time::Duration;

use tokio::time::timeout;

use crate::nodes::three;

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// A client that is told of the server at this address, and of no other.
async fn client(address: SocketAddr) -> IggyClient {
    let text = format!("iggy://iggy:iggy@{address}?reestablish_after=0&reconnection_interval=50ms");
    let client = IggyClient::from_connection_string(&text).unwrap();
    client.connect().await.unwrap();
    client
}

fn named(name: &str) -> Identifier {
    Identifier::named(name).unwrap()
}

/// Creates a stream and a topic with one partition.
async fn create(client: &IggyClient) {
    client.create_stream("cluster").await.unwrap();
    create_topic(client).await;
}

/// Sends one message after the other, and polls each before the next is sent, so that
/// nothing comes twice or not at all. Every poll commits.
async fn send_and_poll(client: &IggyClient, numbers: Range<u32>) {
    let (stream, topic) = (named("cluster"), named("metrics"));
    let consumer = Consumer::new(named("sink"));
    for number in numbers {
        let text = format!("message {number}");
        let mut messages = [IggyMessage::from_str(&text).unwrap()];
        client
            .send_messages(&stream, &topic, &Partitioning::partition_id(0), &mut messages)
            .await
            .unwrap();
        let next = PollingStrategy::next();
        let polled = client
            .poll_messages(&stream, &topic, Some(0), &consumer, &next, 10, true)
            .await
            .unwrap();
        let texts = polled.messages.iter().map(|message| message.payload.as_ref());
        assert_eq!(texts.collect::<Vec<_>>(), [text.as_bytes()]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_parallax_a_client_follows_the_leader_from_node_to_node() {
    let following = async {
        let cluster = three(DIALECT).await;
        let client = client(cluster.addresses()[1]).await;
        create(&client).await;
        send_and_poll(&client, 0..5).await;
        let before = cluster.accepted();
        assert!(before[0] > 0 && before[2] == 0, "{before:?}");
        lose_the_leader(&cluster);
        send_and_poll(&client, 5..10).await;
        assert!(cluster.accepted()[2] > 0, "{:?}", cluster.accepted());
        cluster.stop().await;
    };
    timeout(PATIENCE, following).await.unwrap();
}
