//! One exchange in detail: frames in windows, payloads in every form, times and ways
//! on.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parallax_captures::verdict::AskedTimes;
use parallax_captures::{ConnectionId, Content, Dialect, Exchange, HttpContent, Journal};
use parallax_codec::classic;
use parallax_codec::commands::SendMessages;
use parallax_codec::messages::{Message, MessageLayout};
use parallax_codec::primitives::{Identifier, Partitioning, PollingKind};
use parallax_codec::{Encode as _, Request, code};
use parallax_web::limits::{
    FIELDS_AT_ONCE, FRAME_BYTES_AT_ONCE, JSON_LAID_OUT, MESSAGES_SHOWN, PAYLOAD_BYTES_AT_ONCE,
};

use crate::http::Page;
use crate::sample::{self, HOSTILE};

/// A send of messages with these payloads.
fn sending(payloads: Vec<Vec<u8>>) -> Exchange {
    let message = |(offset, payload): (u64, Vec<u8>)| {
        let mut message: Message = sample::message(0);
        message.header.offset = offset;
        message.header.payload_length = u32::try_from(payload.len()).unwrap();
        message.payload = payload.into();
        message
    };
    let request = SendMessages {
        layout: MessageLayout::Headers64,
        stream: Identifier::Numeric(1),
        topic: Identifier::Numeric(1),
        partitioning: Partitioning::Balanced,
        messages: (0..).zip(payloads).map(message).collect(),
    };
    let body = request.encode();
    let question = sample::question("metrics", None, PollingKind::Next);
    let mut exchange = sample::poll(0, &question, Err(4100));
    if let Content::Binary(content) = &mut exchange.content {
        content.code = code::SEND_MESSAGES;
        content.request_frame = classic::encode_request(content.code, &body);
        content.request =
            Some(Request::decode(parallax_codec::Dialect::Classic, content.code, &body).unwrap());
    }
    exchange
}

async fn page_of(exchange: Exchange) -> Page {
    let journal = Journal::new();
    journal.record(exchange);
    Page::over(Arc::new(journal)).await
}

/// The frame of this title on a page.
fn frame<'a>(text: &'a str, title: &str) -> &'a str {
    let mark = format!("aria-label=\"{title}\"");
    let (_, frame) = text.split_once(&mark).unwrap();
    frame.split("</section>").next().unwrap()
}

/// The bytes in a frame's dump, in hex, without those of the line before a window.
fn dumped(frame: &str) -> usize {
    let lines = frame.split("class=\"bytes\"").skip(1);
    let cells = lines.flat_map(|line| {
        let line = line.split("class=\"text\"").next().unwrap();
        line.split("</span>")
            .filter_map(|cell| cell.rsplit_once('>'))
    });
    cells
        .map(|(_, bytes)| bytes.split_whitespace().count())
        .sum()
}

#[tokio::test]
async fn a_long_frame_is_paged_to_its_end_and_every_byte_is_on_a_page_with_its_field() {
    let exchange = sending(vec![vec![b'x'; 700]; 100]);
    let length = exchange.binary().unwrap().request_frame.len();
    let page = page_of(exchange).await;
    let (mut path, mut pages, mut end) = ("/exchanges/1".to_owned(), 0, 0);
    loop {
        let text = page.text(&path).await;
        let frame = frame(&text, "Request");
        let (_, said) = frame.split_once("Bytes ").unwrap();
        let said = said.replace(',', "");
        let mut words = said.split_whitespace();
        let from: usize = words.next().unwrap().parse().unwrap();
        let to: usize = words.nth(1).unwrap().parse().unwrap();
        assert_eq!(from, end, "no byte is passed over");
        assert_eq!(dumped(frame), to + 1 - (from - from % 16));
        // Each leaf of the tree has its bytes, and each byte its leaf.
        let leaves = frame.matches("class=\"leaf\"").count();
        assert!(
            frame.contains(&format!("data-leaf=\"{}\"", leaves - 1)),
            "page from {from}"
        );
        assert!(!frame.contains(&format!("data-leaf=\"{leaves}\"")));
        (pages, end) = (pages + 1, to + 1);
        let Some(next) = frame
            .split("href=\"")
            .find(|link| link.contains("next \u{203a}"))
        else {
            break;
        };
        path = format!("/exchanges/1{}", next.split('#').next().unwrap());
    }
    assert_eq!((end, pages > 10), (length, true));

    let text = page.text("/exchanges/1?all=request").await;
    let window = frame(&text, "Request");
    assert!(length > FRAME_BYTES_AT_ONCE, "the limit is reached");
    assert!(window.contains("Bytes 0 to 65,535 of 79,930, and"));
    assert_eq!(dumped(window), FRAME_BYTES_AT_ONCE);
}

#[tokio::test]
async fn very_many_fields_are_cut_also_where_all_are_asked_for() {
    let page = page_of(sending(vec![vec![b'x'; 8]; 800])).await;
    let text = page.text("/exchanges/1?all=request").await;
    let frame = frame(&text, "Request");
    assert_eq!(frame.matches("data-from=").count(), FIELDS_AT_ONCE);
    assert!(frame.contains("next \u{203a}"));
}

#[tokio::test]
async fn messages_are_paged_too() {
    let page = page_of(sending(vec![b"a".to_vec(); MESSAGES_SHOWN + 7])).await;
    let first = page.text("/exchanges/1").await;
    assert!(first.contains("href=\"?messages_from=50#messages\""));
    let second = page.text("/exchanges/1?messages_from=50").await;
    assert_eq!(second.matches("class=\"message\"").count(), 7);
    assert!(second.contains("Messages 51 to 57"));
}

#[tokio::test]
async fn a_payload_is_seen_as_json_text_and_hex_and_downloaded_as_it_is() {
    let json = r#"{"id":340282366920938463463374607431768211455,"load":1.10}"#;
    let page = page_of(sending(vec![json.as_bytes().to_vec(), vec![0, 159, 7]])).await;
    let shown = page.text("/exchanges/1").await;
    for form in ["json", "text", "hex"] {
        assert!(shown.contains(&format!("href=\"/exchanges/1/messages/0?as={form}\"")));
    }
    let as_json = page.text("/exchanges/1/messages/0?as=json").await;
    assert!(as_json.contains("&quot;id&quot;: 340282366920938463463374607431768211455,\n"));
    assert!(as_json.contains("&quot;load&quot;: 1.10\n"));
    let as_text = page.text("/exchanges/1/messages/0?as=text").await;
    assert!(as_text.contains("{&quot;id&quot;:3402"));
    let as_hex = page.text("/exchanges/1/messages/0?as=hex").await;
    assert!(as_hex.contains("0000  7b 22 69 64 22 3a "));
    assert!(
        as_hex.contains("batch") && as_hex.contains("uint32"),
        "its headers, decoded"
    );
    let told = page.json("/api/v1/exchanges/1/messages/0").await;
    assert_eq!(told["payload_text"], json);
    assert_eq!(told["message"]["payload_length"], json.len());
    assert!(
        told["payload_hex"]
            .as_str()
            .unwrap()
            .starts_with("7b226964223a")
    );
    // What is no text, asked for as one.
    let picture = page.text("/exchanges/1/messages/1?as=text").await;
    assert!(picture.contains("\u{2400}\u{fffd}\u{2407}"));

    let raw = page.get("/exchanges/1/messages/0/payload").await;
    assert_eq!(raw.body, json);
    let head = raw.head.to_lowercase();
    assert!(
        head.contains("content-type: application/octet-stream"),
        "{head}"
    );
    assert!(head.contains(
        "content-disposition: attachment; filename=\"exchange-1-message-0-offset-0.bin\""
    ));
    assert!(head.contains("nosniff"));
}

#[tokio::test]
async fn a_long_payload_is_paged_and_what_is_too_long_for_json_is_text() {
    let long = format!("[\"{}\"]", "y".repeat(JSON_LAID_OUT));
    let page = page_of(sending(vec![long.clone().into_bytes()])).await;
    let first = page.text("/exchanges/1/messages/0?as=text").await;
    assert!(first.contains(&format!("?as=text&amp;from={PAYLOAD_BYTES_AT_ONCE}\"")));
    assert!(
        page.text("/exchanges/1/messages/0?as=json")
            .await
            .contains("too long")
    );
    let raw = page.get("/exchanges/1/messages/0/payload").await;
    assert_eq!(raw.body.len(), long.len());
}

#[tokio::test]
async fn what_is_not_there_or_not_understood_is_said() {
    let page = page_of(sending(vec![b"a".to_vec()])).await;
    for (path, status, words) in [
        (
            "/exchanges/1/messages/7",
            404,
            "has 1 messages, counted from 0",
        ),
        ("/exchanges/1/messages/x", 400, "must be a whole number"),
        ("/exchanges/1/messages/7/payload", 404, "counted from 0"),
        ("/exchanges/1/messages/0?as=xml", 400, "json, text or hex"),
        ("/exchanges/1/bodies/request", 404, "two bodies"),
        ("/exchanges/1?all=yes", 400, "request or reply"),
        ("/exchanges/1?request_from=-1", 400, "request_from must be"),
        ("/exchanges/1?colour=red", 400, "takes request_from"),
    ] {
        let answer = page.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.body.contains(words), "{path}: {}", answer.body);
    }
    // Beyond the end there is the end.
    assert_eq!(
        page.get("/exchanges/1?request_from=99999").await.status,
        200
    );
}

#[tokio::test]
async fn a_payload_that_is_a_script_tag_stays_text_in_every_form() {
    let payload = format!("{{\"a\":\"{HOSTILE}\"}}");
    let page = page_of(sending(vec![
        HOSTILE.as_bytes().to_vec(),
        payload.into_bytes(),
    ]))
    .await;
    for place in [0, 1] {
        for form in ["", "?as=json", "?as=text", "?as=hex"] {
            let text = page
                .text(&format!("/exchanges/1/messages/{place}{form}"))
                .await;
            assert!(
                !text.contains(HOSTILE) && !text.contains("<script>"),
                "{place}{form}"
            );
        }
    }
    // Where it is sent as it is, nothing takes it for a page.
    let raw = page.get("/exchanges/1/messages/0/payload").await;
    assert_eq!(raw.body, HOSTILE);
    assert!(raw.head.contains("application/octet-stream") && raw.head.contains("attachment"));
}

#[tokio::test]
async fn the_bodies_of_an_http_exchange_have_the_same_care() {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    let wanted = |one: &Exchange| matches!(one.content, Content::Http(HttpContent { .. }));
    let n = journal.latest(None, 1, &wanted)[0].n;
    let page = Page::over(journal).await;
    let text = page.text(&format!("/exchanges/{n}")).await;
    assert!(text.contains("GET ") && text.contains("HTTP 400"));
    assert!(text.contains("&quot;id&quot;: 4100,\n"), "laid out");
    let hex = page
        .text(&format!("/exchanges/{n}/bodies/response?as=hex"))
        .await;
    assert!(hex.contains("0000  7b 22 69 64 22 3a 34 31 30 30"));
    let raw = page
        .get(&format!("/exchanges/{n}/bodies/response/payload"))
        .await;
    assert!(raw.body.starts_with("{\"id\":4100"));
}

/// The number that a link of the neighbours leads to; `None` where there is none.
fn way(text: &str, id: &str) -> Option<u64> {
    let (_, link) = text.split_once(&format!("id=\"{id}\""))?;
    let tag = link.split('>').next()?;
    let (_, n) = tag.split_once("/exchanges/")?;
    n.split('"').next()?.parse().ok()
}

#[tokio::test]
async fn one_can_go_on_along_the_connection_the_consumer_and_the_partition() {
    let journal = Journal::new();
    for conn in [1, 2] {
        sample::open(&journal, conn, None);
    }
    let poll = |conn, group: &str, partition| {
        let mut question = sample::question("metrics", Some(partition), PollingKind::First);
        question.consumer.id = Identifier::Named(group.to_owned());
        let mut exchange = sample::poll(0, &question, Ok((partition, 0)));
        exchange.conn = ConnectionId(conn);
        exchange
    };
    for (conn, group, partition) in [
        (1, "a", 0),
        (2, "a", 1),
        (2, "b", 0),
        (1, "a", 1),
        (2, "b", 1),
        (1, "b", 0),
        (2, "a", 0),
    ] {
        journal.record(poll(conn, group, partition));
    }
    let text = Page::over(Arc::new(journal))
        .await
        .text("/exchanges/4")
        .await;
    for (id, before, after) in [
        ("", Some(3), Some(5)),
        ("-connection", Some(1), Some(6)),
        ("-consumer", Some(2), Some(7)),
        ("-partition", Some(2), Some(5)),
    ] {
        assert_eq!(way(&text, &format!("prev{id}")), before, "{id}");
        assert_eq!(way(&text, &format!("next{id}")), after, "{id}");
    }
    assert!(text.contains("rel=\"prev\"") && text.contains("rel=\"next\""));
    assert!(text.contains("data-key=\"next-partition\""));
    assert_eq!(text.matches("rel=\"next\"").count(), 1, "one is the next");
}

#[tokio::test]
async fn a_partition_that_only_the_reply_names_is_one_too() {
    let journal = Journal::new();
    for partition in [0, 1, 0] {
        let question = sample::question("metrics", None, PollingKind::Next);
        journal.record(sample::poll(0, &question, Ok((partition, 0))));
    }
    let text = Page::over(Arc::new(journal))
        .await
        .text("/exchanges/1")
        .await;
    assert_eq!(way(&text, "next-partition"), Some(3));
    assert_eq!(way(&text, "prev-partition"), None);
}

#[tokio::test]
async fn times_are_told_with_what_passed_between_and_what_is_not_known() {
    let journal = sample::broken_partition();
    let probed = journal.exchange(sample::FAILING_POLL).unwrap();
    let mut verdict = probed.verdict.clone().unwrap();
    let asked = probed.times.request_first + Duration::from_micros(2_500);
    verdict.answers[0].times = Some(AskedTimes::after(asked, Duration::from_micros(1_900)));
    journal.set_verdict(sample::FAILING_POLL, verdict);
    let page = Page::over(journal).await;
    let text = page
        .text(&format!("/exchanges/{}", sample::FAILING_POLL))
        .await;
    let row = |what: &str| {
        let row = text
            .split("<tr")
            .find(|row| row.contains(&format!(">{what}<")))
            .unwrap();
        row.split("</tr>").next().unwrap().to_owned()
    };
    assert!(row("request, last byte").contains("+12 \u{b5}s"));
    assert!(row("HTTP, partition 0: asked").contains("+2.50 ms"));
    assert!(row("HTTP, partition 0: answered").contains("+4.40 ms"));
    assert!(row("HTTP, partition 1: asked").contains("not known"));
    let bars = text.matches("class=\"bar-").count();
    assert_eq!(
        bars,
        3 + 2,
        "request, server and reply; the client's and HTTP's"
    );
    let json = page
        .json(&format!("/api/v1/exchanges/{}", sample::FAILING_POLL))
        .await;
    let answers = &json["comparison"]["answers"];
    assert_eq!(answers[0]["asked"], asked.to_string());
    let times = page
        .json(&format!("/api/v1/exchanges/{}/times", sample::FAILING_POLL))
        .await;
    let moments = times["moments"].as_array().unwrap();
    let of = |what: &str| &moments.iter().find(|one| one["what"] == what).unwrap()["time"];
    assert_eq!(of("HTTP, partition 0: asked"), &asked.to_string());
    assert!(of("HTTP, partition 1: asked").is_null());
    assert!(answers[1]["asked"].is_null() && answers[1]["answered"].is_null());
}

#[tokio::test]
async fn the_header_of_a_vsr_frame_is_one_closed_line() {
    let question = sample::question("metrics", None, PollingKind::Next);
    let mut exchange = sample::poll(0, &question, Err(4100));
    exchange.dialect = Dialect::Vsr;
    if let Content::Binary(content) = &mut exchange.content {
        content.request_frame = Bytes::from(vec![0; 300]);
    }
    let journal = Journal::new();
    journal.record(exchange);
    let text = Page::over(Arc::new(journal))
        .await
        .text("/exchanges/1")
        .await;
    let (_, request) = text.split_once("id=\"request\"").unwrap();
    let (_, tree) = request.split_once("class=\"tree\"").unwrap();
    let (first, header) = tree.split_once("<summary").unwrap();
    assert!(first.ends_with("<details>"), "closed: {first}");
    let (summary, fields) = header.split_once("</summary>").unwrap();
    assert!(
        summary.contains("header") && summary.contains("bytes 0\u{2013}255"),
        "{summary}"
    );
    let (fields, _) = fields.split_once("</details>").unwrap();
    assert!(fields.matches("class=\"leaf\"").count() > 10, "{fields}");
}
