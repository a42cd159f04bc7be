//! SDK 0.10.0 and a server of the classic dialect.

use iggy::prelude::*;

const PARTITIONS: u32 = 3;

/// Bytes of a message's header.
const SMALLEST_MESSAGE: usize = 64;

/// Before a purge: server 0.8.0 keeps what is not on disk (recording `purge`).
const FLUSHES: bool = true;

async fn server() -> Server {
    Server::start().await
}

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

include!("scenes.rs");
