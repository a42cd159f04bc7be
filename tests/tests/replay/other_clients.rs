//! Clients of a tape that speak what it does not, and the program that plays it.

use std::time::Duration;

use parallax_tests::{Running, imported};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_mins(1);

fn start(folder: &str) -> (Running, String) {
    let file = imported(&format!("{folder}/polls.pcapng"));
    let file = file.to_str().unwrap();
    let arguments = ["replay", file, "--serve", "--listen", "127.0.0.1:0"];
    let mut running = Running::start(&arguments);
    let line = running.line_with("tape  ");
    let address = line.split_whitespace().nth(1).unwrap().to_owned();
    (running, address)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_sdk_of_the_other_dialect_fails_at_its_login_and_does_not_hang() {
    let (running, address) = start("server-0.9-edge_sdk-0.11-edge");
    let login = async {
        use iggy::prelude::*;
        let client = IggyClient::builder()
            .with_tcp()
            .with_server_address(address)
            .build()
            .unwrap();
        client.connect().await.unwrap();
        client.login_user("iggy", "iggy").await.unwrap_err()
    };
    let error = timeout(PATIENCE, login).await.expect("it answers");
    assert_eq!(error.as_code(), 5, "{error}");
    assert_eq!(running.interrupt().code(), Some(0));

    let (running, address) = start("server-0.8.0_sdk-0.10.0");
    let login = async {
        use iggy_11::prelude::*;
        let client = IggyClient::builder()
            .with_tcp()
            .with_server_address(address)
            .build()
            .unwrap();
        client.connect().await.unwrap();
        client.login_user("iggy", "iggy").await.unwrap_err()
    };
    let error = timeout(PATIENCE, login).await.expect("it answers");
    // It tries twice, and tells of the second time.
    assert!([40, 14_003].contains(&error.as_code()), "{error}");
    assert_eq!(running.interrupt().code(), Some(0));
}
