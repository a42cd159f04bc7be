//! The page in a real browser, point by point; each point keeps its pictures in
//! `tests/screenshots`.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, missing_docs)]

mod detail;
mod latency;
mod latency_agrees;
mod partition;
mod read;
mod support;
mod two_answers;

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
