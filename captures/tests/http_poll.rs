//! HTTP polls as two real servers answered them, and shapes of other versions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use bytes::Bytes;
use parallax_captures::http_poll::{parse_answer, parse_refusal, parse_target};
use parallax_captures::limits::HTTP_REASON_BYTES;
use parallax_captures::poll::{PollAnswer, UserHeaders};
use parallax_codec::ErrorCode;
use parallax_codec::messages::{HeaderKind, UserHeader, parse_user_headers};
use serde_json::Value;

/// Target, status and body of each poll in the recordings `http_server-0.8.0`
/// and `http_server-0.9-edge` whose body they hold whole.
const RECORDED: [&str; 2] = [
    include_str!("data/http/polls-0.8.0.txt"),
    include_str!("data/http/polls-0.9-edge.txt"),
];

fn recorded(text: &str) -> impl Iterator<Item = (&str, u16, &str)> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        let target = lines.next()?;
        let (status, body) = lines.next()?.split_once(' ')?;
        Some((target, status.parse().unwrap(), body))
    })
}

#[test]
fn recorded_answers_hold_what_the_producer_sent_and_the_query_asked() {
    let mut messages = 0;
    for (target, status, body) in RECORDED.into_iter().flat_map(recorded) {
        if status != 200 {
            continue;
        }
        let answer = parse_answer(status, body.as_bytes()).unwrap().unwrap();
        let poll = parse_target(target).expect(target);
        assert_eq!(
            answer.partition_id,
            poll.partition_id.unwrap_or(0),
            "{target}"
        );
        assert_eq!(
            usize::try_from(answer.count).unwrap(),
            answer.messages.len()
        );
        assert!(answer.count <= poll.count);
        for message in answer.messages {
            messages += 1;
            // The producer of the recordings wrote its sequence number into the
            // payload and, in every third message, into the headers.
            let sent: Value = serde_json::from_slice(&message.payload).unwrap();
            let seq = sent["seq"].as_u64().unwrap();
            let UserHeaders::Decoded(headers) = message.user_headers else {
                panic!("opaque headers in {target}");
            };
            let shown: Vec<String> = headers.iter().map(shown).collect();
            if headers.is_empty() {
                assert_ne!(message.id, u128::from(1000 + seq));
            } else {
                let expected = [format!("attempt={seq}"), format!("trace-id=t-{seq}")];
                assert_eq!(shown, expected);
                assert_eq!(message.id, u128::from(1000 + seq));
            }
        }
    }
    assert!(messages > 20, "only {messages} messages read");
}

fn shown(header: &UserHeader) -> String {
    format!("{}={}", header.key, header.value)
}

#[test]
fn recorded_refusals_keep_code_and_text() {
    let refusals: Vec<_> = RECORDED
        .into_iter()
        .flat_map(recorded)
        .filter(|(_, status, _)| *status != 200)
        .map(|(_, status, body)| parse_answer(status, body.as_bytes()))
        .collect();
    let refused = |code: Option<u32>, text: &str| {
        refusals.iter().any(|refusal| match refusal {
            Ok(Err(refusal)) => {
                refusal.code == code.map(ErrorCode) && refusal.reason.contains(text)
            }
            _ => false,
        })
    };
    assert!(refused(Some(3007), "Partition with ID: 99"));
    assert!(refused(
        Some(2010),
        "Topic with ID: otel for stream with ID: nope"
    ));
    assert!(
        refused(None, "Resource not found"),
        "404 is no code of Iggy's"
    );
    let unusable = refusals.iter().filter_map(|refusal| refusal.as_ref().err());
    assert!(
        unusable
            .clone()
            .all(|why| why.contains("HTTP 400") && why.contains("Invalid command")),
        "a query that the server could not read is no refusal of a poll: {refusals:?}"
    );
    assert!(unusable.count() > 0);
}

#[test]
fn integers_beyond_2_pow_53_stay_exact_as_numbers_and_as_strings() {
    let id = u128::MAX;
    let offset = (1_u64 << 53) + 1;
    for (id_text, offset_text) in [
        (id.to_string(), offset.to_string()),
        (format!("\"{id}\""), format!("\"{offset}\"")),
    ] {
        let answer = answer_with(&message(&id_text, &offset_text, ",\"user_headers\":[]"));
        assert_eq!(answer.messages[0].id, id);
        assert_eq!(answer.messages[0].offset, offset);
    }
}

#[test]
fn headers_read_the_same_in_all_their_shapes() {
    let none = UserHeaders::Decoded(Vec::new());
    for shape in [
        "",
        ",\"user_headers\":[]",
        ",\"user_headers\":null",
        ",\"user_headers\":\"\"",
    ] {
        assert_eq!(headers_of(shape), none, "{shape}");
    }
    let list = headers_of(
        r#","user_headers":[{"key":{"kind":"string","value":"YXR0ZW1wdA=="},
            "value":{"kind":"uint32","value":"AAAAAA=="}}]"#,
    );
    let map = headers_of(r#","user_headers":{"attempt":{"kind":"uint32","value":"AAAAAA=="}}"#);
    assert_eq!(list, map);
    let UserHeaders::Decoded(headers) = list else {
        panic!("opaque");
    };
    assert_eq!(headers[0].key.bytes, b"attempt");
    assert_eq!(headers[0].value.kind, HeaderKind::UINT32);
    // Bytes that no server could read as headers: encrypted by a client.
    let raw = b"\xff\x01opaque";
    assert!(parse_user_headers(raw).is_err());
    let opaque = headers_of(",\"user_headers\":\"/wFvcGFxdWU=\"");
    assert_eq!(opaque, UserHeaders::Opaque(Bytes::from_static(raw)));
}

#[test]
fn unknown_fields_are_ignored() {
    let text = message("1", "2", ",\"user_headers\":[],\"colour\":{\"a\":[1]}");
    let body = format!(
        "{{\"epoch\":7,\"partition_id\":0,\"current_offset\":2,\"count\":1,\"messages\":[{text}]}}"
    );
    assert!(parse_answer(200, body.as_bytes()).unwrap().is_ok());
}

#[test]
fn a_body_that_is_no_answer_says_why() {
    for (status, body, word) in [
        (200, "<html>hello</html>", "<html>"),
        (200, "", "EOF"),
        (200, "[]", "body that is no answer"),
        (200, r#"{"partition_id":0}"#, "current_offset"),
        (
            200,
            r#"{"partition_id":-1,"current_offset":0,"count":0,"messages":[]}"#,
            "integer",
        ),
        (
            200,
            r#"{"partition_id":1.5,"current_offset":0,"count":0,"messages":[]}"#,
            "integer",
        ),
        (502, "Bad gateway", "HTTP 502"),
        (404, "", "without a body"),
    ] {
        let why = parse_answer(status, body.as_bytes()).unwrap_err();
        assert!(why.contains(word), "{body}: {why}");
    }
    let broken = message("1", "2", ",\"user_headers\":7");
    let body =
        format!("{{\"partition_id\":0,\"current_offset\":2,\"count\":1,\"messages\":[{broken}]}}");
    let why = parse_answer(200, body.as_bytes()).unwrap_err();
    assert!(why.contains("offset 2"), "{why}");
}

fn message(id: &str, offset: &str, more: &str) -> String {
    format!(
        "{{\"header\":{{\"checksum\":18446744073709551615,\"id\":{id},\"offset\":{offset},\
         \"timestamp\":1,\"origin_timestamp\":2,\"reserved\":0}},\"payload\":\"YQ==\"{more}}}"
    )
}

fn answer_with(message: &str) -> PollAnswer {
    let body =
        format!("{{\"partition_id\":0,\"current_offset\":9,\"count\":1,\"messages\":[{message}]}}");
    parse_answer(200, body.as_bytes()).unwrap().unwrap()
}

fn headers_of(shape: &str) -> UserHeaders {
    answer_with(&message("1", "2", shape)).messages[0]
        .user_headers
        .clone()
}

#[test]
fn a_reason_without_end_is_kept_up_to_the_limit() {
    let endless = "x".repeat(1_000_000);
    let body = format!(r#"{{"id":4100,"code":"invalid_offset","reason":"{endless}"}}"#);
    let refusal = parse_refusal(400, body.as_bytes()).unwrap();
    assert!(refusal.reason.len() < HTTP_REASON_BYTES + 40);
    assert!(refusal.reason.ends_with("(cut, 1000000 bytes)"));
    let body =
        format!(r#"{{"partition_id":0,"current_offset":0,"count":0,"messages":"{endless}"}}"#);
    let why = parse_answer(200, body.as_bytes()).unwrap_err();
    assert!(why.len() < HTTP_REASON_BYTES + 1_000);
}
