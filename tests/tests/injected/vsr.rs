//! SDK 0.11.0 and a server of the VSR dialect.

use iggy_11::prelude::*;

async fn server() -> Server {
    Server::start_vsr().await
}

async fn create_topic(client: &IggyClient, stream: &Identifier) {
    let options = TopicCreateOptions {
        partitions_count: Some(1),
        ..TopicCreateOptions::default()
    };
    client
        .create_topic(stream, "metrics", &options)
        .await
        .unwrap();
}

include!("scenes.rs");
