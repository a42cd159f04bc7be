//! Every number that leads to a list is the number of its rows.

use std::sync::Arc;

use parallax_captures::{
    Connection, ConnectionId, Exchange, Finding, FindingCode, Journal, Mutes, Verdict, VerdictKind,
    catalog,
};
use parallax_codec::primitives::PollingKind;
use parallax_web::limits::EXCHANGES_LISTED;
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::Value;

use crate::http::Page;
use crate::sample;

/// Something that happens to a journal.
#[derive(Debug, Clone)]
enum Step {
    /// A poll on a connection of one of three topics, and how it ended.
    Poll(u64, usize, Ending),
    /// A verdict on one of the exchanges so far.
    Judged(usize, usize),
    /// A finding that names some of the exchanges so far, at one of three places.
    Found(usize, Vec<usize>, usize),
}

#[derive(Debug, Clone, Copy)]
enum Ending {
    Messages,
    NoMessage,
    Refused,
    Unanswered,
}

const TOPICS: [&str; 3] = ["metrics", "traces", "logs"];

const CODES: [FindingCode; 4] = [
    catalog::TCP_FAILS_HTTP_ANSWERS,
    catalog::ARGUMENT_NOT_ON_WIRE,
    catalog::ANSWERS_DIFFER,
    catalog::SAME_FAILURE_AGAIN,
];

/// Mute some of what may happen, of one topic.
const RULES: &str = r#"
    [[mute]]
    codes = ["diverge", "not_comparable", "PX103", "PX105"]
    topic = "traces"
"#;

fn step() -> impl Strategy<Value = Step> {
    let ending = prop_oneof![
        Just(Ending::Messages),
        Just(Ending::NoMessage),
        Just(Ending::Refused),
        Just(Ending::Unanswered),
    ];
    prop_oneof![
        3 => (1..4_u64, 0..TOPICS.len(), ending).prop_map(|(c, t, e)| Step::Poll(c, t, e)),
        2 => (any::<usize>(), 0..VerdictKind::ALL.len()).prop_map(|(n, k)| Step::Judged(n, k)),
        2 => (0..CODES.len(), proptest::collection::vec(any::<usize>(), 1..4), 0..3_usize)
            .prop_map(|(code, named, place)| Step::Found(code, named, place)),
    ]
}

/// Exchanges that the journal keeps, the latest.
const KEPT: usize = 20;

/// The journal after these steps.
fn journal(steps: &[Step]) -> Journal {
    let journal = Journal::with_limits(KEPT, usize::MAX);
    let mutes = Mutes::parse("mute.toml", RULES).unwrap();
    for id in 1..4 {
        let address = "127.0.0.1:9".parse().unwrap();
        let id = ConnectionId(id);
        journal.open_connection(Connection::opened(id, address, address, sample::time(0)));
    }
    let mut recorded = 0;
    for (second, step) in (0..).zip(steps) {
        // Of no exchange there is nothing to say.
        let one = |n: &usize| 1 + *n as u64 % u64::max(recorded, 1);
        match step {
            Step::Poll(conn, topic, ending) => {
                let mut exchange = poll(second, TOPICS[*topic], *ending);
                exchange.conn = ConnectionId(*conn);
                recorded = journal.record(exchange);
            }
            Step::Judged(n, kind) => {
                if let Some(exchange) = journal.exchange(one(n)) {
                    let mut verdict = verdict(VerdictKind::ALL[*kind]);
                    verdict.muted = mutes.verdict(&exchange, &verdict);
                    journal.set_verdict(exchange.n, verdict);
                }
            }
            Step::Found(code, named, place) => {
                let place = format!("place {place}");
                let evidence = vec!["something".to_owned()];
                let time = sample::time(second);
                let mut finding = Finding::new(CODES[*code], place, 0, time, evidence);
                finding.exchanges = named.iter().map(one).collect();
                finding.exchanges.dedup();
                let latest = finding.exchanges.last().copied().unwrap();
                let exchange = journal.exchange(latest);
                finding.muted = mutes.finding(finding.code, exchange.as_deref(), None);
                journal.add_finding(finding);
            }
        }
    }
    journal
}

fn poll(second: i64, topic: &str, ending: Ending) -> Exchange {
    let question = sample::question(topic, Some(0), PollingKind::First);
    match ending {
        Ending::Messages => sample::poll(second, &question, Ok((0, 0))),
        Ending::NoMessage => sample::empty_poll(second, &question),
        Ending::Refused => sample::poll(second, &question, Err(4100)),
        Ending::Unanswered => sample::unanswered_poll(second, &question),
    }
}

fn verdict(kind: VerdictKind) -> Verdict {
    Verdict {
        asked_again: None,
        kind,
        reason: "reason".to_owned(),
        basis: String::new(),
        differences: Vec::new(),
        answers: Vec::new(),
        known: Vec::new(),
        muted: None,
    }
}

/// The lists that a page leads to, with the number that stands there.
fn counted(page: &str) -> Vec<(String, usize)> {
    let links = page.split("<a ").skip(1);
    let link = |link: &str| {
        let tag = link.split('>').next()?;
        let attribute = |name: &str| {
            let value = tag.split(&format!("{name}=\"")).nth(1)?;
            value.split('"').next()
        };
        let count = attribute("data-count")?.parse().ok()?;
        let href = attribute("href")?.replace("&amp;", "&");
        Some((href, count))
    };
    links.filter_map(link).collect()
}

fn rows(page: &str) -> usize {
    page.matches("data-n=\"").count()
}

async fn every_number_is_that_of_its_rows(journal: Journal) {
    let (findings, muted) = (journal.findings(), journal.muted_findings());
    let page = Page::over(Arc::new(journal)).await;
    let mut pages = vec!["/".to_owned(), "/panels".to_owned()];
    for finding in findings.iter().chain(&muted) {
        pages.push(format!("/findings/{}", finding.code));
    }
    pages.sort();
    pages.dedup();
    let mut numbers = 0;
    for shown in pages {
        for (href, count) in counted(&page.text(&shown).await) {
            let list = href.split('#').next().unwrap();
            let seen = rows(&page.text(list).await);
            assert_eq!(seen, count, "{shown} leads to {href}");
            numbers += 1;
        }
    }
    assert!(numbers >= 8, "{numbers} numbers lead to rows");
    let figures = page.json("/api/v1/figures").await;
    let mut lists: Vec<Value> = figures["figures"].as_array().unwrap().clone();
    for (path, list) in [
        ("/api/v1/findings", "findings"),
        ("/api/v1/findings?muted=1", "findings"),
        ("/api/v1/connections", "connections"),
    ] {
        let values = page.json(path).await[list].as_array().unwrap().clone();
        lists.extend(values.into_iter().map(|value| value["kept"].clone()));
    }
    for one in lists {
        let listed = page.json(one["rows"].as_str().unwrap()).await;
        let exchanges = listed["exchanges"].as_array().unwrap().len();
        assert_eq!(one["count"], exchanges, "{one}");
    }
}

#[test]
fn every_number_on_page_and_api_is_that_of_the_rows_behind_it() {
    const { assert!(EXCHANGES_LISTED > KEPT, "every list is one page") };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let cases = Config::with_cases(24);
    proptest!(cases, |(steps in proptest::collection::vec(step(), 1..60))| {
        runtime.block_on(every_number_is_that_of_its_rows(journal(&steps)));
    });
}

#[tokio::test]
async fn what_is_muted_is_counted_and_leads_to_where_it_is_shown() {
    let journal = journal(&[
        Step::Poll(1, 1, Ending::Messages),
        Step::Judged(0, 1),
        Step::Found(2, vec![0], 0),
        Step::Poll(1, 0, Ending::Messages),
    ]);
    let page = Page::over(Arc::new(journal)).await;
    let panels = page.text("/panels").await;
    assert!(panels.contains("Nothing found"), "muted is not wrong");
    assert!(panels.contains("muted: 1 (<a href=\"/exchanges?muted=1\" data-count=\"1\">show</a>)"));
    let list = page.text("/exchanges?muted=1").await;
    assert!(list.contains("muted: \u{2260} diverge") && list.contains("muted PX105"));
    assert_eq!(rows(&list), 1);
    assert_eq!(rows(&page.text("/exchanges?verdict=diverge").await), 0);
    assert_eq!(
        rows(&page.text("/exchanges?verdict=diverge&muted=1").await),
        1
    );
    let exchange = page.text("/exchanges/1").await;
    assert!(exchange.contains("Muted by <bdi>mute.toml, line 2</bdi>"));
    let finding = page.text("/findings/PX105").await;
    assert!(finding.contains("1 muted") && finding.contains("Muted by"));
    let muted = page.json("/api/v1/findings?muted=1").await;
    assert_eq!(muted["findings"][0]["muted"], true);
    let shown = page.json("/api/v1/findings").await;
    assert!(shown["findings"].as_array().unwrap().is_empty());
}
