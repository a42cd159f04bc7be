//! The filter's form in a real browser.

use std::time::Duration;

use fantoccini::Locator;
use parallax_tests::{Browser, Running, recording};

use super::{expression, reading};

/// Long enough for any machine; only reached where something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

async fn wait_for(browser: &Browser, xpath: &str) {
    let client = &browser.client;
    let waited = client.wait().at_most(PATIENCE);
    let found = waited.for_element(Locator::XPath(xpath)).await;
    found.unwrap_or_else(|error| panic!("{xpath}: {error}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_is_completed_found_and_pointed_at_where_it_is_wrong() {
    let Some(browser) = Browser::start(1280, 1000).await else {
        return;
    };
    let file = recording("broken-segment_server-0.8.0/group-next-4100.pcap");
    let mut viewed = Running::start(&["view", file.to_str().unwrap(), "--ui", "127.0.0.1:0"]);
    let page = viewed.page();
    let client = &browser.client;
    client.goto(&page.at("exchanges")).await.unwrap();

    let input = || client.find(Locator::Id("where"));
    let offered = |text: &str| format!("//ul[@id='where-list']/li[@data-text='{text}']");
    input().await.unwrap().send_keys("comm").await.unwrap();
    wait_for(&browser, &offered("command")).await;
    input().await.unwrap().send_keys("and ").await.unwrap();
    wait_for(&browser, &offered("command ==")).await;
    input().await.unwrap().send_keys("== poll").await.unwrap();
    wait_for(&browser, &offered("command == poll_messages")).await;
    browser.keep_screenshot("filter-completion").await;

    let rest = "_messages and status == 4100";
    input().await.unwrap().send_keys(rest).await.unwrap();
    let button = client.find(Locator::Css("form.where button")).await;
    button.unwrap().click().await.unwrap();
    let accepted = expression("command == poll_messages and status == 4100");
    let reading = reading("broken-segment_server-0.8.0/group-next-4100.pcap");
    let all = reading.exchanges.iter();
    let found = all.filter(|exchange| accepted.accepts(exchange)).count();
    assert!(found > 0);
    wait_for(&browser, &format!("//tbody[@id='rows'][count(tr)={found}]")).await;

    let wrong = page.at("exchanges?where=statu+%3D%3D+1");
    client.goto(&wrong).await.unwrap();
    wait_for(
        &browser,
        "//*[@id='where-mistake'][contains(., 'did you mean status')]",
    )
    .await;
    let kept = input().await.unwrap().prop("value").await.unwrap();
    assert_eq!(kept.as_deref(), Some("statu == 1"));
    browser.keep_screenshot("filter-mistake").await;
    viewed.interrupt();
    browser.close().await;
}
