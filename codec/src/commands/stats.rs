use crate::decode::Decode;
use crate::reader::{self, Parsed};
use crate::writer::{Encode, Writer, narrow, write_sequence};

/// How often a partition was read from memory.
///
/// ```text
/// [stream_id u32][topic_id u32][partition_id u32][hits u64][misses u64][hit_ratio f32]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/system/get_stats.rs`.
#[derive(Debug, Clone, PartialEq)]
pub struct CacheMetric {
    /// The stream's number.
    pub stream_id: u32,
    /// The topic's number.
    pub topic_id: u32,
    /// The partition.
    pub partition_id: u32,
    /// Reads from memory.
    pub hits: u64,
    /// Reads from disk.
    pub misses: u64,
    /// Hits of all reads, 0 to 1.
    pub hit_ratio: f32,
}

impl Decode for CacheMetric {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, stream_id) = reader::u32("stream id", input)?;
        let (rest, topic_id) = reader::u32("topic id", rest)?;
        let (rest, partition_id) = reader::u32("partition id", rest)?;
        let (rest, hits) = reader::u64("hits", rest)?;
        let (rest, misses) = reader::u64("misses", rest)?;
        let (rest, hit_ratio) = reader::f32("hit ratio", rest)?;
        let value = Self {
            stream_id,
            topic_id,
            partition_id,
            hits,
            misses,
            hit_ratio,
        };
        Ok((rest, value))
    }
}

impl Encode for CacheMetric {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("stream_id", self.stream_id);
        writer.u32("topic_id", self.topic_id);
        writer.u32("partition_id", self.partition_id);
        writer.u64("hits", self.hits);
        writer.u64("misses", self.misses);
        writer.f32("hit_ratio", self.hit_ratio);
    }
}

/// The server's statistics: the reply to 10. The fields in wire order, numbers as
/// wide as their types, each text with a `u32` length before it.
///
/// From `iggy_binary_protocol` 0.10.0, `responses/system/get_stats.rs`.
#[derive(Debug, Clone, PartialEq)]
pub struct Stats {
    /// The server's process.
    pub process_id: u32,
    /// The server's use of the processors, in percent of one.
    pub cpu_usage: f32,
    /// The machine's use of its processors, in percent.
    pub total_cpu_usage: f32,
    /// The server's memory, in bytes.
    pub memory_usage: u64,
    /// The machine's memory, in bytes.
    pub total_memory: u64,
    /// Memory that is free, in bytes.
    pub available_memory: u64,
    /// How long the server has run, in microseconds.
    pub run_time: u64,
    /// When it started, in microseconds since 1970.
    pub start_time: u64,
    /// Bytes read from disk.
    pub read_bytes: u64,
    /// Bytes written to disk.
    pub written_bytes: u64,
    /// Size of all messages, in bytes.
    pub messages_size_bytes: u64,
    /// How many streams.
    pub streams_count: u32,
    /// How many topics.
    pub topics_count: u32,
    /// How many partitions.
    pub partitions_count: u32,
    /// How many segments.
    pub segments_count: u32,
    /// How many messages.
    pub messages_count: u64,
    /// How many connected clients.
    pub clients_count: u32,
    /// How many consumer groups.
    pub consumer_groups_count: u32,
    /// The machine's name.
    pub hostname: String,
    /// The operating system.
    pub os_name: String,
    /// Its version.
    pub os_version: String,
    /// Its kernel's version.
    pub kernel_version: String,
    /// The server's version, `0.8.0`.
    pub iggy_server_version: String,
    /// The version as a number, `8000` for 0.8.0; 0 where it is not given.
    pub iggy_server_semver: u32,
    /// Per partition; their number, a `u32`, precedes them.
    pub cache_metrics: Vec<CacheMetric>,
    /// Threads and disk; `None` where the server is older than 0.7.3-edge.1.
    pub resources: Option<Resources>,
}

/// What servers from 0.7.3-edge.1 tell of threads and disk, at the end of [`Stats`].
///
/// ```text
/// [threads_count u32][free_disk_space u64][total_disk_space u64]
/// ```
/// From `iggy_binary_protocol` 0.10.0, `responses/system/get_stats.rs`; the server's
/// `mapper.rs` of tags server-0.5.0 to server-0.7.1-edge.1 has nothing here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resources {
    /// The server's threads.
    pub threads_count: u32,
    /// In bytes.
    pub free_disk_space: u64,
    /// In bytes.
    pub total_disk_space: u64,
}

/// The first version that tells [`Resources`].
pub(crate) const FIRST_WITH_RESOURCES: u32 = 7003;

impl Decode for Resources {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, threads_count) = reader::u32("threads count", input)?;
        let (rest, free_disk_space) = reader::u64("free disk space", rest)?;
        let (rest, total_disk_space) = reader::u64("total disk space", rest)?;
        let value = Self {
            threads_count,
            free_disk_space,
            total_disk_space,
        };
        Ok((rest, value))
    }
}

impl Encode for Resources {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("threads_count", self.threads_count);
        writer.u64("free_disk_space", self.free_disk_space);
        writer.u64("total_disk_space", self.total_disk_space);
    }
}

impl Decode for Stats {
    fn parse(input: &[u8]) -> Parsed<'_, Self> {
        let (rest, process_id) = reader::u32("process id", input)?;
        let (rest, cpu_usage) = reader::f32("cpu usage", rest)?;
        let (rest, total_cpu_usage) = reader::f32("total cpu usage", rest)?;
        let (rest, memory_usage) = reader::u64("memory usage", rest)?;
        let (rest, total_memory) = reader::u64("total memory", rest)?;
        let (rest, available_memory) = reader::u64("available memory", rest)?;
        let (rest, run_time) = reader::u64("run time", rest)?;
        let (rest, start_time) = reader::u64("start time", rest)?;
        let (rest, read_bytes) = reader::u64("read bytes", rest)?;
        let (rest, written_bytes) = reader::u64("written bytes", rest)?;
        let (rest, messages_size_bytes) = reader::u64("messages size bytes", rest)?;
        let (rest, streams_count) = reader::u32("streams count", rest)?;
        let (rest, topics_count) = reader::u32("topics count", rest)?;
        let (rest, partitions_count) = reader::u32("partitions count", rest)?;
        let (rest, segments_count) = reader::u32("segments count", rest)?;
        let (rest, messages_count) = reader::u64("messages count", rest)?;
        let (rest, clients_count) = reader::u32("clients count", rest)?;
        let (rest, consumer_groups_count) = reader::u32("consumer groups count", rest)?;
        let (rest, hostname) = reader::text_u32("hostname", rest)?;
        let (rest, os_name) = reader::text_u32("os name", rest)?;
        let (rest, os_version) = reader::text_u32("os version", rest)?;
        let (rest, kernel_version) = reader::text_u32("kernel version", rest)?;
        let (rest, iggy_server_version) = reader::text_u32("iggy server version", rest)?;
        let (rest, iggy_server_semver) = reader::u32("iggy server semver", rest)?;
        let (rest, count) = reader::u32("cache metrics count", rest)?;
        let (rest, cache_metrics) = reader::repeated(count, rest, CacheMetric::parse)?;
        let (rest, resources) = if rest.is_empty() && iggy_server_semver < FIRST_WITH_RESOURCES {
            (rest, None)
        } else {
            let (rest, resources) = Resources::parse(rest)?;
            (rest, Some(resources))
        };
        let value = Self {
            process_id,
            cpu_usage,
            total_cpu_usage,
            memory_usage,
            total_memory,
            available_memory,
            run_time,
            start_time,
            read_bytes,
            written_bytes,
            messages_size_bytes,
            streams_count,
            topics_count,
            partitions_count,
            segments_count,
            messages_count,
            clients_count,
            consumer_groups_count,
            hostname,
            os_name,
            os_version,
            kernel_version,
            iggy_server_version,
            iggy_server_semver,
            cache_metrics,
            resources,
        };
        Ok((rest, value))
    }
}

impl Encode for Stats {
    fn write(&self, writer: &mut impl Writer) {
        writer.u32("process_id", self.process_id);
        writer.f32("cpu_usage", self.cpu_usage);
        writer.f32("total_cpu_usage", self.total_cpu_usage);
        writer.u64("memory_usage", self.memory_usage);
        writer.u64("total_memory", self.total_memory);
        writer.u64("available_memory", self.available_memory);
        writer.u64("run_time", self.run_time);
        writer.u64("start_time", self.start_time);
        writer.u64("read_bytes", self.read_bytes);
        writer.u64("written_bytes", self.written_bytes);
        writer.u64("messages_size_bytes", self.messages_size_bytes);
        writer.u32("streams_count", self.streams_count);
        writer.u32("topics_count", self.topics_count);
        writer.u32("partitions_count", self.partitions_count);
        writer.u32("segments_count", self.segments_count);
        writer.u64("messages_count", self.messages_count);
        writer.u32("clients_count", self.clients_count);
        writer.u32("consumer_groups_count", self.consumer_groups_count);
        writer.text_u32("hostname_length", "hostname", &self.hostname);
        writer.text_u32("os_name_length", "os_name", &self.os_name);
        writer.text_u32("os_version_length", "os_version", &self.os_version);
        writer.text_u32(
            "kernel_version_length",
            "kernel_version",
            &self.kernel_version,
        );
        writer.text_u32(
            "iggy_server_version_length",
            "iggy_server_version",
            &self.iggy_server_version,
        );
        writer.u32("iggy_server_semver", self.iggy_server_semver);
        writer.u32("cache_metrics_count", narrow(self.cache_metrics.len()));
        write_sequence("cache_metrics", "cache_metric", &self.cache_metrics, writer);
        if let Some(resources) = &self.resources {
            resources.write(writer);
        }
    }
}
