//! What was captured may be anything, a script too: it stays text, wherever it is shown.

use std::sync::Arc;

use fantoccini::Locator;
use parallax_captures::verdict::{Difference, HttpRefusal, MirrorOutcome};
use parallax_captures::{Annotation, ConnectionId, Finding, Journal, catalog};
use parallax_codec::ErrorCode;
use parallax_codec::primitives::{Identifier, PollingKind};
use parallax_tests::{Browser, PageAddress};
use parallax_web::{About, Access, Source};
use tokio::net::TcpListener;

use crate::every::every_page;
use crate::sample;

/// As an element, out of an attribute, and out of a script.
const HOSTILE: &str = "<script>window.pwned=1</script>\"'><img src=x onerror=window.pwned=1>\
                       <svg/onload=window.pwned=1>javascript:window.pwned=1//</title></textarea>";

fn journal() -> Arc<Journal> {
    let journal = sample::broken_partition();
    let mut question = sample::question(HOSTILE, None, PollingKind::Next);
    question.stream = Identifier::Named(HOSTILE.to_owned());
    question.consumer.id = Identifier::Named(HOSTILE.to_owned());
    for answer in [Ok((2, 1)), Err(4100)] {
        let n = journal.record(sample::poll(30_000, &question, answer));
        let like = journal.exchange(sample::FAILING_POLL).unwrap();
        let mut verdict = like.verdict.clone().unwrap();
        HOSTILE.clone_into(&mut verdict.reason);
        HOSTILE.clone_into(&mut verdict.basis);
        verdict.differences = vec![Difference {
            field: HOSTILE.to_owned(),
            tcp: HOSTILE.to_owned(),
            http: HOSTILE.to_owned(),
        }];
        HOSTILE.clone_into(&mut verdict.answers[0].target);
        verdict.answers[1].outcome = MirrorOutcome::Failed(HOSTILE.to_owned());
        verdict.answers[2].outcome = MirrorOutcome::Refused(HttpRefusal {
            http_status: 400,
            code: Some(ErrorCode(4100)),
            reason: HOSTILE.to_owned(),
        });
        journal.set_verdict(n, verdict);
        journal.annotate(n, Annotation::new(true, HOSTILE)).unwrap();
        let evidence = vec![HOSTILE.to_owned()];
        let code = catalog::TCP_FAILS_HTTP_ANSWERS;
        journal.add_finding(Finding::new(
            code,
            HOSTILE,
            n,
            sample::time(30_000),
            evidence,
        ));
    }
    journal.update_connection(ConnectionId(1), |connection| {
        connection.user = Some(HOSTILE.to_owned());
        connection.client_version = Some(HOSTILE.to_owned());
        connection.server_version = Some(HOSTILE.to_owned());
        connection.closed = Some((sample::time(40_000), HOSTILE.to_owned()));
    });
    journal
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_tag_stays_text_on_every_page() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let about = About {
        version: "0.1.0".to_owned(),
        source: Source::File {
            name: HOSTILE.to_owned(),
            time: None,
        },
        faults: Vec::new(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let access = Arc::new(Access::with_token().unwrap());
    let page = PageAddress::of(&access.address(listener.local_addr().unwrap()));
    let journal = journal();
    let last = journal.totals().exchanges;
    let for_ever = std::future::pending();
    tokio::spawn(parallax_web::serve(
        listener, journal, about, access, for_ever,
    ));

    let wanted: String = url::form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
    let mut pages = every_page(&page).await;
    pages.extend([
        format!("exchanges/{last}"),
        format!("exchanges/{}", last - 1),
        format!("exchanges?where={wanted}"),
        format!(
            "exchanges?where=topic+%3D%3D+%22{}%22",
            wanted.replace("%22", "")
        ),
        format!("exchanges?{wanted}={wanted}"),
        format!("exchanges/{wanted}"),
        format!("findings/{wanted}"),
        format!("partitions/{wanted}/{wanted}/2"),
        format!("{wanted}?{wanted}"),
    ]);
    let mut shown_on = 0;
    for path in &pages {
        browser.client.goto(&page.at(path)).await.unwrap();
        // What script adds may come late: the list follows, panels are read anew.
        let looked = browser.client.execute(LOOK, Vec::new()).await.unwrap();
        assert_eq!(looked["pwned"], false, "{path}: it ran");
        assert_eq!(
            looked["odd"],
            serde_json::json!([]),
            "{path}: it is an element"
        );
        let body = browser.client.find(Locator::Css("body")).await.unwrap();
        let text = body.text().await.unwrap();
        shown_on += u32::from(text.contains("<script>window.pwned=1</script>"));
    }
    assert!(shown_on >= 8, "it is text on {shown_on} of {pages:?}");
    browser.close().await;
}

const LOOK: &str = r#"
const odd = document.querySelectorAll(
  'img, [onerror], [onload], script:not([src^="/static/js/"]), a[href^="javascript"]',
);
return { pwned: "pwned" in window, odd: [...odd].map((one) => one.outerHTML) };"#;
