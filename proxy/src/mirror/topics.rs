//! How many partitions a topic has. Asked afresh each time: that every partition
//! answers proves something only if it is every one.

use parallax_captures::http_poll::parse_refusal;
use parallax_captures::limits::HTTP_REASON_BYTES;
use parallax_captures::text::cut;
use serde::Deserialize;

use super::client::Reply;

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
            let error = cut(error.to_string(), HTTP_REASON_BYTES);
            format!("HTTP described the topic without saying how many partitions it has: {error}.")
        });
    }
    let refusal = parse_refusal(reply.status, &reply.body);
    let said = refusal.map_or_else(|why| why, |refusal| refusal.to_string());
    Err(format!(
        "HTTP would not describe the topic, so that its partitions could be asked: {said}."
    ))
}
