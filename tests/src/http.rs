//! As much HTTP as it takes to read a page.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The whole response to a GET, head included.
pub async fn get(server: SocketAddr, target: &str) -> String {
    let mut socket = TcpStream::connect(server).await.expect("it listens");
    let request = format!("GET {target} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
    socket
        .write_all(request.as_bytes())
        .await
        .expect("it reads");
    let mut response = Vec::new();
    socket.read_to_end(&mut response).await.expect("it answers");
    String::from_utf8_lossy(&response).into_owned()
}
