//! Partitions: their list, and one's life.

use std::sync::Arc;

use parallax_captures::Journal;
use parallax_codec::commands::PollMessages;
use parallax_codec::primitives::{Identifier, PollingKind};
use parallax_web::limits::{LIFE_ROWS, PARTITIONS_SHOWN, READERS_DRAWN};

use crate::http::Page;
use crate::sample;

fn next(partition: u32) -> PollMessages {
    sample::question("metrics", Some(partition), PollingKind::Next)
}

/// A group that reads partition 0, three messages a second, and is led from offset 6 to
/// offset 50.
fn skipping() -> Arc<Journal> {
    let journal = Journal::new();
    sample::open(&journal, 1, Some("iggy"));
    for (second, first) in [(1, 0), (2, 3), (3, 50), (4, 53)] {
        journal.record(sample::poll(second * 1_000, &next(0), Ok((0, first))));
    }
    Arc::new(journal)
}

/// The value of an attribute of the first element that begins so.
fn attribute<'a>(page: &'a str, element: &str, name: &str) -> &'a str {
    let at = page
        .find(element)
        .unwrap_or_else(|| panic!("no {element}: {page}"));
    let rest = &page[at..];
    let value = rest.split_once(&format!("{name}=\"")).unwrap().1;
    value.split_once('"').unwrap().0
}

#[tokio::test]
async fn the_list_shows_every_partition_with_what_is_wrong_first() {
    let page = Page::over(sample::broken_partition()).await;
    let list = page.text("/partitions").await;
    let at = |words: &str| {
        list.find(words)
            .unwrap_or_else(|| panic!("{words}: {list}"))
    };
    let first = at("href=\"/partitions/otel/metrics/0\"");
    let culprit = at("href=\"/partitions/otel/metrics/2\"");
    let unknown = at("partition not known");
    assert!(culprit < unknown && unknown < first, "these fail: {list}");
    let row = list[..culprit].rsplit("<tr").next().unwrap();
    assert!(row.contains("class=\"r-error\""), "{row}");
    let row = &list[culprit..unknown];
    assert!(
        row.contains("<b>4 failed polls</b>, named by HTTP"),
        "{row}"
    );
    assert!(list[unknown..first].contains("HTTP names 2"), "{list}");
    let json = page.json("/api/v1/partitions").await;
    assert_eq!(json["partitions"][0]["partition_id"], 2);
    assert_eq!(json["partitions"][0]["named_by_http"], 4);
    let sorted = page.text("/partitions?sort=name").await;
    let at = |words: &str| sorted.find(words).unwrap();
    assert!(at("/metrics/0\"") < at("/metrics/1\""));
    let refused = page.get("/partitions?sort=colour").await;
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("gravity, name"), "{}", refused.body);
}

#[tokio::test]
async fn a_skip_is_a_hole_between_what_came_before_and_after() {
    let page = Page::over(skipping()).await;
    let life = page.text("/partitions/otel/metrics/0").await;
    let hole = |name| attribute(&life, "data-missing-from=\"6\"", name);
    assert_eq!(hole("data-missing-to"), "49");
    // Its begin stands before the offsets in the element.
    let rect = &life[..life.find("data-missing-from=\"6\"").unwrap()];
    let rect = &rect[rect.rfind("<rect").unwrap()..];
    let number = |name| attribute(rect, "<rect", name).parse::<i64>().unwrap();
    assert!(number("width") >= 14 && number("height") >= 100, "{rect}");
    let text = &life[..life.find("skipped 6 to 49 (44 messages)</text>").unwrap()];
    let text = &text[text.rfind("<text").unwrap()..];
    assert!(
        attribute(text, "<text", "class").starts_with("hole"),
        "{text}"
    );
    assert_eq!(text.matches("class=").count(), 1, "{text}");
    assert!(life.contains("<b>skipped 6 to 49 (44 messages)</b>"));
    let json = page.json("/api/v1/partitions/otel/metrics/0").await;
    let gap = &json["readers"][0]["gaps"][0];
    assert_eq!(
        (gap["from"].as_u64(), gap["to"].as_u64()),
        (Some(6), Some(49))
    );
}

#[tokio::test]
async fn the_line_of_what_is_stored_ends_where_the_topic_is_purged() {
    let journal = Journal::new();
    sample::open(&journal, 1, Some("iggy"));
    journal.record(sample::poll(1_000, &next(0), Ok((0, 2))));
    journal.record(sample::purge(2_000, "metrics"));
    journal.record(sample::poll(3_000, &next(0), Ok((0, 0))));
    let page = Page::over(Arc::new(journal)).await;
    let life = page.text("/partitions/otel/metrics/0").await;
    let purge = &life[life.find("<a class=\"break\"").unwrap()..];
    let purged_at = attribute(purge, "<line", "x1");
    let drawing = &life[life.find("<svg class=\"life\"").unwrap()..];
    let line = attribute(drawing, "<path class=\"stored\"", "d");
    let ended = format!("H{purged_at}M");
    let (before, after) = line.split_once(&ended).expect(line);
    assert!(before.starts_with('M') && !before.contains('H'), "{line}");
    assert!(after.contains('H'), "known again by the next poll: {line}");
    assert!(life.contains("stored offset not known any more: the log began anew"));
}

#[tokio::test]
async fn the_legend_has_what_is_drawn_and_nothing_else() {
    let journal = skipping();
    let page = Page::over(Arc::clone(&journal)).await;
    let legend = |life: &str| {
        let legend = life.split("<ul class=\"legend\"").nth(1).unwrap();
        legend.split("</ul>").next().unwrap().to_owned()
    };
    let shown = legend(&page.text("/partitions/otel/metrics/0").await);
    for kind in [
        "delivered",
        "skipped",
        "stored offset, as known",
        "end of the log",
    ] {
        assert!(shown.contains(kind), "{kind}: {shown}");
    }
    for kind in ["failed", "purge", "again", "finding", "stalled"] {
        assert!(!shown.contains(kind), "{kind}: {shown}");
    }
    journal.record(sample::purge(5_000, "metrics"));
    let shown = legend(&page.text("/partitions/otel/metrics/0").await);
    assert!(shown.contains("purge, deletion"), "{shown}");
}

#[tokio::test]
async fn what_only_the_script_does_is_offered_by_it_alone() {
    let page = Page::over(skipping()).await;
    let life = page.text("/partitions/otel/metrics/0").await;
    let keys = life.split("<span id=\"life-keys\" hidden>").nth(1).unwrap();
    let keys = keys.split("</span>").next().unwrap();
    assert!(keys.contains("<kbd>") && keys.contains("Drag"), "{keys}");
}

#[tokio::test]
async fn what_fails_again_and_again_is_said_once_with_how_often() {
    let journal = Journal::new();
    sample::open(&journal, 1, None);
    journal.record(sample::poll(1_000, &next(0), Ok((0, 0))));
    for second in 2..242 {
        journal.record(sample::poll(second * 1_000, &next(0), Err(4100)));
    }
    let page = Page::over(Arc::new(journal)).await;
    let life = page.text("/partitions/otel/metrics/0").await;
    assert_eq!(life.matches(", 240 times</text>").count(), 1,);
    let rows = life.split("<table class=\"troubles").nth(1).unwrap();
    let rows = rows.split("</table>").next().unwrap();
    let wrong = rows.matches("<tr role=\"row\" class=\"wrong\">");
    assert_eq!(wrong.count(), 2, "the failures, and that it stalled");
    assert!(rows.contains("240\u{d7}"), "{rows}");
    assert!(rows.contains("<summary>each of them</summary>"), "{rows}");
    assert!(rows.contains("href=\"/exchanges/241\""), "{rows}");
    assert!(rows.contains("140 more are not listed here"), "{rows}");
    assert!(rows.contains(">zoom in</a>"), "{rows}");
}

#[tokio::test]
async fn a_reader_without_a_skip_has_no_hole() {
    let page = Page::over(sample::broken_partition()).await;
    let life = page.text("/partitions/otel/metrics/1?around=4").await;
    assert!(!life.contains("skipped 0"), "{life}");
    assert!(!life.contains("data-missing-to"), "{life}");
}

#[tokio::test]
async fn a_shorter_time_is_an_address_and_still_knows_what_came_before() {
    let page = Page::over(skipping()).await;
    let whole = page.text("/partitions/otel/metrics/0").await;
    let closer = attribute(&whole, "data-zoom=\"closer\"", "href").replace("&amp;", "&");
    assert!(
        closer.starts_with("/partitions/otel/metrics/0?from="),
        "{closer}"
    );
    let closer = page.text(&closer).await;
    assert!(
        closer.contains("data-missing-from=\"6\""),
        "the skip is in its middle"
    );
    assert!(closer.contains("data-zoom=\"all\""));
    let from = sample::time(2_900).to_string();
    let to = sample::time(3_500).to_string();
    let query = format!("/partitions/otel/metrics/0/life?from={from}&to={to}");
    let short = page.text(&query).await;
    assert!(short.starts_with("<section"), "the part alone: {short}");
    assert!(
        short.contains("data-missing-from=\"6\""),
        "though 0 to 5 came before"
    );
    assert!(!short.contains("data-first=\"0\""));
    let around = page.text("/partitions/otel/metrics/0?around=3").await;
    assert!(around.contains("data-missing-from=\"6\""));
}

#[tokio::test]
async fn what_is_not_understood_or_not_there_is_said() {
    let page = Page::over(skipping()).await;
    for (path, status, words) in [
        (
            "/partitions/otel/metrics/x",
            400,
            "A partition has a number",
        ),
        ("/partitions/otel/metrics/0?from=now", 400, "from is a time"),
        (
            "/partitions/otel/metrics/0?at=1",
            400,
            "there are from, to and around",
        ),
        (
            "/partitions/otel/metrics/0?around=99",
            404,
            "no exchange 99",
        ),
        (
            "/partitions/otel/metrics/7",
            404,
            "Nothing that is kept is about otel/metrics, partition 7",
        ),
        ("/partitions/otel/%ff/7", 400, ""),
    ] {
        let answer = page.get(path).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        assert!(answer.body.contains(words), "{path}: {}", answer.body);
    }
    let early = sample::time(-9_000_000);
    let later = sample::time(-8_000_000);
    let nothing = format!("/partitions/otel/metrics/0?from={early}&to={later}");
    let nothing = page.text(&nothing).await;
    assert!(nothing.contains("Nothing about this partition passed in this time"));
}

#[tokio::test]
async fn a_failure_without_a_partition_is_in_a_lane_of_its_own() {
    let page = Page::over(sample::broken_partition()).await;
    for id in [0, 1] {
        let life = page.text(&format!("/partitions/otel/metrics/{id}")).await;
        assert!(life.contains("Partition not known: failed on this topic"));
        assert!(!life.contains("HTTP says the same of this partition"));
    }
    // Nothing names it but HTTP.
    let life = page.text("/partitions/otel/metrics/2").await;
    assert!(
        life.contains("HTTP says the same of this partition"),
        "{life}"
    );
}

#[tokio::test]
async fn names_that_are_hostile_stay_text_and_are_reached_by_their_address() {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    let page = Page::over(journal).await;
    let list = page.text("/partitions").await;
    assert!(!list.contains(sample::HOSTILE));
    let address = attribute(&list, "href=\"/partitions/otel/%3Cscript", "href");
    let life = page.text(address).await;
    assert!(!life.contains(sample::HOSTILE) && life.contains("&lt;script&gt;"));
}

#[tokio::test]
async fn what_may_be_the_same_by_number_is_said_to_be_not_known() {
    let journal = skipping();
    let mut by_number = next(0);
    by_number.stream = Identifier::Numeric(1);
    by_number.topic = Identifier::Numeric(2);
    journal.record(sample::poll(5_000, &by_number, Ok((0, 56))));
    let page = Page::over(journal).await;
    let life = page.text("/partitions/otel/metrics/0").await;
    assert!(life.contains("href=\"/partitions/1/2/0\""), "{life}");
    assert!(life.contains("not known to be the same"));
    let other = page.text("/partitions/1/2/0").await;
    assert!(other.contains("href=\"/partitions/otel/metrics/0\""));
}

#[tokio::test]
async fn a_partition_that_a_finding_is_about_is_a_link_away() {
    let journal = skipping();
    let evidence = vec!["the poll was answered with offsets 50 to 52".to_owned()];
    let code = parallax_captures::catalog::OFFSET_JUMP;
    let place = "otel/metrics/0, group qw_sink_metrics: next";
    let time = sample::time(3_000);
    journal.add_finding(parallax_captures::Finding::new(
        code, place, 3, time, evidence,
    ));
    let page = Page::over(journal).await;
    let finding = page.text(&format!("/findings/{code}")).await;
    assert!(
        finding.contains("href=\"/partitions/otel/metrics/0?around=3\""),
        "{finding}"
    );
    let exchange = page.text("/exchanges/3").await;
    assert!(exchange.contains("href=\"/partitions/otel/metrics/0?around=3\""));
    let life = page.text("/partitions/otel/metrics/0").await;
    assert!(
        life.contains(&format!("href=\"/findings/{code}\"")),
        "listed"
    );
    assert!(life.contains(&format!("{code}</text>")), "and marked");
}

#[tokio::test]
async fn what_is_too_much_is_left_out_and_said() {
    let journal = Journal::new();
    sample::open(&journal, 1, None);
    let mut at = 0;
    for reader in 0..=READERS_DRAWN {
        let mut question = next(0);
        question.consumer.id = Identifier::Named(format!("reader-{reader}"));
        at += 1_000;
        journal.record(sample::poll(at, &question, Ok((0, 0))));
    }
    for failure in 0..=LIFE_ROWS {
        at += 1_000;
        let mut question = next(0);
        question.consumer.id = Identifier::Named("reader-0".to_owned());
        question.count = u32::try_from(failure).unwrap();
        journal.record(sample::poll(at, &question, Err(4100)));
    }
    for partition in 0..=u32::try_from(PARTITIONS_SHOWN).unwrap() {
        journal.record(sample::poll(at, &next(partition), Ok((partition, 0))));
    }
    let page = Page::over(Arc::new(journal)).await;
    let life = page.text("/partitions/otel/metrics/0").await;
    assert!(life.contains("more readers are not drawn"), "{life}");
    assert!(life.contains("more are not listed here"), "{life}");
    let list = page.text("/partitions").await;
    assert!(list.contains("1 more are not shown"), "{list}");
}
