//! The overview: what is wrong first, whose client is stuck, and what to do where there is
//! nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use parallax_captures::{
    Archive, ConnectionId, Counts, Exchange, Finding, FindingCode, Journal, Listing, Measure,
    MirrorState, Rank, Ranking, Restored, Totals, Unseen, Wanted, catalog,
};
use parallax_codec::Direction;
use parallax_codec::primitives::PollingKind;
use parallax_web::{About, LiveRoute, Source};

use crate::http::Page;
use crate::sample;

pub(crate) fn recorded() -> About {
    let source = Source::File {
        name: "group.pcap".to_owned(),
        time: None,
    };
    About {
        source,
        ..sample::about()
    }
}

fn found(journal: &Journal, code: FindingCode, place: &str, at: i64) {
    let evidence = vec!["this was seen".to_owned()];
    journal.add_finding(Finding::new(code, place, 1, sample::time(at), evidence));
}

/// Polls of partition 0, well answered.
fn talk(journal: &Journal, from: i64, many: i64) {
    let question = sample::question("metrics", Some(0), PollingKind::Offset);
    for number in 0..many {
        journal.record(sample::poll(from + number, &question, Ok((0, 0))));
    }
}

#[tokio::test]
async fn a_lesser_thing_never_stands_above_a_graver_one() {
    let journal = Arc::new(Journal::new());
    talk(&journal, 0, 1);
    found(&journal, catalog::STALLED, "a/b/0, consumer 1", 0);
    found(
        &journal,
        catalog::SAME_BATCH_AGAIN,
        "a/b/0, consumer 2",
        9_000,
    );
    sample::open(&journal, 1, None);
    journal.update_connection(ConnectionId(1), |connection| {
        connection.closed = Some((sample::time(0), "cannot reach the server".to_owned()));
        connection.unserved = true;
    });
    journal.update_totals(|totals| totals.observations_dropped = 7);
    let text = Page::over(journal).await.text("/panels").await;
    let list = text.split("<ol class=\"findings\">").nth(1).unwrap();
    let list = list.split("</ol>").next().unwrap();
    let classes: Vec<_> = list
        .split("<li class=\"s-")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(classes, ["error", "error", "warning", "warning"]);
    assert!(text.contains("<b>4 things are wrong</b>"), "{text}");
}

#[tokio::test]
async fn what_is_only_good_to_know_takes_a_line_and_is_not_wrong() {
    let journal = Arc::new(Journal::new());
    talk(&journal, 0, 1);
    for place in ["a/b, consumer 1", "a/c, consumer 1: next, 5"] {
        found(&journal, catalog::ARGUMENT_NOT_ON_WIRE, place, 0);
    }
    let text = Page::over(journal).await.text("/panels").await;
    assert!(text.contains("2 findings that are good to know, of 2 places: PX103</summary>"));
    assert!(text.contains("Nothing wrong found") && !text.contains("<ol class=\"findings\">"));
    assert!(!text.contains("What to do"));
}

#[tokio::test]
async fn findings_of_one_reader_are_one_thing_that_says_what_why_and_what_to_do() {
    let text = Page::about(sample::broken_partition(), recorded())
        .await
        .text("/panels")
        .await;
    assert!(text.contains("<b>1 thing is wrong</b>"), "{text}");
    let felt = "Group qw_sink_metrics is stuck: its poll of partition 2 fails again and again with \
                4100 invalid_offset";
    let at = [
        felt,
        "PX501",
        "Invalid offset: 24",
        "PX102",
        "What to do",
        "Evidence",
        "Good to know of <bdi>otel/metrics, group qw_sink_metrics</bdi>: PX103",
    ]
    .map(|words| {
        text.find(words)
            .unwrap_or_else(|| panic!("{words}: {text}"))
    });
    assert!(at.is_sorted(), "{at:?}: {text}");
    assert!(!text.contains(" ,"), "no blank before a comma");
}

#[tokio::test]
async fn errors_without_a_finding_are_named_and_not_red() {
    let journal = Arc::new(Journal::new());
    let question = sample::question("metrics", Some(0), PollingKind::Next);
    journal.record(sample::poll(1_000, &question, Err(4100)));
    let page = Page::over(journal).await;
    let text = page.text("/panels").await;
    let glance = text.split("</p>").next().unwrap();
    let words =
        "<a href=\"/exchanges?errors=1\" data-count=\"1\">1 request refused or unanswered</a>";
    assert!(
        glance.contains("Nothing wrong found") && glance.contains(words),
        "{glance}"
    );
    assert!(!text.contains("<dd class=\"bad\">"), "{text}");
    let foot = "All 1 exchanges";
    assert!(
        text.contains(foot),
        "the foot is as new as the rest: {text}"
    );
    let found = Page::over(sample::broken_partition()).await;
    let text = found.text("/panels").await;
    assert!(text.contains("<dd class=\"bad\">") && !text.contains("unanswered</a>"));
}

#[tokio::test]
async fn occurrences_are_drawn_and_add_up_in_the_api() {
    let page = Page::over(sample::broken_partition()).await;
    let text = page.text("/panels").await;
    assert!(text.contains("<svg class=\"spark\"") && text.contains("Seen 4 times between"));
    let findings = page.json("/api/v1/findings").await;
    for finding in findings["findings"].as_array().unwrap() {
        let slots = finding["occurrences"]["slots"].as_array().unwrap();
        let sum: u64 = slots
            .iter()
            .map(|slot| slot["count"].as_u64().unwrap())
            .sum();
        assert_eq!(finding["count"], sum, "{finding}");
    }
}

#[tokio::test]
async fn what_passed_is_drawn_in_a_table_and_in_the_api_and_all_say_the_same() {
    let page = Page::over(sample::broken_partition()).await;
    let text = page.text("/panels").await;
    let drawn = text.split("<figure class=\"over-time\">").nth(1).unwrap();
    assert!(drawn.contains("class=\"a-failed\"") && drawn.contains("class=\"a-agree\""));
    assert!(
        drawn.contains("The same as a table")
            && drawn.contains("<th class=\"number\" scope=\"col\">agree</th>")
    );
    let activity = page.json("/api/v1/activity").await;
    let sum = |what: &str| -> u64 {
        let slots = activity["slots"].as_array().unwrap();
        slots.iter().map(|slot| slot[what].as_u64().unwrap()).sum()
    };
    let figures = page.json("/api/v1/figures").await;
    for (what, figure) in [
        ("exchanges", "exchanges"),
        ("failed", "errors"),
        ("agree", "agree"),
    ] {
        let all = figures["figures"].as_array().unwrap();
        let figure = all.iter().find(|one| one["what"] == figure).unwrap();
        assert_eq!(figure["count"], sum(what), "{what}");
    }
}

#[tokio::test]
async fn a_client_is_stuck_while_it_goes_on_and_was_when_others_went_on_without_it() {
    let journal = sample::broken_partition();
    let page = Page::about(Arc::clone(&journal), recorded()).await;
    let text = page.text("/panels").await;
    assert!(
        text.contains("1 connection, <b class=\"bad\">1 stuck</b>"),
        "{text}"
    );
    let row = text
        .split("<tr role=\"row\" class=\"r-error\">")
        .nth(1)
        .unwrap();
    assert!(
        row.contains("the same request is refused again and again, 1\u{d7}"),
        "{row}"
    );
    assert!(row.contains("href=\"/findings/PX501\"") && row.contains(">PX102</a>"));
    let json = page.json("/api/v1/connections").await;
    assert_eq!(json["connections"][0]["progress"], "stuck");
    assert_eq!(json["connections"][0]["hindrance"]["code"], "PX501");
    assert_eq!(json["connections"][0]["worst"], "PX102");

    talk(&journal, 100_000, 1);
    let text = page.text("/panels").await;
    assert!(
        text.contains("was stuck</span> until") && !text.contains("1 stuck"),
        "{text}"
    );
    assert!(text.contains("was stuck: its poll of partition 2 failed again"));
}

#[tokio::test]
async fn a_request_that_waits_long_is_not_called_a_fault() {
    let journal = Arc::new(Journal::new());
    talk(&journal, 0, 1);
    sample::open(&journal, 1, Some("iggy"));
    let waits = |since| {
        journal.update_connection(ConnectionId(1), |connection| {
            connection.waiting = Some((1, since));
        });
    };
    let page = Page::over(Arc::clone(&journal)).await;
    waits(Timestamp::now());
    let text = page.text("/panels").await;
    assert!(
        text.contains("no sign of it") && !text.contains("waiting long"),
        "{text}"
    );
    waits(sample::time(0));
    let text = page.text("/panels").await;
    assert!(text.contains("not known</span>: 1 request waits for a reply since"));
    assert!(
        text.contains("1 waiting long") && !text.contains("stuck</b>"),
        "{text}"
    );
    let json = page.json("/api/v1/connections").await;
    assert_eq!(json["connections"][0]["progress"], "not_known");
}

#[tokio::test]
async fn what_a_server_says_on_one_connection_is_told_of_another_to_it() {
    let journal = Arc::new(Journal::new());
    for id in 1..=2 {
        sample::open(&journal, id, Some("iggy"));
    }
    let page = Page::over(Arc::clone(&journal)).await;
    assert!(
        page.text("/panels")
            .await
            .contains("<span class=\"label\">server </span><span class=\"dim\">not known")
    );
    journal.update_connection(ConnectionId(2), |connection| {
        connection.server_version = Some("0.8.0".to_owned());
    });
    let text = page.text("/panels").await;
    assert_eq!(text.matches("<bdi>0.8.0</bdi>").count(), 2, "{text}");
    let json = page.json("/api/v1/connections").await;
    assert_eq!(json["connections"][0]["server_elsewhere"]["conn"], 2);
}

#[tokio::test]
async fn the_mirror_says_as_whom_how_fast_and_until_when_it_waits() {
    let journal = sample::broken_partition();
    let later = Timestamp::now() + std::time::Duration::from_mins(1);
    journal.update_mirror(None, |mirror| {
        mirror.server = "http://127.0.0.1:3000".to_owned();
        mirror.whom = Some("password of iggy".to_owned());
        mirror.limit_per_second = Some(50);
        mirror.state = MirrorState::Unauthenticated {
            since: sample::time(0),
            until: Some(later),
            reason: "HTTP refuses the login".to_owned(),
        };
    });
    journal.update_totals(|totals| totals.polls_not_mirrored = 3);
    let page = Page::over(journal).await;
    let text = page.text("/panels").await;
    for words in [
        "<b class=\"warn\">mirror: not let in</b>",
        "whoever polls, last with the <bdi>password of iggy</bdi>",
        "0.0 requests/s over 10 s, at most 50",
        "Asks again at",
        "3</span> polls not mirrored",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = page.json("/api/v1/mirror").await;
    assert_eq!(json["state"], "unauthenticated");
    assert_eq!(json["until"], later.to_string());
    assert_eq!(json["polls_not_mirrored"], 3);
    let troubles = page.json("/api/v1/troubles").await;
    assert_eq!(troubles["troubles"][0]["kind"], "mirror");
}

#[tokio::test]
async fn where_there_is_nothing_it_says_what_to_do_next() {
    let journal = Arc::new(Journal::new());
    let page = Page::over(Arc::clone(&journal)).await;
    let text = page.text("/").await;
    assert!(text.contains("No client yet: point one at <b>127.0.0.1:8190</b>"));
    assert!(text.contains("Not recording") && text.contains("--record DIRECTORY"));

    sample::open(&journal, 1, Some("iggy"));
    let text = page.text("/").await;
    assert!(
        text.contains("1 client connected, and nothing whole was said yet"),
        "{text}"
    );

    talk(&journal, 0, 1_234);
    let text = page.text("/").await;
    assert!(
        text.contains("Nothing found</b> in 1,234 exchanges of 1 connection."),
        "{text}"
    );
    assert!(text.contains("No poll has been compared with HTTP yet"));

    let off = About {
        source: Source::Live(vec![LiveRoute {
            name: None,
            listen: "127.0.0.1:8190".parse().unwrap(),
            upstream: "127.0.0.1:8090".to_owned(),
            http: None,
        }]),
        ..sample::about()
    };
    let text = Page::about(journal, off).await.text("/").await;
    assert!(
        text.contains(">mirror off</a>")
            && text.contains("start parallax without <code>--no-mirror")
    );
    assert!(text.contains("No poll is compared with HTTP: the mirror is off."));
}

/// An archive that only counts what it is asked.
#[derive(Debug, Default)]
struct Asked(AtomicU64);

impl Archive for Asked {
    fn exchange(&self, n: u64) -> Option<Arc<Exchange>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let question = sample::question("metrics", None, PollingKind::Next);
        let mut exchange = sample::poll(0, &question, Err(4100));
        exchange.n = n;
        Some(Arc::new(exchange))
    }

    fn older(&self, _: u64, most: usize, _: &dyn Wanted) -> Listing {
        self.0.fetch_add(most as u64, Ordering::Relaxed);
        Listing::default()
    }

    fn newer(&self, _: u64, _: u64, most: usize, _: &dyn Wanted) -> Listing {
        self.0.fetch_add(most as u64, Ordering::Relaxed);
        Listing::default()
    }

    fn top(&self, _: Measure, _: Option<Rank>, _: u64, most: usize, _: &dyn Wanted) -> Ranking {
        self.0.fetch_add(most as u64, Ordering::Relaxed);
        Ranking::default()
    }
}

/// Of a recording with so many exchanges: bytes of the overview, and exchanges that it reads.
async fn cost(exchanges: u64) -> (usize, u64) {
    let mut counts = Counts::default();
    counts.exchanges = exchanges;
    let finding = |place: u64| {
        let mut finding = Finding::new(
            catalog::SAME_FAILURE_AGAIN,
            format!("otel/topic_{place}, group sink: next, 4100 invalid_offset"),
            1,
            sample::time(0),
            vec!["again and again".to_owned()],
        );
        finding.exchanges = (1..=20).collect();
        finding
    };
    let restored = Restored {
        first: 1,
        counts,
        totals: Totals {
            exchanges,
            ..Totals::default()
        },
        findings: (0..200).map(finding).collect(),
        ..Restored::default()
    };
    let archive = Arc::new(Asked::default());
    let journal = Journal::over(Arc::clone(&archive) as Arc<dyn Archive>, restored);
    let page = Page::about(Arc::new(journal), recorded()).await;
    archive.0.store(0, Ordering::Relaxed);
    let bytes = page.text("/").await.len();
    (bytes, archive.0.load(Ordering::Relaxed))
}

#[tokio::test]
async fn the_overview_costs_as_much_with_a_million_exchanges_as_with_a_thousand() {
    let (few, many) = (cost(1_000).await, cost(1_000_000).await);
    assert_eq!(few.1, many.1, "exchanges that are read");
    assert!(many.1 < 500, "{} exchanges are read", many.1);
    let more = many.0.abs_diff(few.0);
    assert!(more < 200, "{more} bytes more, for longer numbers");
    assert!(many.0 < 300_000, "{} bytes", many.0);
}

#[tokio::test]
async fn what_was_not_looked_at_is_between_the_rows_where_it_is_and_slowing_is_counted() {
    let journal = Arc::new(Journal::new());
    sample::open(&journal, 1, None);
    talk(&journal, 0, 2);
    let unseen = Unseen {
        direction: Direction::ToClient,
        bytes: 3 * 1024 * 1024,
        observations: 12,
        since: sample::time(2_000),
        until: sample::time(3_000),
    };
    journal.note_gap(ConnectionId(1), &unseen);
    journal.update_connection(ConnectionId(1), |c| c.bytes_unobserved = unseen.bytes);
    talk(&journal, 4_000, 2);
    journal.update_totals(|totals| {
        totals.clients_slowed = 5;
        totals.clients_slowed_for = std::time::Duration::from_millis(12);
    });
    let page = Page::over(journal).await;

    for path in ["/exchanges", "/rows?conn=1", "/exchanges?sort=oldest"] {
        let list = page.text(path).await;
        assert_eq!(list.matches("gap before: ").count(), 1, "{path}: {list}");
        let row = list.split("id=\"x3\"").nth(1).unwrap();
        let row = row.split("</tr>").next().unwrap();
        assert!(row.contains("Between exchange 2 and this one"), "{row}");
    }
    let other = page.text("/exchanges?conn=2").await;
    assert!(!other.contains("gap before: "));

    let panels = page.text("/panels").await;
    for words in ["bytes not looked at", "after exchange 2", "12.0 ms in all"] {
        assert!(panels.contains(words), "{words}: {panels}");
    }
    let told = page.json("/api/v1/overload").await;
    assert_eq!(told["clients_slowed"], 5);
    assert_eq!(told["clients_slowed_us"], 12_000);
    let gap = &told["gaps"][0];
    for (field, value) in [("conn", 1), ("after", 2), ("observations", 12)] {
        assert_eq!(gap[field], value, "{gap}");
    }
    assert_eq!(gap["bytes"], unseen.bytes);
}
