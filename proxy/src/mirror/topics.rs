//! How many partitions a topic has, remembered for a short time.

use std::collections::HashMap;

use parallax_captures::http_poll::parse_refusal;
use parallax_captures::poll::Poll;
use parallax_codec::primitives::Identifier;
use serde::Deserialize;
use tokio::time::Instant;

use super::client::Reply;
use crate::limits::{MIRROR_TOPICS, PARTITIONS_KNOWN_FOR};

/// Partition counts, and since when they are known.
#[derive(Debug, Default)]
pub(super) struct Topics {
    counts: HashMap<(Identifier, Identifier), (u32, Instant)>,
}

impl Topics {
    pub(super) fn partitions_count(&self, poll: &Poll, now: Instant) -> Option<u32> {
        let (count, since) = self.counts.get(&key(poll))?;
        let is_fresh = now.saturating_duration_since(*since) < PARTITIONS_KNOWN_FOR;
        is_fresh.then_some(*count)
    }

    pub(super) fn learn(&mut self, poll: &Poll, count: u32, now: Instant) {
        if self.counts.len() >= MIRROR_TOPICS {
            self.counts.clear();
        }
        self.counts.insert(key(poll), (count, now));
    }
}

fn key(poll: &Poll) -> (Identifier, Identifier) {
    (poll.stream.clone(), poll.topic.clone())
}

/// The partition count in a description of a topic.
///
/// # Errors
/// Why it is not in there.
pub(super) fn partitions_count(reply: &Reply) -> Result<u32, String> {
    #[derive(Deserialize)]
    struct Topic {
        partitions_count: u32,
    }
    if reply.status == 200 {
        let topic = serde_json::from_slice::<Topic>(&reply.body);
        return topic.map(|topic| topic.partitions_count).map_err(|error| {
            format!("HTTP described the topic without saying how many partitions it has: {error}.")
        });
    }
    let refusal = parse_refusal(reply.status, &reply.body);
    let said = refusal.map_or_else(|why| why, |refusal| refusal.to_string());
    Err(format!(
        "HTTP would not describe the topic, so that its partitions could be asked: {said}."
    ))
}
