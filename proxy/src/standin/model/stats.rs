//! What the server counts.

use parallax_codec::Dialect;
use parallax_codec::commands::{Resources, Stats};

use super::Model;
use super::topology::{Partition, Topic};
use crate::standin::vsr::SERVER_VERSION;

impl Model {
    /// The state in numbers. What a real server says of its process and machine
    /// is 0: a part of another program has none of its own.
    pub(crate) fn stats(&self, now: u64) -> Stats {
        let topics = || {
            self.streams
                .iter()
                .flat_map(|(_, stream)| stream.topics.iter())
        };
        let topics = || topics().map(|(_, topic)| topic);
        let partitions: u32 = topics().map(Topic::partitions_count).sum();
        let (version, number) = match self.dialect() {
            Dialect::Classic => ("0.8.0", 8000),
            Dialect::Vsr => (SERVER_VERSION, 9000),
        };
        let groups: usize = topics().map(|topic| topic.groups.len()).sum();
        Stats {
            process_id: 0,
            cpu_usage: 0.0,
            total_cpu_usage: 0.0,
            memory_usage: 0,
            total_memory: 0,
            available_memory: 0,
            run_time: now.saturating_sub(self.started_at),
            start_time: self.started_at,
            read_bytes: 0,
            written_bytes: 0,
            messages_size_bytes: topics().map(Topic::size_bytes).sum(),
            streams_count: narrow(self.streams.len()),
            topics_count: narrow(topics().count()),
            partitions_count: partitions,
            segments_count: partitions,
            messages_count: topics().map(Topic::messages_count).sum(),
            clients_count: self.clients.count(),
            consumer_groups_count: narrow(groups),
            hostname: "stand-in".to_owned(),
            os_name: "parallax".to_owned(),
            os_version: env!("CARGO_PKG_VERSION").to_owned(),
            kernel_version: String::new(),
            iggy_server_version: version.to_owned(),
            iggy_server_semver: number,
            cache_metrics: Vec::new(),
            resources: Some(Resources::default()),
        }
    }

    /// Messages that were dropped because partitions had reached their limit.
    pub fn dropped_messages(&self) -> u64 {
        let streams = self.streams.iter();
        let topics = streams.flat_map(|(_, stream)| stream.topics.iter());
        let partitions = topics.flat_map(|(_, topic)| &topic.partitions);
        partitions.map(dropped).sum()
    }
}

fn dropped(partition: &Partition) -> u64 {
    partition.log.dropped
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
