//! Statistics and the cluster.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;

use super::answers::{Answer, json};
use super::byte_size::byte_size;
use crate::standin::server::{Shared, now};

#[derive(Serialize)]
struct StatsJson {
    process_id: u32,
    cpu_usage: f32,
    total_cpu_usage: f32,
    memory_usage: String,
    total_memory: String,
    available_memory: String,
    run_time: u64,
    start_time: u64,
    read_bytes: String,
    written_bytes: String,
    messages_size_bytes: String,
    streams_count: u32,
    topics_count: u32,
    partitions_count: u32,
    segments_count: u32,
    messages_count: u64,
    clients_count: u32,
    consumer_groups_count: u32,
    hostname: String,
    os_name: String,
    os_version: String,
    kernel_version: String,
    iggy_server_version: String,
    iggy_server_semver: u32,
    /// The stand-in reads everything from memory and counts no misses.
    cache_metrics: serde_json::Map<String, serde_json::Value>,
    threads_count: u32,
    free_disk_space: String,
    total_disk_space: String,
}

pub(super) async fn stats(State(shared): State<Arc<Shared>>) -> Answer {
    let stats = shared.model().stats(now());
    let resources = stats.resources.unwrap_or_default();
    Ok(json(&StatsJson {
        process_id: stats.process_id,
        cpu_usage: stats.cpu_usage,
        total_cpu_usage: stats.total_cpu_usage,
        memory_usage: byte_size(stats.memory_usage),
        total_memory: byte_size(stats.total_memory),
        available_memory: byte_size(stats.available_memory),
        run_time: stats.run_time,
        start_time: stats.start_time,
        read_bytes: byte_size(stats.read_bytes),
        written_bytes: byte_size(stats.written_bytes),
        messages_size_bytes: byte_size(stats.messages_size_bytes),
        streams_count: stats.streams_count,
        topics_count: stats.topics_count,
        partitions_count: stats.partitions_count,
        segments_count: stats.segments_count,
        messages_count: stats.messages_count,
        clients_count: stats.clients_count,
        consumer_groups_count: stats.consumer_groups_count,
        hostname: stats.hostname,
        os_name: stats.os_name,
        os_version: stats.os_version,
        kernel_version: stats.kernel_version,
        iggy_server_version: stats.iggy_server_version,
        iggy_server_semver: stats.iggy_server_semver,
        cache_metrics: serde_json::Map::new(),
        threads_count: resources.threads_count,
        free_disk_space: byte_size(resources.free_disk_space),
        total_disk_space: byte_size(resources.total_disk_space),
    }))
}

#[derive(Serialize)]
struct ClusterJson {
    name: String,
    nodes: Vec<NodeJson>,
}

#[derive(Serialize)]
struct NodeJson {
    name: String,
    ip: String,
    endpoints: Endpoints,
    role: &'static str,
    status: &'static str,
}

#[derive(Serialize)]
struct Endpoints {
    tcp: u16,
    quic: u16,
    http: u16,
    websocket: u16,
}

pub(super) async fn cluster(State(shared): State<Arc<Shared>>) -> Answer {
    let cluster = shared.model().cluster();
    let nodes = cluster.nodes.into_iter().map(|node| NodeJson {
        name: node.name,
        ip: node.ip,
        endpoints: Endpoints {
            tcp: node.tcp_port,
            quic: node.quic_port,
            http: node.http_port,
            websocket: node.websocket_port,
        },
        // The stand-in is alone, and so it leads.
        role: "leader",
        status: "healthy",
    });
    Ok(json(&ClusterJson {
        name: cluster.name,
        nodes: nodes.collect(),
    }))
}
