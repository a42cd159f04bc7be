//! The pages over a journal filled by hand.

use std::sync::Arc;

use crate::http::Page;
use parallax_captures::{
    ConnectionId, Journal, Layout, MirrorState, Verdict, VerdictKind, catalog,
};
use parallax_codec::messages::HeaderLayout;
use parallax_codec::primitives::PollingKind;
use parallax_web::limits::EXCHANGES_LISTED;
use parallax_web::{About, Source};

use crate::sample::{self, FAILING_POLL, HOSTILE};

async fn page() -> Page {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    Page::over(journal).await
}

/// The numbers of the rows in a list, from top to bottom.
fn rows(page: &str) -> Vec<u64> {
    let numbers = page.split("data-n=\"").skip(1);
    numbers
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect()
}

#[tokio::test]
async fn the_overview_says_first_what_is_wrong() {
    let page = page().await;
    let (panels, list) = (page.text("/").await, page.text("/exchanges").await);
    for code in ["PX101", "PX102", "PX103", "PX501"] {
        assert!(panels.contains(code), "{code}");
    }
    assert!(panels.contains("otel/metrics, group qw_sink_metrics"));
    assert!(panels.contains("Invalid offset: 24"));
    assert!(panels.contains("the client speaks TLS to a plain port"));
    assert!(
        panels.find("PX102").unwrap() < panels.find("PX103").unwrap(),
        "gravest first"
    );
    assert!(list.contains("4100 invalid_offset") && list.contains("otel/metrics"));
    assert!(list.contains("user iggy"), "who logged in");
}

#[tokio::test]
async fn the_headline_is_the_answer_and_what_only_explains_it_is_folded() {
    let text = page().await.text("/panels").await;
    let (_, cause) = text
        .split_once("otel/metrics, group qw_sink_metrics")
        .unwrap();
    let headline = cause.split("</b>").next().unwrap();
    let felt = "Group qw_sink_metrics was stuck: its poll of partition 2 failed again and again";
    assert!(headline.contains(felt), "{headline}");
    let why = cause.split("<ul class=\"why\">").nth(1).unwrap();
    let reason = "Partition 2: HTTP says &quot;Invalid offset: 24&quot;";
    assert!(
        why.starts_with(&format!("<li class=\"s-error\"><bdi>{reason}")),
        "{why}"
    );
    assert!(cause.contains(catalog::describe(catalog::NUMBER_LOST_ON_TCP).what_to_do));
    let (shown, folded) = cause.split_once("<details").unwrap();
    assert!(shown.contains("PX501") && !shown.contains("PX103"));
    assert!(folded.contains("PX103"));
}

#[tokio::test]
async fn what_is_wrong_but_no_finding_is_named_before_the_findings() {
    let journal = Arc::new(Journal::new());
    let question = sample::question("metrics", Some(0), PollingKind::First);
    let n = journal.record(sample::poll(0, &question, Ok((0, 0))));
    let text = Page::over(Arc::clone(&journal)).await.text("/panels").await;
    assert!(text.contains("Nothing found</b> in 1 exchanges"), "{text}");
    sample::open(&journal, 7, None);
    journal.update_connection(ConnectionId(7), |connection| {
        let why = "cannot reach the upstream server 127.0.0.1:8090: refused";
        connection.closed = Some((sample::time(0), why.to_owned()));
        connection.unserved = true;
    });
    journal.set_verdict(
        n,
        Verdict {
            kind: VerdictKind::Diverge,
            reason: "current_offset differs".to_owned(),
            basis: String::new(),
            differences: Vec::new(),
            answers: Vec::new(),
            asked_again: None,
            known: Vec::new(),
            muted: None,
        },
    );
    let text = Page::over(journal).await.text("/panels").await;
    for named in [
        "clients not served: 1",
        "cannot reach the upstream server",
        "polls that diverge: 1",
        "current_offset differs",
    ] {
        assert!(text.contains(named), "{named}: {text}");
    }
    assert!(!text.contains("Nothing found"));
}

#[tokio::test]
async fn the_list_is_newest_first_and_restricted_by_its_address() {
    let page = page().await;
    assert_eq!(
        rows(&page.text("/exchanges").await),
        (1..=18).rev().collect::<Vec<_>>()
    );
    assert_eq!(
        rows(&page.text("/exchanges?errors=1").await),
        [18, 17, 14, 12, 10, 8, 6]
    );
    assert_eq!(rows(&page.text("/exchanges?conn=2").await), [18, 17]);
    assert_eq!(
        rows(&page.text("/exchanges?command=send_messages").await),
        [2]
    );
    assert_eq!(
        rows(&page.text("/exchanges?verdict=diverge").await),
        [16, 14]
    );
    assert_eq!(
        rows(&page.text("/exchanges?finding=PX102").await),
        [12, 10, 8, 6]
    );
    assert_eq!(
        rows(&page.text("/exchanges?finding=PX102&before=9").await),
        [8, 6]
    );
    assert_eq!(rows(&page.text("/rows?after=16").await), [18, 17]);
    let wrong = page.get("/exchanges?verdict=perhaps").await;
    assert_eq!(wrong.status, 400);
    assert!(
        wrong.body.contains("not_comparable"),
        "it names what may be asked"
    );
}

#[tokio::test]
async fn a_long_list_is_paged_to_its_end() {
    let journal = Arc::new(Journal::new());
    let question = sample::question("metrics", Some(0), PollingKind::First);
    let most = u64::try_from(EXCHANGES_LISTED).unwrap();
    for at in 0..=2 * i64::try_from(most).unwrap() {
        journal.record(sample::poll(at, &question, Ok((0, 0))));
    }
    let page = Page::over(journal).await;
    let (mut path, mut seen) = ("/exchanges".to_owned(), Vec::new());
    loop {
        let text = page.text(&path).await;
        seen.extend(rows(&text));
        let Some(older) = text.split("href=\"/exchanges?before=").nth(1) else {
            break;
        };
        let before = older.split('"').next().unwrap();
        path = format!("/exchanges?before={before}");
    }
    assert_eq!(seen, (1..=2 * most + 1).rev().collect::<Vec<_>>());
    let api = page.json("/api/v1/exchanges").await;
    assert_eq!(api["next"], most + 2);
}

#[tokio::test]
async fn every_byte_of_a_frame_belongs_to_a_field_of_the_tree() {
    let detail = page()
        .await
        .text(&format!("/exchanges/{FAILING_POLL}"))
        .await;
    let request = detail.split("aria-label=\"Request\"").nth(1).unwrap();
    let request = request.split("</section>").next().unwrap();
    let leaves = request.matches("class=\"leaf\"").count();
    for leaf in 0..leaves {
        assert!(
            request.contains(&format!("data-leaf=\"{leaf}\"")),
            "leaf {leaf}"
        );
    }
    assert!(!request.contains(&format!("data-leaf=\"{leaves}\"")));
    assert!(request.contains("title=\"consumer.id.value\"") && request.contains("5 (next)"));
}

#[tokio::test]
async fn hostile_names_and_payloads_stay_text() {
    let page = page().await;
    for path in [
        "/",
        "/exchanges/15",
        "/exchanges/16",
        "/exchanges/2",
        "/rows",
    ] {
        let text = page.text(path).await;
        assert!(!text.contains(HOSTILE), "{path}");
        assert!(!text.contains("<script>"), "{path}");
    }
    let text = page.text("/exchanges/15").await;
    assert!(text.contains("&lt;script&gt;alert('x')&lt;/script&gt;"));
}

#[tokio::test]
async fn neighbours_are_those_in_time_and_those_on_the_connection() {
    let text = page().await.text("/exchanges/16").await;
    let nav = text
        .split("Other exchanges")
        .nth(1)
        .unwrap()
        .split("</nav>")
        .next()
        .unwrap();
    for n in [15, 17] {
        assert!(nav.contains(&format!("/exchanges/{n}\"")), "{n}: {nav}");
    }
    assert!(
        nav.contains("\u{2039} 15</a>") && nav.contains("none \u{203a}"),
        "{nav}"
    );
}

#[tokio::test]
async fn what_is_not_there_is_said_to_be_not_there() {
    let page = page().await;
    for (path, status, words) in [
        ("/exchanges/99", 404, "18 have been seen"),
        ("/exchanges/x", 400, "has a number"),
        ("/findings/PX999", 404, "PX101, PX102"),
        ("/api/v1/exchanges/99", 404, "error"),
        ("/api/v1/nothing", 404, "error"),
        ("/nothing", 404, "no such page"),
    ] {
        let answer = page.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.body.contains(words), "{path}: {}", answer.body);
    }
}

#[tokio::test]
async fn an_empty_journal_says_what_to_do_next() {
    let page = Page::over(Arc::new(Journal::new())).await;
    for path in ["/", "/exchanges", "/latency"] {
        let text = page.text(path).await;
        assert!(
            text.contains("No client yet") && text.contains("127.0.0.1:8190"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_recording_is_named_and_does_not_pretend_to_be_live() {
    let live = Page::over(sample::broken_partition())
        .await
        .text("/exchanges")
        .await;
    assert!(live.contains("data-live"));
    let source = Source::File {
        name: "group.pcap".to_owned(),
        time: None,
    };
    let about = About {
        source,
        ..sample::about()
    };
    let page = Page::about(sample::broken_partition(), about.clone()).await;
    let text = page.text("/exchanges").await;
    assert!(text.contains("recorded in") && text.contains("group.pcap"));
    assert!(!text.contains("data-live"));
    let page = Page::about(Arc::new(Journal::new()), about).await;
    assert!(page.text("/").await.contains("Was the right port captured"));
}

#[tokio::test]
async fn the_api_says_what_the_page_says() {
    let page = page().await;
    let one = page
        .json(&format!("/api/v1/exchanges/{FAILING_POLL}"))
        .await;
    assert_eq!(one["error"], "invalid_offset");
    assert_eq!(
        one["comparison"]["answers"][2]["reason"],
        "Invalid offset: 24"
    );
    let errors = page.json("/api/v1/exchanges?errors=1").await;
    assert_eq!(errors["exchanges"].as_array().unwrap().len(), 7);
    assert_eq!(
        page.json("/api/v1/findings").await["findings"][0]["code"],
        "PX101"
    );
    let connections = page.json("/api/v1/connections").await;
    assert_eq!(connections["connections"][0]["user"], "iggy");
}

#[tokio::test]
async fn a_mirror_in_trouble_says_since_when_and_why() {
    let journal = sample::broken_partition();
    journal.update_mirror(None, |mirror| {
        mirror.server = "http://127.0.0.1:3000".to_owned();
        mirror.requests = 1_234;
        mirror.failures = 7;
        mirror.state = MirrorState::BackingOff {
            since: sample::time(0),
            until: None,
            reason: "connection refused".to_owned(),
        };
    });
    let text = Page::over(journal).await.text("/panels").await;
    assert!(text.contains("HTTP does not answer") && text.contains("connection refused"));
    assert!(text.contains("1,234 requests") && text.contains("7 without a usable answer"));
}

#[tokio::test]
async fn a_finding_is_explained_and_placed() {
    let text = page().await.text("/findings/PX102").await;
    let description = catalog::describe(catalog::NUMBER_LOST_ON_TCP);
    assert!(text.contains(description.title) && text.contains("What to do"));
    assert!(text.contains("qw_sink_metrics") && text.contains("/exchanges/12"));
}

#[tokio::test]
async fn a_connections_layouts_are_shown_where_they_are_known() {
    let journal = sample::broken_partition();
    sample::open(&journal, 2, None);
    journal.update_connection(ConnectionId(1), |connection| {
        connection.layouts.learn(Layout {
            messages_polled: Some(HeaderLayout::Headers64),
            ..Layout::default()
        });
    });
    let page = Page::over(Arc::clone(&journal)).await;
    let panels = page.text("/panels").await;
    assert!(panels.contains("messages polled: 64-byte headers"));
    assert!(!panels.contains("contradict"));
    let exchange = page.text("/exchanges/1").await;
    assert!(exchange.contains("64-byte headers") && exchange.contains("not known"));
    let json = page.json("/api/v1/connections").await;
    let layouts = &json["connections"][0]["layouts"];
    assert_eq!(
        layouts["messages_polled"],
        serde_json::json!(["headers_64"])
    );
    assert_eq!(layouts["partition"], serde_json::json!([]));
    assert!(json["connections"][0]["layout_contradiction"].is_null());
    let json = page.json("/api/v1/exchanges/3").await;
    assert_eq!(json["layout"]["partition"], "flagged");

    journal.update_connection(ConnectionId(1), |connection| {
        connection.layouts.learn(Layout {
            messages_polled: Some(HeaderLayout::Batches),
            ..Layout::default()
        });
    });
    let panels = page.text("/panels").await;
    assert!(panels.contains("contradictory: 64-byte headers and batch records"));
    let json = page.json("/api/v1/connections").await;
    assert!(json["connections"][0]["layout_contradiction"].is_string());
}
