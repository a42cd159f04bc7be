//! SDK 0.10.0 and nodes of the classic dialect.

use iggy::prelude::*;
use parallax_codec::Dialect;
use parallax_proxy::standin::StandinCluster;

const DIALECT: Dialect = Dialect::Classic;

async fn create_topic(client: &IggyClient) {
    client
        .create_topic(
            &named("cluster"),
            "metrics",
            1,
            CompressionAlgorithm::None,
            None,
            IggyExpiry::NeverExpire,
            MaxTopicSize::ServerDefault,
        )
        .await
        .unwrap();
}

/// The third node leads; the one that led closes its connections. The client asks who
/// leads after a login alone.
fn lose_the_leader(cluster: &StandinCluster) {
    cluster.elect(2);
    cluster.close_connections(0);
}

include!("scenes.rs");
