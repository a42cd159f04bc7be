//! Two answers to one poll, side by side.

use std::path::PathBuf;

use fantoccini::Locator;
use parallax_tests::{Browser, recording};
use serde_json::Value;

use crate::read::{doctored, first, inspected, number};
use crate::support::{Viewed, text_of, wait_for};

const BROKEN: &str = "broken-segment_server-0.8.0/group-next-4100.pcap";

/// The text of every element, in the order of the page.
async fn texts(browser: &Browser, css: &str) -> Vec<String> {
    let found = browser.client.find_all(Locator::Css(css)).await.unwrap();
    let mut texts = Vec::new();
    for element in found {
        texts.push(element.text().await.unwrap());
    }
    texts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_has_a_line_for_each_partition_and_marks_the_culprit() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let exchanges = inspected(&recording(BROKEN));
    let failed = |one: &Value| one["status"] == 4100 && one["verdict"] == "not_comparable";
    let failing = first(&exchanges, failed);
    let viewed = Viewed::recording(BROKEN);
    viewed
        .open(&browser, &format!("exchanges/{}", number(failing)))
        .await;
    let lines = texts(&browser, "#two-answers tbody tr").await;
    let asked = failing["comparison"]["answers"].as_array().unwrap();
    assert_eq!(
        lines.len(),
        asked.len() + 1,
        "TCP's and one for each: {lines:?}"
    );
    assert!(lines[0].contains("4100 invalid_offset"), "{lines:?}");
    assert!(
        lines[0].contains("no text, no number on the wire"),
        "{lines:?}"
    );
    // The likely culprit comes first.
    let is_culprit = |one: &&Value| one["status"] == failing["status"];
    let (culprits, others): (Vec<_>, Vec<_>) = asked.iter().partition(is_culprit);
    for (line, answer) in lines[1..].iter().zip(culprits.into_iter().chain(others)) {
        let status = answer["http_status"].as_u64().unwrap();
        assert!(line.contains(&format!("HTTP {status}")), "{line}");
        if let Some(id) = answer["partition_id"].as_u64() {
            assert!(line.contains(&format!(" {id} ")), "{line}");
        }
        let said = if let Some(reason) = answer["reason"].as_str() {
            reason.to_owned()
        } else {
            let last = answer["response"]["current_offset"].as_u64().unwrap();
            format!("last of the partition {last}")
        };
        assert!(line.contains(&said), "{said}: {line}");
        let culprit = answer["status"] == failing["status"];
        assert_eq!(line.contains("the likely culprit"), culprit, "{line}");
    }
    let text = text_of(&browser, "main").await;
    for expected in [
        "not the same question: over HTTP the same error at partition 2",
        "Why this may be believed",
        "Is it a fair question",
        "What could make it wrong",
        "not a proven one",
        "The life of otel/metrics, partition 2",
    ] {
        assert!(text.contains(expected), "{expected} is not in:\n{text}");
    }
    browser.keep_looks("two-answers-probe").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_messages_are_folded_and_what_http_was_not_asked_for_is_a_gap() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let exchanges = inspected(&recording(BROKEN));
    let agreeing = first(&exchanges, |one| {
        one["verdict"] == "agree" && one["response"]["partition_id"] == 1
    });
    let tcp = agreeing["response"]["messages"].as_array().unwrap().len();
    let answer = &agreeing["comparison"]["answers"][0]["response"];
    let http = answer["messages"].as_array().unwrap().len();
    assert!(
        tcp > http && http > 0,
        "the recording has more on TCP: {tcp}, {http}"
    );

    let viewed = Viewed::recording(BROKEN);
    viewed
        .open(&browser, &format!("exchanges/{}", number(agreeing)))
        .await;
    let text = text_of(&browser, "#two-answers").await;
    let counted = format!(
        "all 3 fields equal, {} messages asked of one side only, {http} messages equal",
        tcp - http
    );
    assert!(text.contains(&counted), "{counted} is not in:\n{text}");
    assert!(
        text.contains(&format!("{http} equal messages, offsets 0 to {}", http - 1)),
        "{text}"
    );
    assert!(text.contains("HTTP was not asked for it"), "{text}");
    assert!(
        !text.contains("\"seq\":100"),
        "the equal ones are folded: {text}"
    );
    wait_for(&browser, "#two-answers .by-offset summary")
        .await
        .click()
        .await
        .unwrap();
    let text = text_of(&browser, "#two-answers").await;
    assert!(text.contains("\"seq\":100"), "and open: {text}");
    browser.keep_looks("two-answers-equal").await;
    browser.close().await;
}

/// The recording with two payloads changed on TCP, where they are no base64.
fn with_other_payloads() -> PathBuf {
    doctored(
        &recording(BROKEN),
        "other-payloads.pcap",
        &[
            (
                r#"{"seq":100,"text":"message 100"}"#,
                "<img src=x onerror=alert(10000)>",
            ),
            (
                r#"{"seq":101,"text":"message 101"}"#,
                r#"{"seq":101,"text":"massage 101"}"#,
            ),
        ],
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_payload_that_differs_the_first_byte_is_marked_and_a_tag_in_it_stays_text() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let file = with_other_payloads();
    let exchanges = inspected(&file);
    let differing = first(&exchanges, |one| one["verdict"] == "diverge");
    let n = number(differing);
    let viewed = Viewed::started(&["view", file.to_str().unwrap()]);
    viewed.open(&browser, &format!("exchanges/{n}")).await;
    let text = text_of(&browser, "#two-answers").await;
    for expected in [
        "\u{2260} diverge",
        "2 messages differ",
        "first different byte of the payload: 0",
        // {"seq":101,"text":"m|essage: the first letter that is another is the 21st.
        "first different byte of the payload: 20",
        "1 of 6 fields differ",
        "equal: id, timestamp, origin_timestamp, checksum, user_headers",
    ] {
        assert!(text.contains(expected), "{expected} is not in:\n{text}");
    }
    let marked = texts(&browser, "#two-answers .quoted mark").await;
    let marked: Vec<_> = marked.iter().map(String::as_str).collect();
    assert_eq!(marked, ["3c", "<", "7b", "{", "61", "a", "65", "e"]);

    // Wherever it is shown, it is text.
    let place = format!("exchanges/{n}/messages/0");
    for path in [
        format!("exchanges/{n}"),
        place.clone(),
        format!("{place}?as=text"),
        format!("{place}?as=json"),
        format!("{place}?as=hex"),
    ] {
        viewed.open(&browser, &path).await;
        wait_for(&browser, "pre.payload").await;
        let alert = browser.client.get_alert_text().await;
        assert!(alert.is_err(), "{path}: {alert:?}");
        let images = browser.client.find_all(Locator::Css("img")).await.unwrap();
        assert!(images.is_empty(), "{path}");
    }
    viewed.open(&browser, &format!("exchanges/{n}")).await;
    browser.keep_looks("two-answers-differ").await;
    let _ = std::fs::remove_file(file);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_again_stands_in_columns_of_its_own_with_the_time_between() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut viewed = Viewed::started(&["demo", "--fault", "transient_empty"]);
    viewed.program.line_with("transient");
    let told = viewed.json("api/v1/exchanges?verdict=transient").await;
    let one = &told["exchanges"][0];
    let n = number(one);
    viewed.open(&browser, &format!("exchanges/{n}")).await;
    let text = text_of(&browser, "#again").await;
    assert!(
        text.contains("Asked again") && text.contains("both agree now and bring"),
        "{text}"
    );
    let columns = texts(&browser, ".pairs thead tr:last-child th").await;
    assert_eq!(
        columns,
        [
            "Field",
            "TCP (the client)",
            "HTTP (asked by parallax)",
            "TCP (parallax, before)",
            "HTTP (asked by parallax)",
            "TCP (parallax, after)",
        ]
    );
    let whole = viewed.json(&format!("api/v1/exchanges/{n}")).await;
    let again = &whole["comparison"]["asked_again"];
    let asked = [
        &whole["time"],
        &whole["comparison"]["answers"][0]["asked"],
        &again["tcp_before"][0]["asked"],
        &again["answers"][0]["asked"],
        &again["tcp_after"][0]["asked"],
    ];
    let rows = texts(&browser, ".pairs tbody tr").await;
    let shown = rows.iter().find(|row| row.starts_with("asked at")).unwrap();
    for time in asked {
        // 2026-11-30T07:05:05.746636123Z: to the microsecond, without the day.
        let time = time.as_str().unwrap();
        let clock = &time[11..time.len().min(26)];
        assert!(
            shown.contains(clock.trim_end_matches('Z')),
            "{clock}: {shown}"
        );
    }
    assert!(
        text_of(&browser, "#two-answers")
            .await
            .contains("missing on TCP")
    );
    browser.keep_looks("two-answers-again").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poll_without_a_second_answer_says_what_is_missing_and_what_to_do() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let path = "server-0.8.0_sdk-0.10.0/purge.pcap";
    let exchanges = inspected(&recording(path));
    let poll = first(&exchanges, |one| one["command"] == "poll_messages");
    let viewed = Viewed::recording(path);
    viewed
        .open(&browser, &format!("exchanges/{}", number(poll)))
        .await;
    let text = text_of(&browser, "#two-answers").await;
    assert!(
        text.contains("one is missing") && text.contains("tcp port 3000"),
        "{text}"
    );

    // A login is never compared: nothing is said to be missing.
    let viewed = Viewed::recording("skew_python-0.9.0_server-0.8.0/login.pcap");
    viewed.open(&browser, "exchanges/1").await;
    let text = text_of(&browser, "main").await;
    assert!(!text.contains("Two answers"), "{text}");
    assert!(
        text.contains("Not wholly decoded")
            || text.contains("no reply was seen")
            || text.contains("login"),
        "{text}"
    );
    browser.keep_looks("two-answers-none").await;
    browser.close().await;
}
