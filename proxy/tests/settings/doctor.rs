//! `parallax doctor` before a stand-in server, and before what is broken.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Output;

use parallax_codec::Dialect;
use parallax_proxy::standin::{Standin, StandinConfig};
use serde_json::Value;

use super::{Place, errors, lines};

async fn server(dialect: Dialect) -> Standin {
    let config = StandinConfig {
        dialect,
        ..StandinConfig::default()
    };
    Standin::start(config).await.unwrap()
}

/// An address on which nobody listens.
fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

/// Answers every HTTP request by its path.
fn http(answer: impl Fn(&str) -> String + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream: TcpStream = stream.unwrap();
            let mut request = vec![0; 4096];
            let read = stream.read(&mut request).unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let path = request.split(' ').nth(1).unwrap_or_default();
            let body = answer(path);
            let reply = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(reply.as_bytes());
        }
    });
    address
}

async fn doctor(place: Place, upstream: SocketAddr, http: SocketAddr, more: &[&str]) -> Output {
    let (listen, ui) = (free().to_string(), free().to_string());
    let (upstream, http) = (upstream.to_string(), http.to_string());
    let mut arguments = vec!["doctor", "--json", "--listen", &listen, "--ui", &ui];
    arguments.extend(["--upstream", &upstream, "--http", &http]);
    arguments.extend(["--max-connections", "100"]);
    arguments.extend(more);
    let mut command = place.parallax(&arguments);
    command.env("PARALLAX_HTTP_PASSWORD", "iggy");
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    drop(place);
    output.unwrap().unwrap()
}

fn of(output: &Output, check: &str) -> Value {
    let lines = lines(output);
    let found = lines.iter().find(|line| line["check"] == check).cloned();
    found.unwrap_or_else(|| panic!("no {check}: {lines:?} {}", errors(output)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_well_is_told_in_both_dialects() {
    for (dialect, name) in [(Dialect::Classic, "classic"), (Dialect::Vsr, "VSR")] {
        let server = server(dialect).await;
        let place = Place::new(name);
        let record = place.path().join("record").display().to_string();
        let more = [
            "--http-user",
            "iggy",
            "--record",
            &record,
            "--record-keep",
            "1KiB",
        ];
        let output = doctor(place, server.tcp, server.http, &more).await;
        for line in lines(&output) {
            assert_eq!(line["state"], "ok", "{line}");
        }
        assert!(
            of(&output, "dialect")["seen"]
                .as_str()
                .unwrap()
                .contains(name)
        );
        assert_eq!(of(&output, "same server")["state"], "ok");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_user_it_is_said_what_could_not_be_told_and_nothing_is_wrong() {
    let server = server(Dialect::Classic).await;
    let output = doctor(Place::new("nobody"), server.tcp, server.http, &[]).await;
    for check in ["version", "credentials", "same server"] {
        assert_eq!(of(&output, check)["state"], "not_known", "{check}");
    }
    assert_eq!(output.status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_listens_it_is_said_of_both_addresses() {
    let output = doctor(Place::new("nothing"), free(), free(), &[]).await;
    assert_eq!(of(&output, "upstream")["state"], "failed");
    assert_eq!(of(&output, "http")["state"], "warning");
    assert_eq!(output.status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_told_and_not_shown() {
    let server = server(Dialect::Classic).await;
    let place = Place::new("password");
    let file = place.path().join("password");
    std::fs::write(&file, "hunter2\n").unwrap();
    let file = file.display().to_string();
    let more = ["--http-user", "iggy", "--http-password-file", &file];
    let output = doctor(place, server.tcp, server.http, &more).await;
    assert_eq!(of(&output, "credentials")["state"], "failed");
    assert_eq!(of(&output, "version")["state"], "warning");
    assert_eq!(output.status.code(), Some(1));
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        errors(&output)
    );
    assert!(!said.contains("hunter2"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn http_where_tcp_should_be_and_http_of_something_else_are_told_apart() {
    let server = server(Dialect::Classic).await;
    let output = doctor(Place::new("swapped"), server.http, server.http, &[]).await;
    let dialect = of(&output, "dialect");
    assert_eq!(dialect["state"], "failed");
    assert!(
        dialect["seen"].as_str().unwrap().contains("speaks HTTP"),
        "{dialect}"
    );
    let other = http(|_| "hello".to_owned());
    let output = doctor(Place::new("other"), server.tcp, other, &[]).await;
    assert_eq!(of(&output, "http")["state"], "warning");
}

#[tokio::test(flavor = "multi_thread")]
async fn http_of_another_server_is_told() {
    let server = server(Dialect::Classic).await;
    let other = http(|path| match path {
        "/ping" => "pong".to_owned(),
        "/users/login" => r#"{"access_token":{"token":"t"}}"#.to_owned(),
        _ => r#"{"process_id":1,"hostname":"elsewhere","start_time":1}"#.to_owned(),
    });
    let more = ["--http-user", "iggy"];
    let output = doctor(Place::new("another"), server.tcp, other, &more).await;
    let same = of(&output, "same server");
    assert_eq!(same["state"], "failed", "{same}");
    assert!(
        same["seen"].as_str().unwrap().contains("elsewhere"),
        "{same}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_taken_and_a_directory_that_is_none_are_told() {
    let server = server(Dialect::Classic).await;
    let place = Place::new("taken");
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    let record = file.display().to_string();
    let listening = server.tcp.to_string();
    let output = doctor(place, server.tcp, server.http, &["--record", &record]).await;
    assert_eq!(of(&output, "disk")["state"], "failed");
    assert_eq!(output.status.code(), Some(1));
    let place = Place::new("listening");
    let arguments = ["doctor", "--json", "--listen", &listening, "--no-mirror"];
    let mut command = place.parallax(&arguments);
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.unwrap().unwrap();
    assert_eq!(of(&output, "listen")["state"], "failed");
}
