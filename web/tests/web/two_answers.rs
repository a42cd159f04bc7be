//! Two answers to one poll, over a journal filled by hand.

use std::sync::Arc;
use std::time::Duration;

use parallax_captures::known::DEFAULT_PARTITION;
use parallax_captures::verdict::{AskedTimes, MirrorOutcome};
use parallax_captures::{Exchange, Journal, Undecoded, Verdict, VerdictKind, catalog};
use parallax_codec::classic::Direction;
use parallax_codec::primitives::PollingKind;
use parallax_web::{About, LiveRoute, Source};

use crate::http::Page;
use crate::sample::{self, FAILING_POLL};

async fn page() -> Page {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    Page::over(journal).await
}

/// The text of a page, without its tags.
pub(crate) fn words(page: &str) -> String {
    let mut words = String::new();
    for part in page.split('<').skip(1) {
        let (_, text) = part.split_once('>').unwrap_or(("", part));
        words.push_str(text);
        words.push(' ');
    }
    let words = words
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_failing_mirrored_poll_names_the_partition_the_offset_and_what_was_never_there() {
    let detail = page()
        .await
        .text(&format!("/exchanges/{FAILING_POLL}"))
        .await;
    assert!(detail.contains("poll_messages was refused: 4100 invalid_offset"));
    assert!(detail.contains("InvalidOffset(0)") && detail.contains("never on the wire"));
    assert!(detail.contains("no text, no number on the wire"));
    let lines: Vec<_> = detail
        .split("<tr")
        .filter_map(|line| Some(line.split_once("</tr>")?.0))
        .filter(|line| line.contains("asked by parallax"))
        .collect();
    assert_eq!(lines.len(), 3, "one line for each partition that was asked");
    assert!(lines[1].contains("HTTP 200") && lines[2].contains("HTTP 200"));
    assert!(lines[0].contains(">2<") && lines[0].contains("HTTP 400: 4100 invalid_offset"));
    assert!(lines[0].contains("Invalid offset: 24") && lines[0].contains("the likely culprit"));
    assert!(!lines[1].contains("culprit") && !lines[2].contains("culprit"));
    assert!(detail.contains(catalog::describe(catalog::NUMBER_LOST_ON_TCP).title));
}

#[tokio::test]
async fn a_divergence_counts_and_marks_the_fields_and_messages_that_differ() {
    let detail = page().await.text("/exchanges/16").await;
    let said = words(&detail);
    for expected in [
        "2 of 4 fields differ, 1 message differs, 1 message only on TCP, 1 message equal",
        "= 1 equal message, offset 0",
        "\u{2260} offset 1 1 of 6 fields differ",
        "first different byte of the payload: 0",
        "missing over HTTP",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let current_offset = detail
        .split("<tr")
        .find(|row| row.contains(" current offset"))
        .unwrap();
    assert!(current_offset.contains("\u{2260}") && current_offset.contains("differs"));
    assert!(current_offset.contains("<mark><bdi>21") && current_offset.contains("<mark><bdi>23"));
}

#[tokio::test]
async fn the_alignment_is_in_the_api_too() {
    let page = page().await;
    let json = page.json("/api/v1/exchanges/16/comparison").await;
    let beside = &json["beside"];
    assert_eq!(beside["counted"]["fields_differ"], 2);
    let messages = beside["messages"].as_array().unwrap();
    let kinds: Vec<_> = messages
        .iter()
        .map(|one| one["is"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["equal", "differs", "only_tcp"]);
    let payload = &messages[1]["fields"][4];
    assert_eq!(
        (&payload["field"], &payload["equal"]),
        (&"payload".into(), &false.into())
    );
    assert_eq!(payload["bytes"]["first_difference"], 0);
    let grounds = json["grounds"].as_array().unwrap();
    assert_eq!(grounds[0]["question"], "What was asked");
    // Of a probe no answer is TCP's counterpart.
    let address = format!("/api/v1/exchanges/{FAILING_POLL}/comparison");
    assert!(page.json(&address).await["beside"].is_null());
}

#[tokio::test]
async fn both_pairs_of_answers_have_a_column_each_and_the_time_that_passed_between() {
    let journal = sample::broken_partition();
    sample::oddities(&journal);
    let is_asked_again = |exchange: &Exchange| {
        let verdict = exchange.verdict.as_ref();
        verdict.is_some_and(|verdict| verdict.asked_again.is_some())
    };
    let asked_again = journal.latest(None, 1, &is_asked_again).remove(0);
    let address = format!("/exchanges/{}", asked_again.n);
    let text = Page::over(Arc::clone(&journal)).await.text(&address).await;
    let (_, again) = text.split_once("id=\"again\"").unwrap();
    assert!(words(again).contains("Asked again: both still differ"));
    // Of TCP's three and HTTP's two answers HTTP's differ.
    assert_eq!(again.matches("class=\"other\"").count(), 2);
    assert!(!again.contains("What differs between"));
    let order = [
        "TCP refuses it once more.",
        "the client",
        "asked by parallax",
        "parallax, before",
        "asked by parallax",
        "parallax, after",
        "4100 invalid_offset",
        "HTTP 200",
    ];
    let mut at = 0;
    for expected in order {
        let found = again[at..].find(expected);
        at += found.unwrap_or_else(|| panic!("{expected}: {again}")) + expected.len();
    }
    // A file of an earlier version does not tell when.
    assert!(words(again).contains("asked at"));
    assert!(words(again).contains("not known"));

    let mut verdict = asked_again.verdict.clone().unwrap();
    let mut second = verdict.asked_again.clone().unwrap();
    second.kind = VerdictKind::Agree;
    let asked = asked_again.times.request_first + Duration::from_millis(214);
    second.tcp_before[0].times = Some(AskedTimes::after(asked, Duration::from_millis(1)));
    second.tcp_before[0].strategy = PollingKind::Offset;
    verdict.asked_again = Some(second.clone());
    journal.set_verdict(asked_again.n, verdict.clone());
    let text = Page::over(Arc::clone(&journal)).await.text(&address).await;
    let said = "Asked again by offset 0 after 0.214 s: both bring 0 to 2, so only where Next began \
                differs";
    assert!(words(&text).contains(said), "{}", words(&text));
    let (card, _) = text.split_once("Why this may be believed").unwrap();
    let (_, card) = card.split_once("id=\"two-answers\"").unwrap();
    let (card, _) = card.split_once("</section>").unwrap();
    assert!(
        card.contains("id=\"again\""),
        "in one card with the first answers"
    );

    verdict.kind = VerdictKind::Transient;
    journal.set_verdict(asked_again.n, verdict);
    let text = Page::over(journal).await.text(&address).await;
    assert!(words(&text).contains("both agree now and bring 0 to 2"));
}

fn with_verdict(kind: VerdictKind, reason: &str) -> (Arc<Journal>, Exchange) {
    let journal = sample::broken_partition();
    let question = sample::question("metrics", Some(0), PollingKind::First);
    let mut exchange = sample::poll(60_000, &question, Ok((0, 0)));
    exchange.verdict = Some(Verdict {
        kind,
        reason: reason.to_owned(),
        basis: String::new(),
        differences: Vec::new(),
        answers: Vec::new(),
        asked_again: None,
        known: Vec::new(),
        muted: None,
    });
    (journal, exchange)
}

async fn shown(journal: Arc<Journal>, exchange: Exchange) -> String {
    let n = journal.record(exchange);
    let page = Page::over(journal).await;
    words(&page.text(&format!("/exchanges/{n}")).await)
}

#[tokio::test]
async fn what_is_missing_is_said_with_what_to_do() {
    let (journal, exchange) = with_verdict(VerdictKind::MirrorFailed, "No login was seen.");
    let text = shown(journal, exchange).await;
    assert!(
        text.contains("mirror failed") && text.contains("says nothing about the poll"),
        "{text}"
    );

    let (journal, exchange) = with_verdict(VerdictKind::NotComparable, "It cannot be asked.");
    let text = shown(journal, exchange).await;
    assert!(
        text.contains("Look at the next poll of this partition"),
        "{text}"
    );
    assert!(!text.contains("Name the partition"), "it did: {text}");

    let (journal, mut exchange) = with_verdict(VerdictKind::NotComparable, "It cannot be asked.");
    let unnamed = sample::question("metrics", None, PollingKind::Next);
    exchange.content = sample::poll(60_000, &unnamed, Ok((0, 0))).content;
    let text = shown(journal, exchange).await;
    assert!(text.contains("Name the partition in the poll"), "{text}");

    let (journal, mut exchange) = with_verdict(VerdictKind::NotComparable, "It cannot be read.");
    exchange.undecoded = Some(Undecoded {
        why: "it ends within a message".to_owned(),
        at: 40,
        direction: Direction::ToClient,
    });
    let text = shown(journal, exchange).await;
    let said = "could not be decoded, so it was not compared; ask HTTP by hand: GET \
                /streams/otel/topics/metrics/messages?consumer_id=qw_sink_metrics&amp;partition_id=0\
                &amp;kind=first&amp;value=0&amp;count=100&amp;auto_commit=false.";
    assert!(text.contains(said), "{text}");
    assert!(!text.contains("Name the partition"), "{text}");

    let (journal, mut exchange) = with_verdict(VerdictKind::MirrorFailed, "No connection.");
    if let Some(verdict) = &mut exchange.verdict {
        let failed = MirrorOutcome::Failed("No connection.".to_owned());
        verdict.answers = vec![sample::mirror_answer(0, failed)];
    }
    let text = shown(journal, exchange).await;
    assert_eq!(
        text.matches("No connection.").count(),
        1,
        "said once: {text}"
    );

    let (journal, mut exchange) = with_verdict(VerdictKind::Agree, "All is the same.");
    if let Some(verdict) = &mut exchange.verdict {
        verdict.known = vec![&DEFAULT_PARTITION];
        verdict.reason = format!("{} {DEFAULT_PARTITION}", verdict.reason);
    }
    let text = shown(journal, exchange).await;
    let (before, known) = text.split_once("1 known, harmless difference met").unwrap();
    assert!(before.contains("All is the same.") && !before.contains("Known, harmless"));
    assert!(
        known.contains("An HTTP poll that names no partition") && known.contains("Servers 0.5")
    );

    let (journal, mut exchange) = with_verdict(VerdictKind::Diverge, "It differs.");
    if let Some(verdict) = &mut exchange.verdict {
        verdict.muted = Some("mutes.toml, rule 2".into());
    }
    let text = shown(journal, exchange).await;
    assert!(
        text.contains("Muted by mutes.toml, rule 2") && text.contains("Take the rule away"),
        "{text}"
    );
}

#[tokio::test]
async fn a_poll_without_a_verdict_says_why_by_where_it_comes_from() {
    let live = |http: Option<&str>| About {
        source: Source::Live(vec![LiveRoute {
            name: None,
            listen: "127.0.0.1:8190".parse().unwrap(),
            upstream: "127.0.0.1:8090".to_owned(),
            http: http.map(str::to_owned),
        }]),
        ..sample::about()
    };
    let file = About {
        source: Source::File {
            name: "poll.pcap".to_owned(),
            time: None,
        },
        ..sample::about()
    };
    let http = Some("http://127.0.0.1:3000");
    for (about, strategy, expected) in [
        (
            live(None),
            PollingKind::First,
            "Start it without --no-mirror",
        ),
        (live(http), PollingKind::Last, "--mirror-also"),
        (
            live(http),
            PollingKind::First,
            "The overview says how the mirror is doing",
        ),
        (file, PollingKind::First, "tcp port 8090 or tcp port 3000"),
    ] {
        let journal = Journal::new();
        let question = sample::question("metrics", Some(0), strategy);
        journal.record(sample::poll(0, &question, Ok((0, 0))));
        let page = Page::about(Arc::new(journal), about).await;
        let text = words(&page.text("/exchanges/1").await);
        assert!(
            text.contains("one is missing") && text.contains(expected),
            "{expected}: {text}"
        );
    }
    // What is never compared has no such section.
    let text = page().await.text("/exchanges/1").await;
    assert!(!text.contains("Two answers"));
}
