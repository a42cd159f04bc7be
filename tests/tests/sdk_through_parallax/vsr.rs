//! SDK 0.11.0 and a server of the VSR dialect.
//!
//! SDK 0.11.0 asks of every new topic two options, `durability` and
//! `consumer_offset_durability`, that server 0.9.0-edge.5 refuses with 4041; the
//! stand-in takes them.

use iggy_11::prelude::*;

const PARTITIONS: u32 = 3;

/// Bytes of a frame's header in a batch record.
const SMALLEST_MESSAGE: usize = 48;

/// Server 0.9 has no command for it, and purges what is in memory too.
const FLUSHES: bool = false;

async fn server() -> Server {
    Server::start_vsr().await
}

async fn create_topic(client: &IggyClient, stream: &Identifier) {
    let options = TopicCreateOptions {
        partitions_count: Some(PARTITIONS),
        ..TopicCreateOptions::default()
    };
    let topic = client.create_topic(stream, "metrics", &options).await;
    assert_eq!(topic.unwrap().partitions_count, PARTITIONS);
}

include!("scenes.rs");
