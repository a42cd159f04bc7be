//! HTTP from tape.

use parallax_captures::difference::Rules;
use parallax_proxy::offline::read_capture;
use parallax_proxy::replay::{Serving, Tape};
use parallax_tests::{bearer_token, get_with_token, imported, recording};

/// The tape, and how many polls are on it.
async fn tape_of(folder: &str) -> (Serving, usize) {
    let exchanges = read_capture(&imported(&format!("{folder}/http.pcapng")))
        .unwrap()
        .exchanges;
    let polls = exchanges
        .iter()
        .filter(|exchange| exchange.poll().is_some());
    let polls = polls.count();
    let tape = Tape::of(&exchanges, Rules::built_in());
    let serving = Serving::start(tape, "127.0.0.1:0", "127.0.0.1:0").await;
    (serving.unwrap(), polls)
}

/// What `http.out` has: each target that was asked, and the body and status that came.
fn printed(folder: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(recording(&format!("{folder}/http.out"))).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter_map(|two| {
        let target = two[0].strip_prefix("GET ")?;
        Some((target.to_owned(), two[1].to_owned()))
    });
    pairs.collect()
}

/// Bytes at which the recorded lines were cut.
const RECORDED_LINE: usize = 600;

#[tokio::test(flavor = "multi_thread")]
async fn polls_over_http_from_tape_are_what_was_printed_when_they_were_recorded() {
    for folder in ["http_server-0.8.0", "http_server-0.9-edge"] {
        let (tape, polls) = tape_of(folder).await;
        assert_eq!(
            tape.tcp, None,
            "nothing of the binary protocol was recorded"
        );
        let server = tape.http.unwrap();
        let token = bearer_token(server).await;
        let printed = printed(folder);
        assert!(polls >= 15, "{folder}: {polls}");
        for (target, line) in printed.into_iter().take(polls) {
            let response = get_with_token(server, &target, &token).await;
            let (head, body) = response.split_once("\r\n\r\n").unwrap();
            let status = head.split_whitespace().nth(1).unwrap();
            let now = format!("{body} -> {status}");
            let is_cut = line.len() >= RECORDED_LINE;
            assert!(
                now == line || is_cut && now.starts_with(&line),
                "{target}: {now}, {line}"
            );
            if body.starts_with('{') {
                assert!(head.contains("content-type: application/json"), "{head}");
            }
        }
        // The order of parameters says nothing.
        let target = "/streams/otel/topics/metrics/messages?count=3&kind=first&partition_id=0&\
                      consumer_id=7&value=0&auto_commit=false";
        let response = get_with_token(server, target, &token).await;
        assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        let response = get_with_token(server, "/streams/nowhere", &token).await;
        assert!(response.starts_with("HTTP/1.1 404"), "{response}");
        assert!(response.contains("is not on the tape"), "{response}");
        assert_eq!(tape.stop().await.missing, 1);
    }
}
