//! With SDK 0.10.0.

use iggy::prelude::*;

const PARTITIONS: u32 = 3;

/// Before a purge: server 0.8.0 keeps what is not on disk (recording `purge`).
const FLUSHES: bool = true;

async fn create_topic(client: &IggyClient, stream: &Identifier) {
    client
        .create_topic(
            stream,
            "metrics",
            PARTITIONS,
            CompressionAlgorithm::None,
            None,
            IggyExpiry::NeverExpire,
            MaxTopicSize::ServerDefault,
        )
        .await
        .unwrap();
}

include!("clients.rs");
