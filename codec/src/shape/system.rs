//! Shapes of what is asked of a server about itself.

use super::part::{
    Content, Part, Parts, Width, closed_kind, counted, group, kind, name, text, u8, u16, u32, u64,
    u128,
};
use crate::commands::cluster::{role_name, status_name};
use crate::commands::describe_options::scope_name;
use crate::commands::snapshot::{compression_name, type_name};
use crate::commands::stats::FIRST_WITH_RESOURCES;
use crate::messages::HeaderKind;

pub(super) const GET_SNAPSHOT: Parts = &[
    kind("compression", compression_name),
    u8("types_count"),
    counted("types_count", "types", &[kind("type", type_name)]),
];

pub(super) const DESCRIBE_OPTIONS: Parts = &[closed_kind("scope", scope)];

fn scope(number: u8) -> &'static str {
    scope_name(number).unwrap_or("unknown")
}

pub(super) const OPTION_CATALOG: Parts = &[
    u32("options_count"),
    counted(
        "options_count",
        "options",
        &[group(
            "option",
            &[
                name("key_length", "key"),
                kind("kind", header_kind),
                Part::Sized {
                    length: "default_length",
                    width: Width::U32,
                    name: "default",
                    content: Content::Bytes,
                    at_least: 0,
                },
                text("description_length", "description"),
            ],
        )],
    ),
];

fn header_kind(number: u8) -> &'static str {
    HeaderKind(number).name()
}

pub(super) const CLUSTER_METADATA: Parts = &[
    text("name_length", "name"),
    u32("nodes_count"),
    counted("nodes_count", "nodes", &[group("node", NODE)]),
];

const NODE: Parts = &[
    text("name_length", "name"),
    text("ip_length", "ip"),
    u16("tcp_port"),
    u16("quic_port"),
    u16("http_port"),
    u16("websocket_port"),
    kind("role", role_name),
    kind("status", status_name),
];

pub(super) const ATTACH_SESSION: Parts =
    &[u128("client_id"), u64("session"), u64("metadata_watermark")];

pub(super) const ROUTING: Parts = &[
    group("consumer_session", ATTACH_SESSION),
    group("primary", NODE),
];

pub(super) const STATS: Parts = &[
    u32("process_id"),
    Part::Float { name: "cpu_usage" },
    Part::Float {
        name: "total_cpu_usage",
    },
    u64("memory_usage"),
    u64("total_memory"),
    u64("available_memory"),
    u64("run_time"),
    u64("start_time"),
    u64("read_bytes"),
    u64("written_bytes"),
    u64("messages_size_bytes"),
    u32("streams_count"),
    u32("topics_count"),
    u32("partitions_count"),
    u32("segments_count"),
    u64("messages_count"),
    u32("clients_count"),
    u32("consumer_groups_count"),
    text("hostname_length", "hostname"),
    text("os_name_length", "os_name"),
    text("os_version_length", "os_version"),
    text("kernel_version_length", "kernel_version"),
    text("iggy_server_version_length", "iggy_server_version"),
    u32("iggy_server_semver"),
    u32("cache_metrics_count"),
    counted(
        "cache_metrics_count",
        "cache_metrics",
        &[group(
            "cache_metric",
            &[
                u32("stream_id"),
                u32("topic_id"),
                u32("partition_id"),
                u64("hits"),
                u64("misses"),
                Part::Float { name: "hit_ratio" },
            ],
        )],
    ),
    Part::IfMore {
        parts: &[
            u32("threads_count"),
            u64("free_disk_space"),
            u64("total_disk_space"),
        ],
        required_from: Some(("iggy_server_semver", FIRST_WITH_RESOURCES as u64)),
    },
];
