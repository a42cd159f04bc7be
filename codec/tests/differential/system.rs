use iggy_binary_protocol::codec::WireEncode as _;
use iggy_binary_protocol::requests::system::{
    GetClientRequest, GetClientsRequest, GetClusterMetadataRequest, GetMeRequest,
    GetSnapshotRequest, GetStatsRequest, PingRequest,
};
use iggy_binary_protocol::responses::clients::{
    ClientDetailsResponse, ClientResponse, ConsumerGroupInfoResponse, GetClientsResponse,
};
use iggy_binary_protocol::responses::system::get_stats::CacheMetricEntry;
use iggy_binary_protocol::responses::system::{
    ClusterMetadataResponse, ClusterNodeResponse, GetSnapshotResponse, StatsResponse,
};
use parallax_codec::commands::{
    CacheMetric, Client, ClientDetails, ClusterMetadata, ClusterNode, GetClient, GetSnapshot,
    GroupMembership, Resources, Stats,
};
use parallax_codec::{Encode as _, Opaque, Reply, Request, code};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{assert_hidden, assert_same_reply, assert_same_request, finite};

fn client() -> impl Strategy<Value = Client> {
    (any::<(u32, u32, u8, u32)>(), "[0-9a-f.:]{0,40}").prop_map(|(numbers, address)| Client {
        client_id: numbers.0,
        user_id: numbers.1,
        transport: numbers.2,
        address,
        consumer_groups_count: numbers.3,
    })
}

fn wire_client(client: &Client) -> ClientResponse {
    ClientResponse {
        client_id: client.client_id,
        user_id: client.user_id,
        transport: client.transport,
        address: client.address.clone(),
        consumer_groups_count: client.consumer_groups_count,
    }
}

fn node() -> impl Strategy<Value = ClusterNode> {
    (
        "[a-zé0-9-]{0,300}",
        "[0-9a-f.:]{0,40}",
        any::<(u16, u16, u16, u16, u8, u8)>(),
    )
        .prop_map(|(name, ip, numbers)| ClusterNode {
            name,
            ip,
            tcp_port: numbers.0,
            quic_port: numbers.1,
            http_port: numbers.2,
            websocket_port: numbers.3,
            role: numbers.4,
            status: numbers.5,
        })
}

fn wire_node(node: &ClusterNode) -> ClusterNodeResponse {
    ClusterNodeResponse {
        name: node.name.clone(),
        ip: node.ip.clone(),
        tcp_port: node.tcp_port,
        quic_port: node.quic_port,
        http_port: node.http_port,
        websocket_port: node.websocket_port,
        role: node.role,
        status: node.status,
    }
}

fn cache_metric() -> impl Strategy<Value = CacheMetric> {
    (any::<(u32, u32, u32, u64, u64)>(), finite()).prop_map(|(numbers, hit_ratio)| CacheMetric {
        stream_id: numbers.0,
        topic_id: numbers.1,
        partition_id: numbers.2,
        hits: numbers.3,
        misses: numbers.4,
        hit_ratio,
    })
}

fn wire_cache_metric(metric: &CacheMetric) -> CacheMetricEntry {
    CacheMetricEntry {
        stream_id: metric.stream_id,
        topic_id: metric.topic_id,
        partition_id: metric.partition_id,
        hits: metric.hits,
        misses: metric.misses,
        hit_ratio: metric.hit_ratio,
    }
}

fn stats() -> impl Strategy<Value = Stats> {
    (
        (finite(), finite()),
        any::<[u64; 11]>(),
        any::<[u32; 9]>(),
        vec("[ -~é]{0,40}", 5),
        vec(cache_metric(), 0..4),
    )
        .prop_map(|(shares, wide, narrow, texts, cache_metrics)| Stats {
            process_id: narrow[0],
            cpu_usage: shares.0,
            total_cpu_usage: shares.1,
            memory_usage: wide[0],
            total_memory: wide[1],
            available_memory: wide[2],
            run_time: wide[3],
            start_time: wide[4],
            read_bytes: wide[5],
            written_bytes: wide[6],
            messages_size_bytes: wide[7],
            streams_count: narrow[1],
            topics_count: narrow[2],
            partitions_count: narrow[3],
            segments_count: narrow[4],
            messages_count: wide[8],
            clients_count: narrow[5],
            consumer_groups_count: narrow[6],
            hostname: texts[0].clone(),
            os_name: texts[1].clone(),
            os_version: texts[2].clone(),
            kernel_version: texts[3].clone(),
            iggy_server_version: texts[4].clone(),
            iggy_server_semver: narrow[7],
            cache_metrics,
            resources: Some(Resources {
                threads_count: narrow[8],
                free_disk_space: wide[9],
                total_disk_space: wide[10],
            }),
        })
}

fn wire_stats(stats: &Stats) -> StatsResponse {
    let resources = stats.resources.unwrap();
    StatsResponse {
        process_id: stats.process_id,
        cpu_usage: stats.cpu_usage,
        total_cpu_usage: stats.total_cpu_usage,
        memory_usage: stats.memory_usage,
        total_memory: stats.total_memory,
        available_memory: stats.available_memory,
        run_time: stats.run_time,
        start_time: stats.start_time,
        read_bytes: stats.read_bytes,
        written_bytes: stats.written_bytes,
        messages_size_bytes: stats.messages_size_bytes,
        streams_count: stats.streams_count,
        topics_count: stats.topics_count,
        partitions_count: stats.partitions_count,
        segments_count: stats.segments_count,
        messages_count: stats.messages_count,
        clients_count: stats.clients_count,
        consumer_groups_count: stats.consumer_groups_count,
        hostname: stats.hostname.clone(),
        os_name: stats.os_name.clone(),
        os_version: stats.os_version.clone(),
        kernel_version: stats.kernel_version.clone(),
        iggy_server_version: stats.iggy_server_version.clone(),
        iggy_server_semver: Some(stats.iggy_server_semver).filter(|number| *number != 0),
        cache_metrics: stats.cache_metrics.iter().map(wire_cache_metric).collect(),
        threads_count: resources.threads_count,
        free_disk_space: resources.free_disk_space,
        total_disk_space: resources.total_disk_space,
    }
}

proptest! {
    #[test]
    fn requests_about_the_system_are_theirs(
        client_id: u32,
        compression: u8,
        snapshot_types in vec(any::<u8>(), 0..256),
    ) {
        assert_same_request(
            code::GET_CLIENT,
            &GetClientRequest { client_id },
            &Request::GetClient(GetClient { client_id }),
        );
        assert_same_request(
            code::GET_SNAPSHOT_FILE,
            &GetSnapshotRequest { compression, snapshot_types: snapshot_types.clone() },
            &Request::GetSnapshot(GetSnapshot { compression, snapshot_types }),
        );
    }

    #[test]
    fn a_clients_details_are_theirs(client in client(), groups in vec(any::<[u32; 3]>(), 0..4)) {
        let consumer_groups_count = u32::try_from(groups.len()).unwrap();
        let client = Client { consumer_groups_count, ..client };
        let theirs = ClientDetailsResponse {
            client: wire_client(&client),
            consumer_groups: groups
                .iter()
                .map(|&[stream_id, topic_id, group_id]| ConsumerGroupInfoResponse {
                    stream_id,
                    topic_id,
                    group_id,
                })
                .collect(),
        };
        let consumer_groups = groups
            .into_iter()
            .map(|[stream_id, topic_id, group_id]| GroupMembership { stream_id, topic_id, group_id })
            .collect();
        let ours = Reply::Client(ClientDetails { client, consumer_groups });
        assert_same_reply(&[code::GET_ME, code::GET_CLIENT], &theirs, &ours);
    }

    #[test]
    fn a_list_of_clients_is_theirs(clients in vec(client(), 0..4)) {
        let theirs = GetClientsResponse { clients: clients.iter().map(wire_client).collect() };
        assert_same_reply(&[code::GET_CLIENTS], &theirs, &Reply::Clients(clients));
    }

    #[test]
    fn cluster_metadata_are_theirs(name in "[a-zé]{0,300}", nodes in vec(node(), 0..4)) {
        let theirs = ClusterMetadataResponse {
            name: name.clone(),
            nodes: nodes.iter().map(wire_node).collect(),
        };
        let ours = Reply::ClusterMetadata(ClusterMetadata { name, nodes });
        assert_same_reply(&[code::GET_CLUSTER_METADATA], &theirs, &ours);
    }

    #[test]
    fn statistics_are_theirs(stats in stats()) {
        let theirs = wire_stats(&stats);
        assert_same_reply(&[code::GET_STATS], &theirs, &Reply::Stats(Box::new(stats)));
    }

    #[test]
    fn a_snapshot_is_theirs_and_masked_as_a_whole(data in "[A-Z]{20,60}") {
        let theirs = GetSnapshotResponse { data: data.clone().into_bytes() };
        let ours = Reply::Snapshot(Opaque(data.clone().into()));
        assert_same_reply(&[code::GET_SNAPSHOT_FILE], &theirs, &ours);
        assert_hidden(&[&data], &theirs.to_bytes(), &ours.fields(0), "");
    }
}

#[test]
fn requests_without_a_body_are_theirs() {
    assert_same_request(code::PING, &PingRequest, &Request::Ping);
    assert_same_request(code::GET_STATS, &GetStatsRequest, &Request::GetStats);
    assert_same_request(code::GET_ME, &GetMeRequest, &Request::GetMe);
    assert_same_request(code::GET_CLIENTS, &GetClientsRequest, &Request::GetClients);
    let (theirs, ours) = (GetClusterMetadataRequest, Request::GetClusterMetadata);
    assert_same_request(code::GET_CLUSTER_METADATA, &theirs, &ours);
    assert!(Reply::Empty.encode().is_empty());
}
