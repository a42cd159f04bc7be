//! SDK 0.11.0 and nodes of the VSR dialect.

use iggy_11::prelude::*;
use parallax_codec::Dialect;
use parallax_proxy::standin::StandinCluster;

const DIALECT: Dialect = Dialect::Vsr;

async fn create_topic(client: &IggyClient) {
    let options = TopicCreateOptions {
        partitions_count: Some(1),
        ..TopicCreateOptions::default()
    };
    client
        .create_topic(&named("cluster"), "metrics", &options)
        .await
        .unwrap();
}

/// The third node leads; the one that led refuses, and says who leads.
fn lose_the_leader(cluster: &StandinCluster) {
    cluster.elect(2);
}

include!("scenes.rs");
