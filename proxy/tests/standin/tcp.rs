//! What the stand-in says on a socket.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use parallax_codec::classic::{Direction, Framer, encode_reply, encode_request};
use parallax_codec::{Encode as _, Reply, Request};
use parallax_proxy::limits::{STANDIN_CONNECTIONS, STANDIN_FRAME_BODY};
use parallax_proxy::standin::{Standin, StandinConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::requests::login;

const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn start() -> Standin {
    Standin::start(StandinConfig::default()).await.unwrap()
}

/// A connection that sends bytes and reads whole replies.
pub(crate) struct Connection {
    stream: TcpStream,
    replies: Framer,
}

impl Connection {
    pub(crate) async fn to(standin: &Standin) -> Self {
        Self {
            stream: TcpStream::connect(standin.tcp).await.unwrap(),
            replies: Framer::new(Direction::ToClient),
        }
    }

    pub(crate) async fn exchange(&mut self, request: &[u8]) -> (u32, Bytes) {
        self.stream.write_all(request).await.unwrap();
        self.reply().await.expect("a reply")
    }

    /// The next reply; `None` when the connection is at its end.
    pub(crate) async fn reply(&mut self) -> Option<(u32, Bytes)> {
        let reading = async {
            let mut frames = Vec::new();
            while frames.is_empty() {
                let mut chunk = BytesMut::with_capacity(64 * 1024);
                if self.stream.read_buf(&mut chunk).await.unwrap_or(0) == 0 {
                    return None;
                }
                self.replies.push(chunk.freeze(), &mut frames);
            }
            assert_eq!(frames.len(), 1);
            let frame = frames.remove(0);
            Some((frame.word, frame.body_bytes()))
        };
        tokio::time::timeout(PATIENCE, reading).await.unwrap()
    }

    pub(crate) async fn log_in(&mut self) {
        let request = login("iggy", "iggy");
        let request = encode_request(request.code(), &request.encode());
        assert_eq!(self.exchange(&request).await.0, 0);
    }
}

const PING: [u8; 8] = [4, 0, 0, 0, 1, 0, 0, 0];
const GET_STREAMS: [u8; 8] = [4, 0, 0, 0, 201, 0, 0, 0];

#[tokio::test]
async fn a_refusal_is_eight_bytes_the_code_and_nothing() {
    let standin = start().await;
    let mut connection = Connection::to(&standin).await;
    connection.stream.write_all(&GET_STREAMS).await.unwrap();
    let mut reply = [0; 8];
    connection.stream.read_exact(&mut reply).await.unwrap();
    assert_eq!(reply[..], encode_reply(40, &[])[..], "unauthenticated");
    standin.stop().await;
}

#[tokio::test]
async fn before_a_login_only_pings_are_answered() {
    let standin = start().await;
    let mut connection = Connection::to(&standin).await;
    assert_eq!(connection.exchange(&PING).await.0, 0);
    assert_eq!(connection.exchange(&GET_STREAMS).await.0, 40);
    for (password, code) in [("wrong", 42), ("no", 44)] {
        let request = login("iggy", password);
        let request = encode_request(request.code(), &request.encode());
        assert_eq!(connection.exchange(&request).await.0, code);
    }
    connection.log_in().await;
    assert_eq!(connection.exchange(&GET_STREAMS).await.0, 0);
    standin.stop().await;
}

#[tokio::test]
async fn after_a_frame_that_cannot_be_read_the_next_one_can() {
    let standin = start().await;
    let mut connection = Connection::to(&standin).await;
    let length_of_two = [2, 0, 0, 0, 1, 0, 0, 0];
    assert_eq!(connection.exchange(&length_of_two).await.0, 3);
    assert_eq!(connection.exchange(&encode_request(999, &[])).await.0, 3);
    assert_eq!(connection.exchange(&encode_request(200, &[9])).await.0, 3);
    let too_long = encode_request(100, &vec![0; STANDIN_FRAME_BODY + 1]);
    assert_eq!(connection.exchange(&too_long).await.0, 3);
    assert_eq!(connection.exchange(&PING).await.0, 0);
    standin.stop().await;
}

#[tokio::test]
async fn one_connection_too_many_is_closed_and_counted() {
    let standin = start().await;
    let mut connections = Vec::new();
    for _ in 0..STANDIN_CONNECTIONS {
        let mut connection = Connection::to(&standin).await;
        assert_eq!(connection.exchange(&PING).await.0, 0);
        connections.push(connection);
    }
    assert_eq!(Connection::to(&standin).await.reply().await, None);
    assert_eq!(standin.refused_connections(), 1);
    standin.stop().await;
}

#[tokio::test]
async fn stopping_closes_the_connections() {
    let standin = start().await;
    let mut connection = Connection::to(&standin).await;
    connection.exchange(&PING).await;
    standin.stop().await;
    assert_eq!(connection.reply().await, None);
}

#[tokio::test]
async fn me_is_the_connection_that_asks() {
    let standin = start().await;
    let mut connection = Connection::to(&standin).await;
    connection.log_in().await;
    let request = encode_request(Request::GetMe.code(), &[]);
    let (status, body) = connection.exchange(&request).await;
    assert_eq!(status, 0);
    let Reply::Client(me) = Reply::decode(
        parallax_codec::Dialect::Classic,
        Request::GetMe.code(),
        &body,
    )
    .unwrap()
    .0
    else {
        panic!("not a client");
    };
    let address = connection.stream.local_addr().unwrap();
    assert_eq!(me.client.address, address.to_string());
    standin.stop().await;
}
