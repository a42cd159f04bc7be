//! SDK 0.10.0 and a server of the classic dialect.

use iggy::prelude::*;

const TEST: &str = "sdk-10";

async fn server() -> Server {
    Server::start().await
}

async fn create_topic(client: &IggyClient, stream: &Identifier) {
    let (expiry, size) = (IggyExpiry::NeverExpire, MaxTopicSize::ServerDefault);
    let none = CompressionAlgorithm::None;
    let topic = client.create_topic(stream, "metrics", 1, none, None, expiry, size);
    topic.await.unwrap();
}

include!("sdk.rs");
