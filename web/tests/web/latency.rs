//! `/latency`, its JSON and its log.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use jiff::SignedDuration;
use parallax_captures::{ConnectionId, Journal};
use parallax_codec::primitives::PollingKind;
use serde_json::Value;

use parallax_web::limits::HEAT_MAP_CELLS;

use crate::http::Page;
use crate::sample::{self, HOSTILE};

async fn page() -> Page {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    Page::over(journal).await
}

/// Polls of ten minutes, one a second: three times as long in the second half, by two
/// strategies on three connections, of one stream.
fn ten_minutes() -> Arc<Journal> {
    let journal = Journal::new();
    for n in 0..600_u32 {
        let kind = [PollingKind::First, PollingKind::Next][(n % 2) as usize];
        let question = sample::question("metrics", Some(0), kind);
        let mut poll = sample::poll(i64::from(n) * 1_000, &question, Ok((0, 0)));
        poll.conn = ConnectionId(u64::from(1 + n % 3));
        let took = (100 + i64::from(n * 7 % 50)) * if n < 300 { 1 } else { 3 };
        let end = poll.times.request_first + SignedDuration::from_micros(took);
        poll.times.request_last = poll.times.request_first;
        poll.times.reply = Some((end, end));
        journal.record(poll);
    }
    Arc::new(journal)
}

/// The cells of the heat maps: their addresses and their counts.
fn cells(page: &str) -> Vec<(String, u64)> {
    let links = page.split("<a href=\"").skip(1);
    let cells = links.filter(|rest| {
        rest.contains("<rect class=\"shade") && rest.find("<rect") < rest.find("</a>")
    });
    cells
        .map(|rest| {
            let href = rest.split('"').next().unwrap().replace("&amp;", "&");
            let title = rest.split("<title>").nth(1).unwrap();
            let count = title.split(' ').next().unwrap().replace(',', "");
            (href, count.parse().unwrap())
        })
        .collect()
}

/// How many exchanges a list has, on all its pages.
async fn listed(page: &Page, href: &str) -> u64 {
    let query = href.strip_prefix("/exchanges").unwrap();
    let mut count = 0;
    let mut before = String::new();
    loop {
        let list = page
            .json(&format!("/api/v1/exchanges{query}{before}"))
            .await;
        count += list["exchanges"].as_array().unwrap().len() as u64;
        match list["next"].as_u64() {
            Some(next) => before = format!("&before={next}"),
            None => return count,
        }
    }
}

fn series<'a>(report: &'a Value, wanted: &[(&str, Value)]) -> &'a Value {
    let all = report["series"].as_array().unwrap();
    let fits = |one: &&Value| wanted.iter().all(|(name, value)| one[*name] == *value);
    all.iter()
        .find(fits)
        .unwrap_or_else(|| panic!("{wanted:?} in {report}"))
}

#[tokio::test]
async fn latency_is_shown_for_both_sides_of_a_poll() {
    let page = page().await;
    let text = page.text("/latency").await;
    assert!(text.contains("coordinated omission"));
    assert!(text.contains("parallax's own asking"));
    let drawing = text.split("<svg class=\"chart\"").nth(1).unwrap();
    let drawing = drawing.split("</svg>").next().unwrap();
    assert!(drawing.contains("series s0") && drawing.contains("series s1"));
    let report = page.json("/api/v1/latency").await;
    for (side, count) in [("tcp", 13), ("http", 20)] {
        let polls = [("command", "poll_messages".into()), ("side", side.into())];
        assert_eq!(series(&report, &polls)["count"], count);
    }
}

#[tokio::test]
async fn a_percentile_is_only_told_where_there_are_enough_samples() {
    let page = Page::over(ten_minutes()).await;
    let text = page.text("/latency").await;
    assert!(text.contains("Not enough samples for p99.9"));
    assert!(text.contains("p99.9 needs 1,000 samples; there are 600"));
    let report = page.json("/api/v1/latency").await;
    let polls = series(&report, &[("command", "poll_messages".into())]);
    assert_eq!(polls["too_few_for"], serde_json::json!(["p99.9"]));
    let curve = polls["curve"].as_array().unwrap();
    assert_eq!(curve.last().unwrap()["percentile"], "p99.5");
}

#[tokio::test]
async fn a_cell_of_the_heat_map_lists_the_exchanges_that_it_counts() {
    let page = Page::over(ten_minutes()).await;
    for (path, all) in [
        ("/latency", 600),
        ("/latency?strategy=first&strategy=next", 600),
        ("/latency?strategy=next", 300),
        ("/latency?connection=2&side=tcp", 200),
        ("/latency?stream=%22otel%22", 600),
    ] {
        let cells = cells(&page.text(path).await);
        let counted: u64 = cells.iter().map(|(_, count)| count).sum();
        assert_eq!(counted, all, "{path}");
        for (href, count) in cells.iter().step_by(5) {
            assert_eq!(listed(&page, href).await, *count, "{href}");
        }
    }
}

/// Polls of ten minutes on ten connections, with latencies from 16 microseconds to seconds.
fn all_over_the_place() -> Arc<Journal> {
    let journal = Journal::new();
    for n in 0..6_000_u32 {
        let question = sample::question("metrics", Some(0), PollingKind::First);
        let mut poll = sample::poll(i64::from(n) * 100, &question, Ok((0, 0)));
        poll.conn = ConnectionId(u64::from(n % 10));
        let took = SignedDuration::from_micros(16 << (n / 3 % 18));
        let end = poll.times.request_first + took;
        poll.times.request_last = poll.times.request_first;
        poll.times.reply = Some((end, end));
        journal.record(poll);
    }
    Arc::new(journal)
}

#[tokio::test]
async fn with_too_many_cells_a_heat_map_has_fewer_columns_and_says_so() {
    let page = Page::over(all_over_the_place()).await;
    let text = page.text("/latency").await;
    let cells = cells(&text);
    let counted: u64 = cells.iter().map(|(_, count)| count).sum();
    assert!(cells.len() <= HEAT_MAP_CELLS, "{}", cells.len());
    assert_eq!(counted, 6_000, "none is left out");
    assert!(text.contains("The maps have at most 640 cells together"));
    let many = page.text("/latency?by=connection").await;
    assert!(many.len() < 1_000_000, "{} bytes", many.len());
    let few = Page::over(ten_minutes()).await.text("/latency").await;
    assert!(!few.contains("cells together"));
}

#[tokio::test]
async fn blue_is_tcp_and_orange_http_and_the_second_time_is_dashed() {
    let page = page().await;
    let text = page.text("/latency?side=http").await;
    assert!(text.contains("series s1") && !text.contains("series s0"));
    let page = Page::over(ten_minutes()).await;
    let several = page.text("/latency?strategy=first&strategy=next").await;
    assert!(several.contains("series s0") && several.contains("series s2"));
    assert!(!several.contains("series s1"), "that is HTTP's");
    let at = sample::time(300_000);
    let compared = page.text(&format!("/latency?to={at}&from2={at}")).await;
    assert!(compared.contains("series s0 first") && compared.contains("series s0 second"));
}

#[tokio::test]
async fn a_cell_over_http_lists_the_polls_whose_answers_it_counts() {
    let page = page().await;
    let text = page.text("/latency?side=http").await;
    let cells = cells(&text);
    let counted: u64 = cells.iter().map(|(_, count)| count).sum();
    assert_eq!(counted, 20, "answers");
    for (href, count) in &cells {
        // A poll may have several answers.
        let listed = listed(&page, href).await;
        assert!(
            (1..=*count).contains(&listed),
            "{href}: {listed} of {count}"
        );
    }
}

#[tokio::test]
async fn two_times_are_compared_percentile_by_percentile() {
    let page = Page::over(ten_minutes()).await;
    let text = page.text("/latency").await;
    let presets = text
        .split("aria-label=\"Times to compare\"")
        .nth(1)
        .unwrap();
    let href = presets
        .split("href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let href = href.replace("&amp;", "&");
    let text = page.text(&href).await;
    assert!(text.contains("3.0 times as long") || text.contains("2.9 times as long"));
    assert!(text.contains("first time") && text.contains("second time"));
    let report = page.json(&format!("/api/v1{href}")).await;
    assert_eq!(report["time"]["to"], report["compared_with"]["from"]);
    let compared = &report["comparison"][0];
    let count = |which: &str| compared[which]["count"].as_u64().unwrap();
    assert_eq!(count("first") + count("second"), 600);
    let ratio = compared["ratios"][0]["hundredths"].as_u64().unwrap();
    assert!((285..=315).contains(&ratio), "{ratio}");
    assert!(compared["ratios"][3]["hundredths"].is_null());
    let sentence = compared["sentence"].as_str().unwrap();
    assert!(
        sentence.contains("Not enough samples for p99.9"),
        "{sentence}"
    );
}

#[tokio::test]
async fn times_that_meet_share_no_exchange() {
    let page = Page::over(ten_minutes()).await;
    let whole = page.json("/api/v1/latency").await;
    let begin: jiff::Timestamp = whole["time"]["from"].as_str().unwrap().parse().unwrap();
    for seconds in [1, 77, 301, 599] {
        let at = begin + SignedDuration::from_secs(seconds);
        let path = format!("/api/v1/latency?to={at}&from2={at}");
        let report = page.json(&path).await;
        let compared = &report["comparison"][0];
        let count = |which: &str| compared[which]["count"].as_u64().unwrap();
        assert_eq!(count("first") + count("second"), 600, "{path}");
    }
}

#[tokio::test]
async fn the_log_has_as_many_latencies_as_the_page() {
    let page = Page::over(ten_minutes()).await;
    for (query, tag, count) in [
        ("", "tcp.poll_messages", 600),
        ("?strategy=next", "tcp.poll_messages.next", 300),
        ("?by=connection", "tcp.poll_messages.3", 200),
        ("?by=stream&side=tcp", "tcp.poll_messages.otel", 600),
    ] {
        let answer = page.get(&format!("/latency.hlog{query}")).await;
        assert!(
            answer
                .head
                .contains("attachment; filename=\"parallax-latency.hlog\"")
        );
        let mut counts = BTreeMap::<String, u64>::new();
        for entry in IntervalLogIterator::new(answer.body.as_bytes()) {
            if let LogEntry::Interval(interval) = entry.unwrap() {
                let bytes = STANDARD.decode(interval.encoded_histogram()).unwrap();
                let histogram: Histogram<u64> =
                    Deserializer::new().deserialize(&mut &bytes[..]).unwrap();
                let tag = interval.tag().unwrap().as_str().to_owned();
                *counts.entry(tag).or_default() += histogram.len();
            }
        }
        assert_eq!(counts.get(tag), Some(&count), "{query}: {counts:?}");
    }
}

#[tokio::test]
async fn a_streams_name_is_no_markup_and_can_be_chosen() {
    let journal = Journal::new();
    for name in [HOSTILE, "say \"no\" \\ never"] {
        let mut question = sample::question("metrics", Some(0), PollingKind::First);
        question.stream = parallax_codec::primitives::Identifier::Named(name.to_owned());
        journal.record(sample::poll(0, &question, Ok((0, 0))));
    }
    let page = Page::over(Arc::new(journal)).await;
    let text = page.text("/latency?by=stream").await;
    assert!(!text.contains("<script>alert"));
    let links = text.split("class=\"plain draw\" href=\"").skip(1);
    let links: Vec<_> = links
        .map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"))
        .collect();
    assert_eq!(links.len(), 2);
    for href in links {
        let cells = cells(&page.text(&href).await);
        assert_eq!(cells.len(), 1, "{href}");
        assert_eq!(listed(&page, &cells[0].0).await, 1, "{href}");
    }
}

#[tokio::test]
async fn what_is_not_understood_is_refused_with_what_may_be_asked() {
    let page = page().await;
    for path in [
        "/latency?by=topic",
        "/latency.hlog?side=udp",
        "/api/v1/latency?from=then",
    ] {
        assert_eq!(page.get(path).await.status, 400, "{path}");
    }
    let text = page.get("/latency?sort=n").await.body;
    assert!(
        text.contains("side, command, from, to, from2 and to2"),
        "{text}"
    );
}

#[tokio::test]
async fn without_an_exchange_the_page_says_what_to_do() {
    let page = Page::over(Arc::new(Journal::new())).await;
    for path in [
        "/latency",
        "/latency?by=stream",
        "/latency?from=2026-11-30T07:05:05Z&by=connection",
    ] {
        let text = page.text(path).await;
        assert!(
            text.contains("No client yet") || text.contains("No latency of what is chosen"),
            "{path}: {text}"
        );
    }
}
