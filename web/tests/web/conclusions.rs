//! What the page of an exchange says first of two answers.

use std::sync::Arc;

use parallax_captures::poll::PollAnswer;
use parallax_captures::verdict::{Difference, HttpRefusal, MirrorAnswer, MirrorOutcome};
use parallax_captures::{Exchange, Journal, Verdict, VerdictKind};
use parallax_codec::primitives::PollingKind;

use crate::http::Page;
use crate::sample::{self, answer_of, answered, difference, mirror_answer, refused};
use crate::two_answers::words;

/// A poll that was answered with 3 messages from `first` on, or refused.
pub(crate) fn compared(
    first: Result<u64, u32>,
    kind: VerdictKind,
    differences: Vec<Difference>,
    answers: Vec<MirrorAnswer>,
) -> Exchange {
    let question = sample::question("metrics", None, PollingKind::Next);
    let mut exchange = sample::poll(60_000, &question, first.map(|first| (1, first)));
    exchange.verdict = Some(Verdict {
        kind,
        reason: "So it is.".to_owned(),
        basis: String::new(),
        differences,
        answers,
        asked_again: None,
        known: Vec::new(),
        muted: None,
    });
    exchange
}

/// TCP skipped, and HTTP has what was skipped.
pub(crate) fn jump() -> Exchange {
    let differences = vec![difference("messages[0].offset", "15", "5")];
    compared(
        Ok(15),
        VerdictKind::Diverge,
        differences,
        vec![answered(1, 5)],
    )
}

/// HTTP's answer to a poll that TCP answered with nothing.
pub(crate) fn timed_out() -> MirrorAnswer {
    let refusal = HttpRefusal {
        http_status: 504,
        code: None,
        reason: "partition_read_timeout".to_owned(),
    };
    mirror_answer(1, MirrorOutcome::Refused(refusal))
}

/// An empty answer where HTTP says what went wrong.
pub(crate) fn masked() -> Exchange {
    let question = sample::question("metrics", Some(1), PollingKind::First);
    let mut exchange = sample::empty_poll(60_000, &question);
    let differences = vec![difference("outcome", "an empty answer", "HTTP 504")];
    let compared = compared(Ok(0), VerdictKind::Diverge, differences, vec![timed_out()]);
    exchange.verdict = compared.verdict;
    exchange
}

/// The heading, that of the two answers, and what `/api/v1` has.
async fn first_lines(exchange: Exchange) -> (String, String, serde_json::Value) {
    let journal = Journal::new();
    sample::open(&journal, 1, Some("iggy"));
    let n = journal.record(exchange);
    let page = Page::over(Arc::new(journal)).await;
    let text = page.text(&format!("/exchanges/{n}")).await;
    let between = |from: &str, to: &str| {
        let (_, rest) = text.split_once(from).unwrap();
        words(&format!("<{}", rest.split_once(to).unwrap().0))
    };
    let json = page
        .json(&format!("/api/v1/exchanges/{n}/comparison"))
        .await;
    (
        between("<h1", "</h1>"),
        between("<h2 id=\"h-sides\"", "</h2>"),
        json["conclusion"].clone(),
    )
}

#[tokio::test]
async fn a_divergence_is_told_in_the_page_s_first_line() {
    let mut changed = PollAnswer::from(&answer_of(1, 0));
    changed.messages[1].checksum += 1;
    let changed = mirror_answer(1, MirrorOutcome::Answered(changed));
    let diverge = |first, field: &str, answers| {
        compared(
            first,
            VerdictKind::Diverge,
            vec![difference(field, "", "")],
            answers,
        )
    };
    for (exchange, expected) in [
        (jump(), "TCP began at 15, HTTP at 5: 10 offsets skipped"),
        (
            compared(
                Ok(3),
                VerdictKind::Diverge,
                vec![difference(
                    "messages[0].offset",
                    "3",
                    "10, where Next was to begin",
                )],
                vec![answered(1, 10)],
            ),
            "TCP began at 3, before 10",
        ),
        (
            masked(),
            "TCP gave no message, HTTP refused with 504: partition_read_timeout",
        ),
        (
            diverge(Err(4100), "outcome (partition 1)", vec![answered(1, 0)]),
            "TCP refused with 4100 invalid_offset, HTTP answered with 3 messages",
        ),
        (
            diverge(Err(20), "outcome (partition 1)", vec![refused(1)]),
            "TCP refused with 20 resource_not_found, HTTP with 4100 invalid_offset: Invalid \
             offset: 24",
        ),
        (
            diverge(Ok(0), "messages[1].checksum", vec![changed]),
            "The message at offset 1 is not the same",
        ),
    ] {
        let (first, second, json) = first_lines(exchange).await;
        assert_eq!(first, expected);
        let json = json.as_str().unwrap().to_owned();
        assert_eq!(second, format!("Two answers: \u{2260} diverge : {json}"));
        assert_eq!(json.to_lowercase(), expected.to_lowercase());
    }
}

#[tokio::test]
async fn what_is_no_divergence_is_not_told_as_one() {
    let with = |first, kind, answers| compared(first, kind, Vec::new(), answers);
    for (exchange, expected) in [
        (
            with(Ok(0), VerdictKind::Agree, vec![answered(1, 0)]),
            "poll_messages was answered, the same over HTTP",
        ),
        (
            with(Err(4100), VerdictKind::Agree, vec![refused(1)]),
            "poll_messages was refused: 4100 invalid_offset, over HTTP too",
        ),
        (
            with(
                Err(4100),
                VerdictKind::NotComparable,
                vec![answered(0, 0), answered(1, 0), refused(2)],
            ),
            "poll_messages was refused: 4100 invalid_offset; over HTTP the same error at \
             partition 2",
        ),
        (
            with(Ok(0), VerdictKind::MirrorFailed, Vec::new()),
            "poll_messages was answered",
        ),
    ] {
        assert_eq!(first_lines(exchange).await.0, expected);
    }
    // What is muted is known: it is no news.
    let mut muted = jump();
    if let Some(verdict) = &mut muted.verdict {
        verdict.muted = Some("mutes.toml, rule 2".into());
    }
    assert_eq!(first_lines(muted).await.0, "poll_messages was answered");
}

async fn two_answers(exchange: Exchange) -> (String, serde_json::Value) {
    let journal = Journal::new();
    let n = journal.record(exchange);
    let page = Page::over(Arc::new(journal)).await;
    let text = page.text(&format!("/exchanges/{n}")).await;
    let (_, text) = text.split_once("id=\"two-answers\"").unwrap();
    let json = page
        .json(&format!("/api/v1/exchanges/{n}/comparison"))
        .await;
    (text.to_owned(), json["beside"].clone())
}

#[tokio::test]
async fn what_an_error_cannot_tell_is_not_told_and_no_difference() {
    let (text, json) = two_answers(masked()).await;
    let said = words(&text);
    assert!(said.contains("1 of 1 field differs"), "{said}");
    assert_eq!(
        text.matches("class=\"badge\"").count(),
        1,
        "the status alone: {said}"
    );
    assert!(said.contains("not told (1 was asked for)"), "{said}");
    assert!(!said.contains("the verdict says why"), "{said}");
    assert_eq!(
        (
            &json["counted"]["fields"],
            &json["counted"]["fields_differ"]
        ),
        (&1.into(), &1.into())
    );
}

#[tokio::test]
async fn a_log_that_grew_differs_in_nothing() {
    let mut grown = PollAnswer::from(&answer_of(1, 0));
    grown.current_offset += 4;
    let grown = mirror_answer(1, MirrorOutcome::Answered(grown));
    let agreeing = compared(Ok(0), VerdictKind::Agree, Vec::new(), vec![grown.clone()]);
    let (text, _) = two_answers(agreeing).await;
    let said = words(&text);
    assert!(
        said.contains("all 3 fields equal, 3 messages equal"),
        "{said}"
    );
    assert!(
        said.contains("No divergence: the log may have grown"),
        "{said}"
    );
    assert!(!text.contains("class=\"badge\""), "{said}");

    // Named by the verdict it is a difference.
    let named = vec![difference("current_offset", "21", "25")];
    let diverging = compared(Ok(0), VerdictKind::Diverge, named, vec![grown]);
    let (text, _) = two_answers(diverging).await;
    assert!(
        words(&text).contains("1 of 4 fields differs"),
        "{}",
        words(&text)
    );
}

#[tokio::test]
async fn equal_fields_are_one_folded_line() {
    let (text, _) = two_answers(compared(
        Ok(0),
        VerdictKind::Agree,
        Vec::new(),
        vec![answered(1, 0)],
    ))
    .await;
    let (before, folded) = text.split_once("<details>").unwrap();
    assert!(
        !before.contains("scope=\"row\""),
        "nothing else comes before it: {before}"
    );
    let folded = words(&format!("<{}", folded.split_once("</details>").unwrap().0));
    assert!(
        folded.contains("= 4 fields equal: status, partition, current offset, count"),
        "{folded}"
    );
    assert!(folded.contains("status 0 ok HTTP 200"), "{folded}");
}

#[tokio::test]
async fn what_neither_answer_has_is_a_row_and_where_next_was_to_begin_a_line() {
    let (text, _) = two_answers(jump()).await;
    let said = words(&text);
    let mut at = 0;
    for expected in [
        "where Next was to begin: offset 5",
        "offsets 5 to 7",
        "missing on TCP",
        "offsets 8 to 14 in neither answer",
        "offsets 15 to 17",
        "missing over HTTP",
    ] {
        let found = said[at..].find(expected);
        at += found.unwrap_or_else(|| panic!("{expected}: {said}"));
    }
    // Without a hole there is no such row; where it was to begin nobody need have any.
    let differences = vec![difference(
        "messages[0].offset",
        "0",
        "9, where Next was to begin",
    )];
    let early = compared(
        Ok(0),
        VerdictKind::Diverge,
        differences,
        vec![answered(1, 3)],
    );
    let (text, _) = two_answers(early).await;
    let said = words(&text);
    assert!(!said.contains("in neither answer"), "{said}");
    assert!(said.contains("where Next was to begin: offset 9"), "{said}");
}

#[tokio::test]
async fn a_probe_that_explains_the_failure_says_so_and_is_no_grey_card() {
    let answers = vec![answered(0, 0), answered(1, 0), refused(2)];
    let probe = |answers| compared(Err(4100), VerdictKind::NotComparable, Vec::new(), answers);
    let (_, second, _) = first_lines(probe(answers.clone())).await;
    let said = "Two answers: not the same question : over HTTP the same error at partition 2";
    assert_eq!(second, said);
    let (text, _) = two_answers(probe(answers)).await;
    assert!(
        text.starts_with(" class=\"two-answers v-explained\""),
        "{}",
        &text[..80]
    );
    // Of two that refuse alike neither is the culprit, and where none does nothing is.
    for answers in [
        vec![refused(1), refused(2)],
        vec![answered(0, 0), answered(1, 0)],
    ] {
        let (_, second, json) = first_lines(probe(answers)).await;
        assert_eq!(second, "Two answers: not comparable");
        assert!(json.is_null());
    }
}
