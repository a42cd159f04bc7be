//! `PX3xx` and PX207: what groups and consumers do with what they are given.

mod behind;
mod commits;
mod continuation;
mod fresh;
mod limits;
mod member;
mod missing;
mod omitted;
mod read_your_write;
mod replay;
mod silence;

use parallax_captures::{Content, Dialect, Exchange};
use parallax_codec::commands::{Assignment, CreateConsumerGroup, GroupRef};
use parallax_codec::primitives::PollingKind::Next;
use parallax_codec::{Reply, Request};

use super::story::{Story, lasting};
use super::{NONE, codes, told};
use crate::comparison::sample::{answer, named};
use crate::findings::sample::answered;

/// Group `sink` of `otel/metrics`.
fn the_group() -> GroupRef {
    GroupRef {
        stream: named("otel"),
        topic: named("metrics"),
        group: named("sink"),
    }
}

fn joins(story: &mut Story, status: u32) {
    story.tries(Request::JoinConsumerGroup(the_group()), status);
}

fn leaves(story: &mut Story, status: u32) {
    story.tries(Request::LeaveConsumerGroup(the_group()), status);
}

fn deletes(story: &mut Story, status: u32) {
    story.tries(Request::DeleteConsumerGroup(the_group()), status);
}

fn creates(story: &mut Story, status: u32) {
    story.tries(create_request(), status);
}

fn create_request() -> Request {
    Request::CreateConsumerGroup(CreateConsumerGroup {
        stream: named("otel"),
        topic: named("metrics"),
        name: "sink".to_owned(),
    })
}

/// Asks for its assignment, and gets these partitions, or hears that it is no
/// member.
fn syncs(story: &mut Story, partitions: Option<&[u32]>) {
    let reply = partitions.map_or(Reply::Empty, |partitions| {
        Reply::Assignment(Assignment {
            generation: 2,
            partitions: partitions.to_vec(),
        })
    });
    let mut exchange = story.exchange(Request::SyncConsumerGroup(the_group()), 0);
    // The classic dialect has no such command.
    exchange.dialect = Dialect::Vsr;
    if let Content::Binary(content) = &mut exchange.content {
        content.reply = Some(reply);
    }
    story.see(exchange);
}

/// A poll of Next that is answered with no message and this in the partition's
/// place.
fn empty_poll_of(story: &mut Story, partition_id: u32) {
    let request = naming_no_partition(story.poll_request(Next, 0));
    let exchange = story.exchange(request, 0);
    story.see(answered(exchange, &answer(partition_id, 0, 0..0)));
}

/// A poll of Next, which names no partition and is answered with these offsets of
/// the story's.
fn next_of_any(story: &mut Story, offsets: std::ops::Range<u64>) {
    let request = naming_no_partition(story.poll_request(Next, 0));
    let exchange = story.exchange(request, 0);
    let polled = answer(story.partition_id, 500, offsets);
    story.see(answered(exchange, &polled));
}

fn naming_no_partition(mut request: Request) -> Request {
    match &mut request {
        Request::PollMessages(r) => r.partition_id = None,
        Request::StoreConsumerOffset(r) => r.partition_id = None,
        Request::DeleteConsumerOffset(r) => r.partition_id = None,
        _ => {}
    }
    request
}

/// The messages at these places of the reply have user headers.
fn with_headers(mut exchange: Exchange, places: &[usize]) -> Exchange {
    if let Content::Binary(content) = &mut exchange.content
        && let Some(Reply::PolledMessages(reply)) = &mut content.reply
    {
        for place in places {
            reply.messages[*place].user_headers = bytes::Bytes::from_static(b"headers");
        }
    }
    exchange
}
