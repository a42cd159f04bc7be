//! Recorded HTTP requests put to a running stand-in, whose state was made by a
//! recorded client on TCP.

use parallax_captures::import::http::HttpExchange;
use parallax_codec::classic::encode_request;
use parallax_proxy::limits::STANDIN_HTTP_BODY;
use parallax_proxy::standin::{Fault, PlacedFault, Standin, StandinConfig};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

use super::recorded::{exchanges, http_exchanges};
use super::tcp::Connection;

#[tokio::test]
async fn http_is_answered_as_the_real_server_did() {
    let standin = standin_after_setup(None).await;
    let differences = replay(&standin, "http_server-0.8.0/http.pcap").await;
    assert_eq!(differences, [""; 0]);
    standin.stop().await;
}

#[tokio::test]
async fn http_tells_the_offset_of_a_broken_partition_and_reads_the_others() {
    let standin = standin_after_setup(Some(PlacedFault {
        fault: Fault::FalseFirstOffset,
        stream: "otel".to_owned(),
        topic: "metrics".to_owned(),
        partition_id: 2,
    }))
    .await;
    let recording = "broken-segment_server-0.8.0/group-next-4100.pcap";
    let differences = replay(&standin, recording).await;
    assert_eq!(differences, [""; 0]);
    standin.stop().await;
}

#[tokio::test]
async fn without_a_good_access_token_nothing_is_said() {
    let standin = standin_after_setup(None).await;
    let streams = format!("http://{}/streams", standin.http);
    for request in [
        Client::new().get(&streams),
        Client::new().get(&streams).bearer_auth("bad"),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 401);
        assert_eq!(response.text().await.unwrap(), "");
    }
    standin.stop().await;
}

#[tokio::test]
async fn a_wrong_login_is_refused_with_its_code() {
    let standin = standin_after_setup(None).await;
    let response = log_in(&standin, &json!({"username": "iggy", "password": "wrong"})).await;
    assert_eq!(response.status(), 400);
    let body: Value = response.json().await.unwrap();
    let recorded =
        r#"{"id":42,"code":"invalid_credentials","reason":"Invalid credentials","field":null}"#;
    assert_eq!(body, serde_json::from_str::<Value>(recorded).unwrap());
    let unreadable = log_in(&standin, &json!({"username": 3, "password": "hunter2"})).await;
    assert_eq!(unreadable.status(), 422);
    assert!(!unreadable.text().await.unwrap().contains("hunter2"));
    standin.stop().await;
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused() {
    let standin = Standin::start(StandinConfig::default()).await.unwrap();
    let password = "x".repeat(STANDIN_HTTP_BODY);
    let response = log_in(&standin, &json!({"username": "iggy", "password": password})).await;
    assert_eq!(response.status(), 413);
    standin.stop().await;
}

/// A stand-in to which the recorded client has sent its 78 messages.
async fn standin_after_setup(fault: Option<PlacedFault>) -> Standin {
    let config = StandinConfig {
        fault,
        ..StandinConfig::default()
    };
    let standin = Standin::start(config).await.unwrap();
    let mut connection = Connection::to(&standin).await;
    for exchange in exchanges("server-0.8.0_sdk-0.10.0/setup.pcap") {
        let request = encode_request(exchange.code, &exchange.body);
        let (status, _) = connection.exchange(&request).await;
        assert_eq!(status, exchange.status);
    }
    standin
}

async fn log_in(standin: &Standin, body: &Value) -> Response {
    let url = format!("http://{}/users/login", standin.http);
    let request = Client::new().post(url).json(body);
    request.send().await.unwrap()
}

pub(crate) async fn replay(standin: &Standin, recording: &str) -> Vec<String> {
    let credentials = json!({"username": "iggy", "password": "iggy"});
    let identity: Value = log_in(standin, &credentials).await.json().await.unwrap();
    let token = identity["access_token"]["token"].as_str().unwrap();
    let mut differences = Vec::new();
    let mut asked = 0;
    for recorded in http_exchanges(recording) {
        // Bodies with passwords and tokens are not read from captures.
        if recorded.target.contains("login") || recorded.target.contains("tokens") {
            continue;
        }
        let Some(status) = recorded.status else {
            continue;
        };
        asked += 1;
        let response = ask(standin, &recorded, token).await;
        let found = (response.status().as_u16(), response.bytes().await.unwrap());
        let ours = comparable(&recorded.target, &found.1);
        let theirs = comparable(&recorded.target, &recorded.response_body.bytes);
        if found.0 != status || ours != theirs {
            differences.push(format!(
                "{} {}: recorded {status} {theirs}, got {} {ours}",
                recorded.method, recorded.target, found.0,
            ));
        }
    }
    assert!(asked > 10, "{recording} holds questions");
    differences
}

async fn ask(standin: &Standin, recorded: &HttpExchange, token: &str) -> Response {
    let method = Method::from_bytes(recorded.method.as_bytes()).unwrap();
    let url = format!("http://{}{}", standin.http, recorded.target);
    let mut request = Client::new().request(method, url);
    if recorded.authorized {
        // A recorded 401 with a token was a bad token.
        let is_good = recorded.status != Some(401);
        request = request.bearer_auth(if is_good { token } else { "bad" });
    }
    if recorded.request_body.length > 0 {
        request = request
            .header("content-type", "application/json")
            .body(recorded.request_body.bytes.clone());
    }
    request.send().await.unwrap()
}

/// A body without what must differ; text that is not JSON as it is.
fn comparable(target: &str, body: &[u8]) -> Value {
    let Ok(mut value) = serde_json::from_slice::<Value>(body) else {
        return String::from_utf8_lossy(body).into_owned().into();
    };
    if target == "/stats" {
        // Only its shape: the rest is the machine's and the process's.
        let keys = value.as_object().unwrap().keys();
        return keys.cloned().collect::<Vec<_>>().into();
    }
    blank(&mut value);
    value
}

const DIFFERENT: [&str; 7] = [
    "checksum",
    "timestamp",
    "origin_timestamp",
    "created_at",
    "tcp",
    "quic",
    "http",
];

fn blank(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(blank),
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                // Ids that a server drew have more than 64 bits.
                let is_drawn = name == "id" && value.as_u64().is_none();
                if is_drawn || DIFFERENT.contains(&name.as_str()) || name == "websocket" {
                    *value = Value::Null;
                } else {
                    blank(value);
                }
            }
        }
        _ => {}
    }
}
