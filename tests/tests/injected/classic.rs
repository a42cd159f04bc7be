//! SDK 0.10.0 and a server of the classic dialect.

use iggy::prelude::*;

async fn server() -> Server {
    Server::start().await
}

async fn create_topic(client: &IggyClient, stream: &Identifier) {
    client
        .create_topic(
            stream,
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

include!("scenes.rs");
