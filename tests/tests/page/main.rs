//! The page in a real browser, point by point; each point keeps its pictures in
//! `tests/screenshots`.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]
// A visit to a page is one story.
#![allow(clippy::too_many_lines)]

mod accessible;
mod described;
mod detail;
#[path = "../../../web/tests/web/document.rs"]
mod document;
mod every;
mod exchanges;
mod hostile;
mod latency;
mod latency_agrees;
mod long;
mod overview;
mod partition;
mod read;
#[allow(dead_code)] // The page's own tests need more of it.
#[path = "../../../web/tests/web/sample.rs"]
mod sample;
mod schemathesis;
mod signing_in;
mod support;
mod two_answers;
mod without_script;

use parallax_tests::Browser;

use support::Viewed;

#[tokio::test(flavor = "multi_thread")]
async fn every_page_of_a_recording_can_be_looked_at_in_both_widths_and_colours() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let viewed = Viewed::recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    for (path, name) in [
        ("", "overview"),
        ("exchanges", "exchanges"),
        ("latency", "latency"),
    ] {
        viewed.open(&browser, path).await;
        browser.keep_looks(name).await;
    }
    browser.close().await;
}
