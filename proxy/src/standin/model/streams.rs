//! Creating, changing, showing and deleting streams.

use parallax_codec::Dialect;
use parallax_codec::commands::{CreateStream, Stream as StreamReply, StreamDetails, UpdateStream};
use parallax_codec::primitives::{Identifier, Options};

use super::Model;
use super::refusal::Refusal;
use super::slots::Slots;
use super::topics::topic_reply;
use super::topology::{Stream, Topic};
use crate::limits::STANDIN_STREAMS;

impl Model {
    pub(super) fn create_stream(
        &mut self,
        request: CreateStream,
        now: u64,
    ) -> Result<StreamReply, Refusal> {
        if self.streams.find_name(&request.name).is_some() {
            return Err(Refusal::stream_exists(&request.name));
        }
        if self.streams.len() >= STANDIN_STREAMS {
            return Err(Refusal::too_many_streams());
        }
        let stream = Stream {
            name: request.name,
            created_at: now,
            topics: Slots::default(),
        };
        let mut created = reply(self.dialect, 0, &stream);
        created.id = self.streams.insert(stream);
        Ok(created)
    }

    pub(super) fn update_stream(&mut self, request: UpdateStream) -> Result<(), Refusal> {
        let number = self.streams.stream_mut(&request.stream)?.0;
        let taken = self.streams.find_name(&request.name);
        if taken.is_some_and(|taken| taken != number) {
            return Err(Refusal::stream_exists(&request.name));
        }
        self.streams.stream_mut(&request.stream)?.1.name = request.name;
        Ok(())
    }

    pub(super) fn delete_stream(&mut self, id: &Identifier) -> Result<(), Refusal> {
        let number = self.streams.stream_mut(id)?.0;
        self.streams.remove(number);
        self.clients
            .forget_groups(|membership| membership.stream_id == number);
        Ok(())
    }

    pub(super) fn purge_stream(&mut self, id: &Identifier) -> Result<(), Refusal> {
        let (_, stream) = self.streams.stream_mut(id)?;
        let dialect = self.dialect;
        stream
            .topics
            .iter_mut()
            .for_each(|(_, topic)| topic.purge(dialect));
        Ok(())
    }

    /// A stream and its topics.
    pub(crate) fn stream(&self, id: &Identifier) -> Option<StreamDetails> {
        let number = self.streams.find(id)?;
        Some(details(self.dialect, number, self.streams.get(number)?))
    }

    /// All streams.
    pub(crate) fn streams(&self) -> Vec<StreamReply> {
        let streams = self.streams.iter();
        streams
            .map(|(number, stream)| reply(self.dialect, number, stream))
            .collect()
    }
}

fn details(dialect: Dialect, number: u32, stream: &Stream) -> StreamDetails {
    let topics = stream.topics.iter();
    StreamDetails {
        stream: reply(dialect, number, stream),
        topics: topics
            .map(|(number, topic)| topic_reply(dialect, number, topic))
            .collect(),
    }
}

fn reply(dialect: Dialect, id: u32, stream: &Stream) -> StreamReply {
    let topics = || stream.topics.iter().map(|(_, topic)| topic);
    StreamReply {
        // Server 0.9.0-edge.5 knows no option of a stream.
        options: (dialect == Dialect::Vsr).then(Options::default),
        id,
        created_at: stream.created_at,
        topics_count: u32::try_from(stream.topics.len()).unwrap_or(u32::MAX),
        size_bytes: topics().map(Topic::size_bytes).sum(),
        messages_count: topics().map(Topic::messages_count).sum(),
        name: stream.name.clone(),
    }
}
