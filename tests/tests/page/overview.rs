//! The overview: what is wrong first, in words that a user knows; and what to do where
//! there is nothing.

use std::time::{Duration, Instant};

use parallax_tests::{Browser, LOOKS};
use serde_json::{Value, json};

use crate::support::{PATIENCE, Viewed, wait_for};

/// What the element says, as soon as it is there; a live page may replace it meanwhile.
async fn text_of(browser: &Browser, css: &str) -> String {
    wait_for(browser, css).await;
    let script = format!("return document.querySelector({css:?}).innerText");
    asked(browser, &script).await.as_str().unwrap().to_owned()
}

async fn asked(browser: &Browser, script: &str) -> Value {
    let client = &browser.client;
    client.execute(script, Vec::new()).await.unwrap()
}

/// In each look: the page is no wider than the window, and the one line that says it all
/// stands in the first screen.
async fn must_fit(browser: &Browser) {
    for (width, dark) in LOOKS {
        browser.look(width, 1000, dark).await;
        let script =
            "const root = document.documentElement; return root.scrollWidth - root.clientWidth";
        assert_eq!(asked(browser, script).await, json!(0), "{width} pixels");
        let script = "return document.querySelector('.glance').getBoundingClientRect().bottom";
        let bottom = asked(browser, script).await.as_f64().unwrap();
        assert!(bottom < 260.0, "{bottom} at {width} pixels");
    }
}

/// Waits until the script says true.
async fn until(browser: &Browser, script: &str) {
    let begun = Instant::now();
    while asked(browser, script).await != json!(true) {
        assert!(begun.elapsed() < PATIENCE, "{script}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stuck_group_is_named_with_why_and_what_to_do() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    viewed.open(&browser, "").await;
    let glance = text_of(&browser, ".glance").await;
    for words in [
        "1 thing is wrong",
        "14 connections, 1 stuck",
        "3 agree",
        "4 not comparable",
    ] {
        assert!(glance.contains(words), "{words}: {glance}");
    }
    let card = text_of(&browser, ".findings > li").await;
    let at = [
        "Group qw_sink_metrics is stuck: its poll of a partition, probably 2, fails again",
        "PX501",
        "Partition 2: HTTP says \"Invalid offset: 24\"",
        "What to do:",
    ]
    .map(|words| {
        card.find(words)
            .unwrap_or_else(|| panic!("{words}: {card}"))
    });
    assert!(at.is_sorted(), "{card}");
    assert!(!card.contains("The reply is status"), "folded: {card}");
    let drawn = "return document.querySelectorAll('.spark, .over-time').length";
    let drawn = asked(&browser, drawn).await;
    assert_eq!(drawn, json!(0), "too short to show how something went");
    let row = text_of(&browser, ".connections tr.r-error").await;
    for words in [
        "127.0.0.1:",
        "iggy",
        "stuck until it closed",
        "0.10.0",
        "not known",
        "classic",
        "PX102",
    ] {
        assert!(row.contains(words), "{words}: {row}");
    }
    let figures = text_of(&browser, ".figures").await;
    assert!(
        figures.contains("37") && figures.contains("agree"),
        "{figures}"
    );
    must_fit(&browser).await;
    browser.keep_looks("overview-stuck").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_clients_go_on_the_overview_does_too_and_leaves_focus_and_folds_alone() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let mut viewed = Viewed::started(&["demo"]);
    viewed.program.line_with("PX501");
    viewed.open(&browser, "").await;
    // Which partition it is HTTP tells, a moment after the group is seen to be stuck.
    let said = "Group qw_sink_metrics is stuck: its poll of partition 2 fails again and again";
    let lead = "document.querySelector('.findings .lead').innerText";
    until(&browser, &format!("return {lead}.includes({said:?})")).await;
    let mirror = text_of(&browser, "#mirror").await;
    for words in [
        "working",
        "password of iggy",
        "requests/s",
        "at most 100",
        "no poll",
    ] {
        assert!(mirror.contains(words), "{words}: {mirror}");
    }
    assert!(
        text_of(&browser, "#recording")
            .await
            .contains("--record DIRECTORY")
    );
    wait_for(&browser, ".findings .spark .bars").await;
    wait_for(&browser, ".over-time svg path.a-failed").await;
    let table = "document.querySelector('.over-time + details table').textContent";
    until(
        &browser,
        &format!("return {table}.includes('not comparable')"),
    )
    .await;
    let fold = ".findings details > summary";
    // As with the keyboard, and in one step: the page is replaced meanwhile.
    let unfold =
        format!("const fold = document.querySelector({fold:?}); fold.focus(); fold.click()");
    asked(&browser, &unfold).await;
    let exchanges = "Number(document.querySelector('.figures dd a').dataset.count)";
    let before = asked(
        &browser,
        &format!("window.before = {exchanges}; return window.before"),
    )
    .await;
    until(&browser, &format!("return {exchanges} > window.before + 5")).await;
    let kept = asked(
        &browser,
        "const fold = document.querySelector('.findings details');
         return [fold.open, document.activeElement === fold.querySelector('summary')]",
    );
    assert_eq!(kept.await, json!([true, true]), "{before} exchanges before");
    must_fit(&browser).await;
    browser.keep_looks("overview-live").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_there_is_nothing_the_overview_says_what_to_do() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let idle = Viewed::started(&[
        "run",
        "--listen",
        "127.0.0.1:0",
        "--upstream",
        "127.0.0.1:9",
        "--no-mirror",
    ]);
    idle.open(&browser, "").await;
    let main = text_of(&browser, "main").await;
    for words in [
        "Nothing seen yet",
        "No client yet: point one at 127.0.0.1:",
        "mirror off",
        "start parallax without --no-mirror",
        "--record DIRECTORY",
    ] {
        assert!(main.contains(words), "{words}: {main}");
    }
    must_fit(&browser).await;
    browser.keep_looks("overview-empty").await;

    let well = Viewed::recording("server-0.8.0_sdk-0.10.0/setup.pcap");
    well.open(&browser, "").await;
    let main = text_of(&browser, "main").await;
    for words in [
        "Nothing wrong found",
        "Nothing found in 11 exchanges of 1 connection.",
        "No poll in it was compared with HTTP",
    ] {
        assert!(main.contains(words), "{words}: {main}");
    }
    browser.keep_looks("overview-well").await;
    browser.close().await;
}
