//! What is found at one place: what leads, and what is said of it.

use std::sync::Arc;

use parallax_captures::{ConnectionId, Finding, FindingCode, Journal, Undecoded};
use parallax_codec::classic::Direction;
use parallax_codec::primitives::{ConsumerKind, PollingKind};

use crate::http::Page;
use crate::overview::recorded;
use crate::sample;

const PLACE: &str = "otel/metrics/0, group sink";

/// A journal in which these were found at one place, each once.
fn found(findings: &[(u16, &str)]) -> Journal {
    let journal = Journal::new();
    for (code, sentence) in findings {
        let evidence = vec![(*sentence).to_owned()];
        let time = sample::time(1_000);
        let finding = Finding::new(FindingCode(*code), PLACE, 1, time, evidence);
        journal.add_finding(finding);
    }
    journal
}

/// The first card up to what is folded.
async fn card(findings: &[(u16, &str)]) -> String {
    let page = Page::over(Arc::new(found(findings))).await;
    let text = page.text("/panels").await;
    let card = text.split("<ol class=\"findings\">").nth(1).unwrap();
    card.split("<details").next().unwrap().to_owned()
}

/// The words stand in this order.
fn in_order(card: &str, words: &[&str]) {
    let mut rest = card;
    for one in words {
        let at = rest
            .find(one)
            .unwrap_or_else(|| panic!("{one} in its order: {card}"));
        rest = &rest[at + one.len()..];
    }
}

#[tokio::test]
async fn a_skip_leads_the_difference_that_it_makes_with_its_numbers_and_its_cure() {
    let skipped = "the poll was answered with offsets 15 to 17; it was to go on at 5, so 10 \
                   offsets were skipped";
    let card = card(&[(105, "the first message differs"), (203, skipped)]).await;
    let words = [
        "Group sink was led past messages that are there",
        "The poll was answered with offsets 15 to 17",
        "PX203",
        "PX105",
        "What to do: </b>Read the skipped range",
    ];
    in_order(&card, &words);
}

#[tokio::test]
async fn a_purge_without_effect_leads_the_refusal_to_store_what_it_left() {
    let findings = [
        (208, "the store of offset 3 was refused"),
        (
            210,
            "offset 0 was served with the message that exchange 7 was served",
        ),
    ];
    let card = card(&findings).await;
    let words = [
        "Messages from before a purge are served after it",
        "Offset 0 was served with the message that exchange 7",
        "PX208",
        "What to do: </b>The purge did not reach",
    ];
    in_order(&card, &words);
}

#[tokio::test]
async fn who_is_stuck_leads_and_what_explains_it_says_what_to_do() {
    let findings = [
        (501, "3 times in 1 s"),
        (208, "the store of offset 3 was refused"),
    ];
    let card = card(&findings).await;
    let words = [
        "was stuck",
        "PX208",
        "What to do: </b>The reader will be served",
    ];
    in_order(&card, &words);
    assert!(
        !card.contains("class=\"fact\""),
        "the headline says it: {card}"
    );
}

#[tokio::test]
async fn a_client_that_is_not_understood_is_one_thing_and_waits() {
    let journal = Journal::new();
    sample::open(&journal, 1, None);
    let why = "the client speaks the VSR dialect, the server answers in the classic dialect";
    let question = sample::question("metrics", Some(0), PollingKind::Next);
    let n = journal.record(sample::unanswered_poll(1_000, &question));
    let time = sample::time(1_000);
    let place = "connection 1, login_register";
    let evidence = vec![
        why.to_owned(),
        "the client says: rust-sdk 0.11.0".to_owned(),
    ];
    journal.add_finding(Finding::new(FindingCode(401), place, n, time, evidence));
    journal.update_connection(ConnectionId(1), |connection| {
        connection.undecoded = Some(Undecoded {
            why: why.to_owned(),
            at: 0,
            direction: Direction::ToClient,
        });
    });
    let journal = Arc::new(journal);
    let page = Page::about(Arc::clone(&journal), recorded()).await;
    let text = page.text("/panels").await;
    assert!(text.contains("<b>1 thing is wrong</b>"), "{text}");
    assert_eq!(text.matches(why).count(), 1, "{text}");
    let row = text.split("class=\"r-error\"").nth(1).unwrap();
    let words = [
        "stuck",
        "waits for a reply to",
        "poll_messages",
        "PX401",
        "undecoded",
        "open when the recording ended",
    ];
    in_order(row, &words);
    let live = Page::over(journal).await;
    let text = live.text("/panels").await;
    assert!(text.contains("open</span> since"), "{text}");
}

#[tokio::test]
async fn a_store_that_is_refused_of_an_empty_partition_says_that_it_is_empty() {
    let stuck = |is_empty: bool| {
        let journal = Journal::new();
        sample::open(&journal, 1, None);
        let mut question = sample::question("empty", Some(0), PollingKind::First);
        question.consumer.kind = ConsumerKind::Consumer;
        journal.record(if is_empty {
            sample::poll_of_empty_partition(1_000, &question)
        } else {
            sample::poll(1_000, &question, Ok((0, 0)))
        });
        let n = journal.record(sample::refused_store(2_000, &question));
        let evidence = vec!["the store of offset 0 failed 5 times".to_owned()];
        let place = "otel/empty/0, consumer 1: store of an offset, offset 0";
        let time = sample::time(2_000);
        journal.add_finding(Finding::new(FindingCode(501), place, n, time, evidence));
        Arc::new(journal)
    };
    let text = Page::over(stuck(true)).await.text("/panels").await;
    let words = [
        "store of offset 0 on partition 0 failed again",
        "The partition has held no message so far, so no offset can be stored",
        "/exchanges/1",
        "What to do: </b>Store an offset only once",
    ];
    in_order(&text, &words);
    let text = Page::over(stuck(false)).await.text("/panels").await;
    assert!(!text.contains("has held no message"), "{text}");
    assert!(text.contains("The error says what to do"), "{text}");
}

#[tokio::test]
async fn a_finding_alone_says_its_evidence_once() {
    let card = card(&[(203, "10 offsets were skipped")]).await;
    assert_eq!(card.matches("10 offsets were skipped").count(), 1, "{card}");
}
