//! The VSR dialect: recorded requests put to a running stand-in, byte for byte;
//! its replies are the recorded ones, but for what no two servers share.

use std::time::Duration;

use bytes::BytesMut;
use parallax_codec::messages::MessageLayout;
use parallax_codec::vsr::{
    Command, EvictionHeader, EvictionReason, Frame, Framer, ReplyHeader, RequestHeader,
    ResultSection, encode_frame,
};
use parallax_codec::{Checksum, Dialect, Encode as _, Reply, code};
use parallax_proxy::standin::{Standin, StandinConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::http::replay as replay_http;
use super::recorded::vsr_connections;
use super::requests::login;

const RECORDINGS: &str = "server-0.9-edge_sdk-0.11-edge";
const PATIENCE: Duration = Duration::from_secs(30);

async fn start() -> Standin {
    let config = StandinConfig {
        dialect: Dialect::Vsr,
        ..StandinConfig::default()
    };
    Standin::start(config).await.unwrap()
}

/// A connection that sends frames and reads whole ones.
struct Connection {
    stream: TcpStream,
    framer: Framer,
}

impl Connection {
    async fn to(standin: &Standin) -> Self {
        Self {
            stream: TcpStream::connect(standin.tcp).await.unwrap(),
            framer: Framer::new(),
        }
    }

    async fn exchange(&mut self, bytes: &[u8]) -> Frame {
        self.stream.write_all(bytes).await.unwrap();
        self.reply().await.expect("a reply")
    }

    /// The next frame; `None` when the connection is at its end.
    async fn reply(&mut self) -> Option<Frame> {
        let reading = async {
            let mut frames = Vec::new();
            while frames.is_empty() {
                let mut chunk = BytesMut::with_capacity(64 * 1024);
                if self.stream.read_buf(&mut chunk).await.unwrap_or(0) == 0 {
                    return None;
                }
                self.framer.push(chunk.freeze(), &mut frames);
            }
            assert_eq!(frames.len(), 1);
            Some(frames.remove(0))
        };
        tokio::time::timeout(PATIENCE, reading).await.unwrap()
    }
}

#[tokio::test]
async fn every_scenario_is_answered_as_the_real_server_did() {
    let standin = start().await;
    for scenario in ["setup", "polls", "empty", "group", "purge"] {
        let differences = replay(&standin, scenario).await;
        assert_eq!(differences, [""; 0], "{scenario}");
    }
    standin.stop().await;
}

#[tokio::test]
async fn http_is_answered_as_the_real_server_did() {
    let standin = start().await;
    assert_eq!(replay(&standin, "setup").await, [""; 0]);
    let differences = replay_http(&standin, "http_server-0.9-edge/http.pcap").await;
    assert_eq!(differences, [""; 0]);
    standin.stop().await;
}

/// Seen on a real server 0.9.0-edge.5 as well.
#[tokio::test]
async fn a_login_of_the_classic_dialect_waits_for_ever() {
    let standin = start().await;
    let mut connection = Connection::to(&standin).await;
    let request = login("iggy", "iggy");
    let bytes = parallax_codec::classic::encode_request(request.code(), &request.encode());
    connection.stream.write_all(&bytes).await.unwrap();
    // Another connection is served meanwhile, and this one still waits.
    let mut other = Connection::to(&standin).await;
    other.exchange(&frame(code::PING, &[])).await;
    let mut byte = [0];
    assert!(connection.stream.try_read(&mut byte).is_err(), "not a byte");
    standin.stop().await;
}

#[tokio::test]
async fn who_may_not_come_in_is_told_why() {
    let standin = start().await;
    let mut connection = Connection::to(&standin).await;
    let version = |patch: u8| [&[patch, 0x2c, 0, 0, 3][..], b"sdk", &[1], b"1"].concat();
    let named = |name: &str| [&[u8::try_from(name.len()).unwrap()], name.as_bytes()].concat();
    let password = |word| [version(0), named("iggy"), named(word), vec![0; 4]].concat();
    let token = [version(0), named("no such token"), vec![0; 4]].concat();
    let newer = [version(1), named("iggy"), named("iggy"), vec![0; 4]].concat();
    for (body, reason) in [
        (password("wrong"), EvictionReason::INVALID_CREDENTIALS),
        (token, EvictionReason::INVALID_TOKEN),
        (newer, EvictionReason::INCOMPATIBLE_PROTOCOL),
        (b"no version".to_vec(), EvictionReason::MALFORMED_LOGIN),
    ] {
        let eviction = eviction(
            &connection
                .exchange(&frame(code::LOGIN_REGISTER, &body))
                .await,
        );
        assert_eq!(eviction.reason, reason);
        let window = eviction.accepted_versions();
        let window = window.map(|(oldest, newest)| (oldest.to_string(), newest.to_string()));
        let told = reason == EvictionReason::INCOMPATIBLE_PROTOCOL;
        assert_eq!(window.is_some(), told);
        assert!(window.is_none_or(|window| window == ("0.11.0".into(), "0.11.0".into())));
    }
    let legacy = connection.exchange(&frame(code::LOGIN_USER, &[])).await;
    assert_eq!(eviction(&legacy).reason, EvictionReason::MALFORMED_LOGIN);
    let write = frame(code::CREATE_STREAM, &named("s"));
    let write = connection.exchange(&write).await;
    assert_eq!(eviction(&write).reason, EvictionReason::NO_SESSION);
    let read = connection.exchange(&frame(code::GET_STREAMS, &[])).await;
    assert_eq!(status(&read), 40, "unauthenticated");
    let login = connection
        .exchange(&frame(code::LOGIN_REGISTER, &password("iggy")))
        .await;
    assert_eq!(status(&login), 0);
    let read = connection.exchange(&frame(code::GET_STREAMS, &[])).await;
    assert_eq!(status(&read), 0);
    standin.stop().await;
}

#[tokio::test]
async fn a_frame_shorter_than_its_header_or_longer_than_is_read_ends_the_connection() {
    let standin = start().await;
    for size in [255, u32::MAX] {
        let mut connection = Connection::to(&standin).await;
        let mut bytes = frame(code::PING, &[]).to_vec();
        bytes[48..52].copy_from_slice(&size.to_le_bytes());
        connection.stream.write_all(&bytes).await.unwrap();
        assert_eq!(connection.reply().await, None);
    }
    standin.stop().await;
}

fn frame(code: u32, body: &[u8]) -> bytes::Bytes {
    let header = RequestHeader {
        client: 7,
        ..RequestHeader::new(code, body)
    };
    header.frame(body)
}

fn eviction(frame: &Frame) -> EvictionHeader {
    assert_eq!(frame.command(), Command::EVICTION);
    EvictionHeader::of(&frame.header)
}

fn status(frame: &Frame) -> u32 {
    assert_eq!(frame.command(), Command::REPLY);
    u32::from_le_bytes(frame.header[216..220].try_into().unwrap())
}

/// Sends what a recorded client sent; says where the answers differ.
async fn replay(standin: &Standin, scenario: &str) -> Vec<String> {
    let mut differences = Vec::new();
    for recorded in vsr_connections(&format!("{RECORDINGS}/{scenario}.pcap")) {
        let mut connection = Connection::to(standin).await;
        for (number, (request, reply)) in recorded.iter().enumerate() {
            let body = request.body_bytes();
            let found = connection
                .exchange(&encode_frame(&request.header, &body))
                .await;
            let request = RequestHeader::of(&request.header);
            let (theirs, ours) = (
                comparable(&request, &body, reply),
                comparable(&request, &body, &found),
            );
            if theirs != ours {
                differences.push(format!(
                    "exchange {number}, {:?}: {}",
                    request.operation,
                    lines_that_differ(&theirs, &ours),
                ));
            }
        }
    }
    differences
}

fn lines_that_differ(theirs: &impl std::fmt::Debug, ours: &impl std::fmt::Debug) -> String {
    let (theirs, ours) = (format!("{theirs:#?}"), format!("{ours:#?}"));
    let pairs = theirs.lines().zip(ours.lines());
    let different = pairs.filter(|(theirs, ours)| theirs != ours);
    let told =
        different.map(|(theirs, ours)| format!("recorded {}, got {}", theirs.trim(), ours.trim()));
    told.take(10).collect::<Vec<_>>().join("; ")
}

/// A reply without what must differ: times, places in the log, numbers of
/// connections and sessions, addresses, what a process says of itself.
fn comparable(
    request: &RequestHeader,
    asked: &[u8],
    frame: &Frame,
) -> (ReplyHeader, Option<ResultSection>, Reply) {
    assert_eq!(frame.command(), Command::REPLY);
    let mut header = ReplyHeader::of(&frame.header);
    assert!(header.answers(request));
    let has = |number: u64| u64::from(number != 0);
    let is_partition = request.operation.0 >= 160;
    header.prelude.size = 0;
    header.prelude.cluster = u128::from(header.prelude.cluster != 0);
    header.op = has(header.op);
    // How far a server's log had come is the server's own affair.
    header.commit = 0;
    header.timestamp = has(header.timestamp);
    if is_partition {
        // The number of the connection, and above it that of the thread.
        header.client = 0;
    }
    let body = frame.body_bytes();
    // Where the status says no, nothing follows.
    let (result, rest) = match body.len() {
        0 => (None, body),
        _ => ResultSection::split(header.operation, &body).unwrap(),
    };
    let code = request.command_code(asked).unwrap();
    let (mut reply, fault) = Reply::decode(Dialect::Vsr, code, &rest).unwrap();
    assert_eq!(fault, None);
    blank(&mut reply);
    (header, result, reply)
}

fn blank(reply: &mut Reply) {
    match reply {
        Reply::Session(session) => session.session = 0,
        Reply::PolledMessages(polled) => {
            let sums = polled.layout.verify(&polled.messages);
            assert!(sums.iter().all(|sum| *sum == Checksum::Right), "{sums:?}");
            let sums = polled.layout.verify_batches(&polled.messages);
            assert!(sums.iter().all(|sum| *sum == Checksum::Right), "{sums:?}");
            if let MessageLayout::Batches(batches) = &mut polled.layout {
                for batch in batches {
                    batch.header.base_timestamp = 0;
                    batch.header.batch_checksum = 0;
                }
            }
            for message in &mut polled.messages {
                message.header.timestamp = 0;
            }
        }
        Reply::CreatedStream(stream) => stream.created_at = 0,
        Reply::Stream(details) => {
            details.stream.created_at = 0;
            details.topics.iter_mut().for_each(|t| t.created_at = 0);
        }
        Reply::Topic(details) => {
            details.topic.created_at = 0;
            details.partitions.iter_mut().for_each(|p| p.created_at = 0);
        }
        Reply::ClusterMetadata(cluster) => {
            for node in &mut cluster.nodes {
                (node.tcp_port, node.http_port) = (0, 0);
                (node.quic_port, node.websocket_port) = (0, 0);
            }
        }
        _ => {}
    }
}
