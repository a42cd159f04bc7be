//! As much HTTP as it takes to read a page.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The whole response to a GET, head included.
pub async fn get(server: SocketAddr, target: &str) -> String {
    let request = format!("GET {target} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
    exchange(server, &request).await
}

/// An access token for the root user, `iggy` / `iggy`.
pub async fn bearer_token(server: SocketAddr) -> String {
    let body = r#"{"username":"iggy","password":"iggy"}"#;
    let length = body.len();
    let request = format!(
        "POST /users/login HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let response = exchange(server, &request).await;
    let (_, json) = response.split_once("\r\n\r\n").expect("a body");
    let identity: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
    let token = identity["access_token"]["token"].as_str();
    token.expect("there is a token").to_owned()
}

/// The whole response to a GET of one who has logged in, head included.
pub async fn get_with_token(server: SocketAddr, target: &str, token: &str) -> String {
    let request = format!(
        "GET {target} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    );
    exchange(server, &request).await
}

async fn exchange(server: SocketAddr, request: &str) -> String {
    let mut socket = TcpStream::connect(server).await.expect("it listens");
    let sent = socket.write_all(request.as_bytes()).await;
    sent.expect("it reads");
    let mut response = Vec::new();
    socket.read_to_end(&mut response).await.expect("it answers");
    String::from_utf8_lossy(&response).into_owned()
}
