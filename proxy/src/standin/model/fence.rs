//! Who reads which partition in the VSR dialect, where a member of a group names
//! its partition itself. Seen on a real server 0.9.0-edge.5; the rules' order is
//! that of its source, `dispatch.rs` and `responses.rs`.

use parallax_codec::commands::{Assignment, GroupRef, PollMessages};
use parallax_codec::primitives::{Consumer, ConsumerKind, Identifier};

use super::Model;
use super::refusal::Refusal;
use super::topology::{Place, Reader, Topic, consumer_number};

/// In the place of a partition: ask for your assignment anew (case B5).
pub(in crate::standin) const RESYNC: u32 = u32::MAX;

/// What a poll comes to before anything is read.
pub(super) enum Fenced {
    /// It reads this partition.
    Reads(Place, Reader, u32),
    /// It gets no message, and this number in the place of the partition.
    Nothing(u32),
}

impl Model {
    /// Who polls, and which partition.
    ///
    /// # Errors
    /// No such stream or topic; of a group's poll that is no error.
    pub(super) fn fence_poll(
        &mut self,
        client: u32,
        poll: &PollMessages,
    ) -> Result<Fenced, Refusal> {
        if poll.consumer.kind == ConsumerKind::Consumer {
            let (place, _) = self.streams.topic_mut(&poll.stream, &poll.topic)?;
            let reader = Reader::Consumer(consumer_number(&poll.consumer.id));
            return Ok(Fenced::Reads(place, reader, poll.partition_id.unwrap_or(0)));
        }
        let Some(partition) = poll.partition_id else {
            return Ok(Fenced::Nothing(0));
        };
        let found = self.streams.topic_mut(&poll.stream, &poll.topic).ok();
        let reader = found.and_then(|(place, topic)| {
            let (group, member) = topic.member(place, &poll.consumer.id, client)?;
            let reads = member.kept().contains(&partition);
            reads.then_some(Fenced::Reads(place, Reader::Group(group), partition))
        });
        Ok(reader.unwrap_or(Fenced::Nothing(RESYNC)))
    }

    /// Whose offset is stored or deleted, and where.
    ///
    /// # Errors
    /// 20, whatever it is that does not exist or is not the client's.
    pub(super) fn fence_commit(
        &mut self,
        client: u32,
        consumer: &Consumer,
        (stream, topic): (&Identifier, &Identifier),
        partition: Option<u32>,
    ) -> Result<(&mut Topic, Reader, u32), Refusal> {
        let nothing = || Refusal::resource_not_found("");
        let partition = partition.ok_or_else(nothing)?;
        let found = self.streams.topic_mut(stream, topic);
        let (place, topic) = found.map_err(|_| nothing())?;
        let reader = match consumer.kind {
            ConsumerKind::Consumer => Reader::Consumer(consumer_number(&consumer.id)),
            ConsumerKind::Group => {
                let member = topic.member(place, &consumer.id, client);
                let (group, member) = member.ok_or_else(nothing)?;
                if !member.has(partition) {
                    return Err(nothing());
                }
                Reader::Group(group)
            }
        };
        topic
            .partition_mut(place, partition)
            .map_err(|_| nothing())?;
        Ok((topic, reader, partition))
    }

    /// A member's partitions; `None` where the client is no member.
    pub(super) fn assignment(&mut self, client: u32, request: &GroupRef) -> Option<Assignment> {
        let found = self.streams.topic_mut(&request.stream, &request.topic);
        let (place, topic) = found.ok()?;
        let (number, member) = topic.member(place, &request.group, client)?;
        let partitions = member.kept();
        let group = topic.groups.get(number)?;
        Some(Assignment {
            generation: group.generation,
            partitions,
        })
    }
}
