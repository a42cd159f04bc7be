use std::collections::HashSet;

use super::names::Names;
use super::sentence::sentence;
use super::target::target;
use super::{Redaction, body};
use crate::limits::{ANONYMIZED_NAMES, REDACTED_JSON_DEPTH};

#[test]
fn a_name_has_one_alias_of_its_length_and_no_other_name_has_it() {
    let mut names = Names::default();
    let all = [
        "orders",
        "payment",
        "żółw",
        "qw_sink_metrics",
        "or",
        "x",
        "abc",
    ];
    let aliases: Vec<_> = all.iter().map(|name| names.name(name)).collect();
    for (name, alias) in all.iter().zip(&aliases) {
        assert_eq!(name.len(), alias.len());
        assert_ne!(name, alias);
        assert_eq!(&names.name(name), alias);
    }
    assert_eq!(aliases.iter().collect::<HashSet<_>>().len(), all.len());
    assert_ne!(
        Names::default().name("qw_sink_metrics"),
        aliases[3],
        "another key"
    );
}

#[test]
fn a_number_is_nobodys_name() {
    let mut names = Names::default();
    assert_eq!(names.name("7"), "7");
    assert_ne!(
        names.name("0049301234567"),
        "0049301234567",
        "no id is that long"
    );
}

#[test]
fn aliases_of_one_letter_run_out_and_are_counted_then() {
    let mut names = Names::default();
    let letters = (0x21..0x7f_u8).filter(|letter| !letter.is_ascii_digit());
    let letters: Vec<_> = letters
        .map(|letter| char::from(letter).to_string())
        .collect();
    let aliases: HashSet<_> = letters.iter().map(|letter| names.name(letter)).collect();
    assert!(aliases.len() > 20, "{aliases:?}");
    assert_eq!(names.shared(), (letters.len() - aliases.len()) as u64);
}

#[test]
fn versions_stay_and_what_else_a_client_says_does_not() {
    let mut names = Names::default();
    let told = names.words("acme-sdk 0.11.0-edge.4, protocol 1.2, billing on vm17.acme.test");
    assert!(told.contains("0.11.0-edge.4, protocol 1.2"), "{told}");
    for word in ["acme", "billing", "vm17"] {
        assert!(!told.contains(word), "{told}");
    }
}

#[test]
fn names_in_a_sentence_are_replaced_as_whole_words_however_they_are_written() {
    let mut names = Names::default();
    let told = |names: &mut Names, text: &str| sentence(names, text);
    let [otel, metrics, sink] = ["otel", "metrics", "a/b \"c\""].map(|name| names.name(name));
    assert_eq!(
        told(&mut names, "otel/metrics, group a/b \"c\": hotel metrics_2"),
        format!("{otel}/{metrics}, group {sink}: hotel metrics_2")
    );
    assert_eq!(
        told(&mut names, "GET /streams/otel/topics/a%2Fb%20%22c%22"),
        format!("GET /streams/{otel}/topics/{sink}")
    );
    let quoted = format!("{:?} is not there", "a/b \"c\"");
    assert_eq!(
        told(&mut names, &quoted),
        format!("\"{sink}\" is not there")
    );
}

#[test]
fn a_name_that_is_a_word_is_replaced_where_a_name_stands() {
    let mut names = Names::default();
    let [offset, a] = ["offset", "a"].map(|name| names.name(name));
    assert_eq!(
        sentence(&mut names, "offset/a/0, group a: a poll at offset 3"),
        format!("{offset}/{a}/0, group {a}: a poll at offset 3")
    );
}

#[test]
fn hosts_that_only_a_sentence_names_are_replaced() {
    let mut names = Names::default();
    for text in [
        "cannot reach the upstream server iggy.acme.test:8090: refused",
        "http://iggy.acme.test:3000/ping did not answer",
        "connection c1 (10.1.2.3:40000 to 10.1.2.4:8090)",
        "there is nobody at 10.1.2.3.",
    ] {
        let told = sentence(&mut names, text);
        assert_eq!(told.len(), text.len(), "{told}");
        assert!(!told.contains("acme") && !told.contains("10.1.2"), "{told}");
    }
    let own = "listening on 127.0.0.1:8190, page http://localhost:8191/";
    assert_eq!(sentence(&mut names, own), own);
}

#[test]
fn with_more_names_than_are_kept_sentences_are_left_out() {
    let mut names = Names::default();
    for number in 0..=ANONYMIZED_NAMES {
        names.name(&format!("name-{number}"));
    }
    let last = format!("name-{ANONYMIZED_NAMES}");
    assert!(!sentence(&mut names, &format!("group {last}")).contains("name-"));
    assert_eq!(names.name(&last).len(), last.len());
}

#[test]
fn a_target_keeps_its_routes_and_numbers_and_loses_its_names() {
    let mut names = Names::default();
    let [topics, sink] = ["topics", "my sink"].map(|name| names.name(name));
    assert_eq!(
        target(
            &mut names,
            "/streams/topics/topics/7/messages?consumer_id=my%20sink&partition_id=1&kind=next"
        ),
        format!("/streams/{topics}/topics/7/messages?consumer_id={sink}&partition_id=1&kind=next")
    );
    for same in [
        "/users/login",
        "/ping",
        "/stats?token=***",
        "/streams/1/topics/2/messages/flush/0/true",
    ] {
        assert_eq!(target(&mut names, same), same);
    }
    let told = target(
        &mut names,
        "http://iggy.acme.test:3000/users/alice/password",
    );
    assert!(!told.contains("acme") && !told.contains("alice"), "{told}");
    assert!(told.ends_with(":3000/users/".to_owned().as_str()) || told.ends_with("/password"));
}

fn told(redaction: Redaction, text: &str) -> String {
    String::from_utf8(body::body(
        &mut Names::default(),
        redaction,
        text.as_bytes(),
    ))
    .unwrap()
}

#[test]
fn a_body_keeps_its_numbers_and_its_length_and_loses_its_payloads() {
    let text = r#"{"partition_id":0, "messages":[{"header":{"checksum":13370552021395965800,
        "id":119862580393255535514821630751455240398},"payload":"eyJzZXEiOjAsInRleHQiOiJtIn0=",
        "user_headers":[{"key":{"kind":"string","value":"YXR0ZW1wdA=="},
        "value":{"kind":"uint32","value":"AAAAAA=="}}]}]}"#;
    let payloads = told(Redaction::Payloads, text);
    assert!(payloads.contains("119862580393255535514821630751455240398"));
    assert!(payloads.contains("YXR0ZW1wdA=="), "a key is a name");
    for gone in ["eyJz", "AAAAAA==", "13370552021395965800"] {
        assert!(!payloads.contains(gone), "{payloads}");
    }
    assert!(serde_json::from_str::<serde_json::Value>(&payloads).is_ok());
    assert!(!told(Redaction::Names, text).contains("YXR0ZW1wdA=="));
}

#[test]
fn a_sent_body_keeps_its_partition_and_loses_its_key() {
    let kept = r#"{"partitioning":{"kind":"partition_id","value":"AQAAAA=="},"messages":[]}"#;
    assert_eq!(told(Redaction::Names, kept), kept);
    let key = r#"{"partitioning":{"kind":"messages_key","value":"YWNtZQ=="},"messages":[]}"#;
    assert!(!told(Redaction::Payloads, key).contains("YWNtZQ"));
}

#[test]
fn names_in_a_body_are_replaced_and_words_of_the_protocol_are_not() {
    let text = r#"{"name":"ord\"ers","size":"1.2 KB","compression_algorithm":"none","id":7,
        "address":"10.1.2.3:99","created_at":1}"#;
    let names = told(Redaction::Names, text);
    assert!(
        !names.contains("ers\"") && !names.contains("10.1.2.3"),
        "{names}"
    );
    assert!(names.contains("1.2 KB") && names.contains("none") && names.contains(":99"));
    assert_eq!(told(Redaction::Payloads, text), text);
}

#[test]
fn what_is_no_json_or_too_deep_is_replaced_whole() {
    let deep = "[".repeat(REDACTED_JSON_DEPTH + 2);
    for text in ["{\"payload\":\"eyJz", "secret", "{} {}", "{\"a\" 1}", &deep] {
        let other = told(Redaction::Payloads, text);
        assert_eq!(other.len(), text.len());
        assert!(
            other.bytes().all(|byte| byte.is_ascii_lowercase()),
            "{other}"
        );
    }
}
