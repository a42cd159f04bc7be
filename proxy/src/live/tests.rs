//! Connections' openings and ends, from sockets to findings.

use std::time::Duration;

use parallax_captures::Journal;
use parallax_captures::catalog::LED_AROUND;
use parallax_codec::classic::{encode_reply, encode_request};
use parallax_codec::commands::{ClusterMetadata, ClusterNode};
use parallax_codec::{Encode as _, code};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use super::{Proxy, ProxyConfig};

fn node(tcp_port: u16, role: u8) -> ClusterNode {
    ClusterNode {
        name: "node".to_owned(),
        ip: "127.0.0.1".to_owned(),
        tcp_port,
        quic_port: 0,
        http_port: 0,
        websocket_port: 0,
        role,
        status: 0,
    }
}

async fn found(journal: &Journal) -> String {
    let looking = async {
        loop {
            let findings = journal.findings();
            if let Some(finding) = findings.iter().find(|one| one.code == LED_AROUND) {
                return finding.evidence.join("\n");
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(20), looking).await.unwrap()
}

#[tokio::test]
async fn a_client_that_leaves_for_the_leader_is_told_with_where_it_had_connected_to() {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = server.local_addr().unwrap();
    let config = ProxyConfig::before(upstream);
    let proxy = Proxy::start(config).await.unwrap();
    let mut client = TcpStream::connect(proxy.listen()).await.unwrap();
    let (mut served, _) = server.accept().await.unwrap();

    let request = encode_request(code::GET_CLUSTER_METADATA, &[]);
    client.write_all(&request).await.unwrap();
    let mut asked = vec![0; request.len()];
    served.read_exact(&mut asked).await.unwrap();
    let metadata = ClusterMetadata {
        name: "cluster".to_owned(),
        nodes: vec![node(upstream.port(), 0), node(1, 1)],
    };
    let reply = encode_reply(0, &metadata.encode());
    served.write_all(&reply).await.unwrap();
    let mut answer = vec![0; reply.len()];
    client.read_exact(&mut answer).await.unwrap();
    drop(client);
    assert_eq!(served.read(&mut asked).await.unwrap(), 0);
    drop(served);

    let told = found(proxy.journal()).await;
    let addresses = format!(
        "its leader at {upstream}; the client (127.0.0.1) had connected to {}",
        proxy.listen()
    );
    assert!(told.contains(&addresses), "{told}");
    proxy.shutdown().signal();
    proxy.finished().await;
}
