//! What is left out for a limit is said to be left out.

use std::sync::Arc;

use bytes::Bytes;
use parallax_captures::{ConnectionId, Content, Finding, FindingCode, Journal};
use parallax_codec::commands::SendMessages;
use parallax_codec::messages::{Message, MessageHeader};
use parallax_codec::primitives::{Identifier, Partitioning, PollingKind};
use parallax_codec::{Encode as _, Reply, Request, classic, code};
use parallax_web::limits::{
    ANSWERS_SHOWN, CONNECTIONS_SHOWN, DOWNLOADS, FIELDS_SHOWN, FINDINGS_SHOWN, FRAME_BYTES_SHOWN,
    MESSAGES_LISTED, MESSAGES_SHOWN, PAGE_CONNECTIONS, PAYLOAD_BYTES_SHOWN,
};

use crate::http::{Page, read_until};
use crate::sample;

#[tokio::test]
async fn a_large_send_is_cut_and_says_so() {
    let message = |_| Message {
        header: MessageHeader {
            payload_length: 3_000,
            ..MessageHeader::default()
        },
        payload: Bytes::from(vec![b'x'; 3_000]),
        user_headers: Bytes::new(),
    };
    let request = SendMessages {
        layout: parallax_codec::messages::MessageLayout::Headers64,
        stream: Identifier::Numeric(1),
        topic: Identifier::Numeric(1),
        partitioning: Partitioning::Balanced,
        messages: (0..200).map(message).collect(),
    };
    let body = request.encode();
    let length = 8 + body.len();
    let length = format!("{},{:03}", length / 1_000, length % 1_000);
    let journal = Journal::new();
    let question = sample::question("metrics", None, PollingKind::Next);
    let mut exchange = sample::poll(0, &question, Err(4100));
    if let Content::Binary(content) = &mut exchange.content {
        content.code = code::SEND_MESSAGES;
        content.request_frame = classic::encode_request(content.code, &body);
        content.request =
            Some(Request::decode(parallax_codec::Dialect::Classic, content.code, &body).unwrap());
    }
    journal.record(exchange);
    let text = Page::over(Arc::new(journal))
        .await
        .text("/exchanges/1")
        .await;
    assert_eq!(
        text.matches("data-from=").count(),
        FIELDS_SHOWN + 2,
        "and those of the reply"
    );
    assert!(text.contains(&format!("Cut after {MESSAGES_SHOWN} of 200 messages")));
    assert_eq!((FRAME_BYTES_SHOWN, PAYLOAD_BYTES_SHOWN), (4_096, 2_048));
    assert!(
        text.contains("Bytes 0 to ") && text.contains(&format!(" of {length}, and their fields"))
    );
    assert!(text.contains("Cut after 2,048 of 3,000 bytes"));
    assert!(text.len() < 1_000_000, "{} bytes of page", text.len());
}

#[tokio::test]
async fn panels_hold_the_gravest_and_count_the_rest() {
    let journal = sample::broken_partition();
    for n in 0..FINDINGS_SHOWN as u64 {
        // Two findings at one place are shown together.
        let place = format!("place {n}");
        journal.add_finding(Finding::new(
            FindingCode(103),
            place,
            1,
            sample::time(0),
            Vec::new(),
        ));
    }
    for id in 0..CONNECTIONS_SHOWN as u64 {
        sample::open(&journal, 10 + id, None);
        journal.update_connection(ConnectionId(10 + id), |connection| {
            connection.closed = Some((sample::time(9_000), "the client closed it".to_owned()));
        });
    }
    let text = Page::over(journal).await.text("/panels").await;
    assert!(text.contains("Places not shown here: 1; all are in <a href=\"/api/v1/findings\""));
    assert!(text.contains("1 more are not shown here; all are in <a href=\"/api/v1/connections\""));
    assert!(
        text.contains("PX102") && text.contains(">iggy<"),
        "the gravest and the open stay"
    );
}

#[tokio::test]
async fn a_probe_of_very_many_partitions_is_cut() {
    let journal = sample::broken_partition();
    let probed = journal.exchange(sample::FAILING_POLL).unwrap();
    let mut verdict = probed.verdict.clone().unwrap();
    let one = verdict.answers[0].clone();
    verdict.answers = vec![one; ANSWERS_SHOWN + 5];
    journal.set_verdict(sample::FAILING_POLL, verdict);
    let page = Page::over(journal).await;
    let text = page
        .text(&format!("/exchanges/{}", sample::FAILING_POLL))
        .await;
    assert!(text.contains(&format!("Cut after {ANSWERS_SHOWN} answers; 5 more")));
}

#[tokio::test]
async fn the_apis_list_has_few_messages_of_an_exchange_and_the_exchange_all() {
    let messages: Vec<_> = (0..MESSAGES_LISTED as u64 + 5)
        .map(sample::message)
        .collect();
    let question = sample::question("metrics", Some(0), PollingKind::First);
    let mut exchange = sample::poll(0, &question, Ok((0, 0)));
    if let Content::Binary(content) = &mut exchange.content
        && let Some(Reply::PolledMessages(reply)) = &mut content.reply
    {
        reply.messages = messages;
    }
    let journal = Journal::new();
    journal.record(exchange);
    let page = Page::over(Arc::new(journal)).await;
    let listed = &page.json("/api/v1/exchanges").await["exchanges"][0]["response"];
    assert_eq!(
        listed["messages"].as_array().unwrap().len(),
        MESSAGES_LISTED
    );
    assert_eq!(listed["messages_left_out"], 5);
    let whole = &page.json("/api/v1/exchanges/1").await["response"];
    let all = whole["messages"].as_array().unwrap().len();
    assert_eq!(all, MESSAGES_LISTED + 5);
}

#[tokio::test]
async fn a_browser_beyond_the_limit_is_answered_when_another_leaves() {
    let page = Page::over(sample::broken_partition()).await;
    let mut silent = Vec::new();
    for _ in 0..PAGE_CONNECTIONS {
        silent.push(page.connect("").await);
    }
    let (answer, ()) = tokio::join!(page.get("/"), async { silent.clear() });
    assert_eq!(answer.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn hex_is_sent_as_it_is_read_and_no_more_than_a_few_at_once() {
    let journal = Journal::new();
    let question = sample::question("metrics", None, PollingKind::Next);
    let mut long = sample::poll(0, &question, Err(4100));
    if let Content::Binary(content) = &mut long.content {
        // More than the sockets hold of what nobody reads.
        content.reply_frame = Bytes::from(vec![7; 16 * 1024 * 1024]);
    }
    journal.record(long);
    journal.record(sample::poll(1, &question, Err(4100)));
    let page = Page::over(Arc::new(journal)).await;
    let known = page.known();
    let mut unread = Vec::new();
    for _ in 0..DOWNLOADS {
        let request = format!("GET /exchanges/1/hex HTTP/1.1\r\n{known}\r\n\r\n");
        let mut stream = page.connect(&request).await;
        read_until(&mut stream, "# exchange 1, request").await;
        unread.push(stream);
    }
    let refused = page.get("/exchanges/2/hex").await;
    assert_eq!(refused.status, 503);
    assert!(
        refused.body.contains("Wait until one is done"),
        "{}",
        refused.body
    );
    // One of them goes: there is room again.
    unread.pop();
    let answered = async {
        loop {
            let answer = page.get("/exchanges/2/hex").await;
            if answer.status == 200 {
                return answer.body;
            }
            tokio::task::yield_now().await;
        }
    };
    let hex = tokio::time::timeout(std::time::Duration::from_secs(15), answered).await;
    assert!(
        hex.unwrap()
            .contains("# exchange 2, reply, 8 bytes\n00000000  04 10 00 00")
    );
}
