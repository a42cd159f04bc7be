//! With SDK 0.11.0.

use iggy_11::prelude::*;

const PARTITIONS: u32 = 3;

/// Server 0.9 has no command for it, and purges what is in memory too.
const FLUSHES: bool = false;

async fn create_topic(client: &IggyClient, stream: &Identifier) {
    let options = TopicCreateOptions {
        partitions_count: Some(PARTITIONS),
        ..TopicCreateOptions::default()
    };
    client
        .create_topic(stream, "metrics", &options)
        .await
        .unwrap();
}

include!("clients.rs");
